// Package githistory reads what git knows of a repository: the days on which there was
// work, and what commit messages say. It starts git for that, with nothing of the
// repository's settings that could start another program, and is content with nothing
// where there is no git.
package githistory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// patience is how long git may take for the days of a whole history.
const patience = 20 * time.Second

// Days returns the days on which the commits were made that HEAD leads to, by their
// committers' clocks in UTC, as status.DayOf numbers them: sorted, each once. What was
// found is kept in layout.CommitDaysFile, so that git is asked only after HEAD has moved,
// and then for what is new. Where git cannot be asked, what was found last holds.
func Days(ctx context.Context, root layout.Root) []int {
	var kept found
	head := Head(root)
	if data, _, err := root.Read(layout.CommitDaysFile, layout.MaxSpec); err != nil || json.Unmarshal(data, &kept) != nil {
		kept = found{}
	}
	if head == kept.Head {
		return kept.Days
	}
	if head == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	span, days := head, []int(nil)
	if kept.Head != "" && hexOf(kept.Head) != "" {
		if _, err := git(ctx, root, "merge-base", "--is-ancestor", kept.Head, head); err == nil {
			span, days = kept.Head+".."+head, kept.Days
		}
	}
	out, err := git(ctx, root, "log", "--format=%ct", span)
	if err != nil {
		return kept.Days
	}
	days = status.NewWorkDays(append(slices.Clone(days), readDays(out)...))
	if data, err := json.Marshal(found{head, days}); err == nil {
		_ = root.Replace(layout.CommitDaysFile, data) // kept for the next one; nothing is lost without it
	}
	return days
}

// found is what was found last: the days, and the commit that HEAD stood at.
type found struct {
	Head string `json:"head"`
	Days []int  `json:"days"`
}

// readDays reads seconds since 1970, one a line.
func readDays(out []byte) []int {
	var days []int
	for line := range strings.Lines(string(out)) {
		if seconds, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64); err == nil {
			days = append(days, status.DayOf(time.Unix(seconds, 0)))
		}
	}
	return days
}

// telling are the messages that Commits looks for, as git's extended regular expressions,
// in any case. What they mean in full is memory.ReadCommit's business.
var telling = [...]string{`^decision(\([^)]*\))?!?:`, `^[a-z]+(\([^)]*\))?!:`, `^BREAKING[ -]CHANGE:`, `^Refs:`}

// Commits returns the commits that head leads to whose messages say something that is
// worth remembering, the oldest first, so many at most: the newest ones. since leaves out
// what that commit leads to, if it is one; "" for none. head is what Head told, "" for nothing:
// who asks several things asks them of one commit, HEAD may move between two questions.
func Commits(ctx context.Context, root layout.Root, head, since string, most int) ([]memory.Commit, error) {
	if head == "" {
		return nil, nil
	}
	args := append(logArgs(most), tellingArgs()...)
	args = append(args, head)
	if hexOf(since) != "" {
		if _, err := git(ctx, root, "cat-file", "-e", since+"^{commit}"); err == nil {
			args = append(args, "^"+since)
		}
	}
	commits, err := logged(ctx, root, args)
	slices.Reverse(commits)
	return commits, err
}

// LeadsTo reports whether head leads to a commit; false for one that is not here.
func LeadsTo(ctx context.Context, root layout.Root, head, commit string) (bool, error) {
	if hexOf(commit) == "" || head == "" {
		return false, nil
	}
	_, err := git(ctx, root, "merge-base", "--is-ancestor", commit, head)
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		err = ctx.Err()
		return false, err
	}
	return err == nil, err
}

// logArgs asks git for so many commits at most, the newest first, as readCommits reads them.
func logArgs(most int) []string {
	return []string{"log", "-z", "--name-only", "--no-renames", "--relative", "--format=%H%n%ct%n%at %ae%n%P%n%B", "-n", strconv.Itoa(most)}
}

// tellingArgs asks for those only that telling finds.
func tellingArgs() []string {
	args := []string{"-i", "-E"}
	for _, pattern := range telling {
		args = append(args, "--grep="+pattern)
	}
	return args
}

func logged(ctx context.Context, root layout.Root, args []string) ([]memory.Commit, error) {
	out, err := git(ctx, root, args...)
	if err != nil {
		return nil, err
	}
	return readCommits(out), nil
}

// readCommits reads records that end with a NUL: a commit, and after it the files that it
// changed, each a record of its own.
func readCommits(out []byte) []memory.Commit {
	var commits []memory.Commit
	for record := range bytes.SplitSeq(out, []byte{0}) {
		text := strings.ToValidUTF8(string(record), "\uFFFD")
		if c, ok := readCommit(text); ok {
			commits = append(commits, c)
			continue
		}
		file := strings.TrimPrefix(text, "\n") // before the first of them
		if n := len(commits) - 1; n >= 0 && file != "" && !strings.Contains(file, "\n") && len(commits[n].Files) < maxFiles {
			commits[n].Files = append(commits[n].Files, file)
		}
	}
	return commits
}

// maxFiles is how many files of one commit are kept.
const maxFiles = 20

// readCommit reads id, seconds since 1970, author, parents and message, each on lines of its own.
func readCommit(record string) (memory.Commit, bool) {
	parts := strings.SplitN(record, "\n", 5)
	if len(parts) < 5 || hexOf(parts[0]) == "" {
		return memory.Commit{}, false
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return memory.Commit{}, false
	}
	return memory.Commit{ID: parts[0], Time: resources.NewTime(time.Unix(seconds, 0)), Author: parts[2], Parents: parts[3], Message: parts[4]}, true
}

// Deleted returns the names of the mems whose files were deleted by a commit that head leads
// to, each once, sorted.
func Deleted(ctx context.Context, root layout.Root, head string) ([]string, error) {
	if head == "" {
		return nil, nil
	}
	folder := layout.Folder(resources.Mems)
	out, err := git(ctx, root, "log", "-z", "--no-renames", "--diff-filter=D", "--name-only", "--relative", "--format=", head, "--", folder)
	if err != nil {
		return nil, err
	}
	var names []string
	for file := range strings.SplitSeq(string(out), "\x00") {
		file = strings.TrimSpace(file)
		if name, ok := layout.ObjectName(strings.TrimPrefix(file, folder+"/")); ok && strings.HasPrefix(file, folder+"/") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// git runs git in the repository and returns its output.
func git(ctx context.Context, root layout.Root, args ...string) ([]byte, error) {
	out, err := command(ctx, root, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	}
	return out, nil
}

// command returns a call of git whose output does not depend on the repository's settings.
func command(ctx context.Context, root layout.Root, args ...string) *exec.Cmd {
	plain := []string{"-c", "core.quotePath=false", "-c", "log.follow=false", "-c", "log.mailmap=false"}
	return gitcommand.New(ctx, string(root), append(plain, args...)...)
}
