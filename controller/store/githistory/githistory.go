// Package githistory asks git about a repository: days with commits, messages,
// earlier versions of files, renamed, deleted, tracked and lost files, and the
// tree of a revision. It runs git without any settings of the repository that
// could start other programs. Without git it returns no data.
// It changes nothing in git; FindLost marks lost objects in .idumb.
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

// gitTimeout is the timeout of git for reading a whole history.
const gitTimeout = 20 * time.Second

// Days returns the days of the commits reachable from HEAD, by committer time
// in UTC, as numbered by status.DayOf, sorted and without duplicates. The
// result is cached in layout.CommitDaysFile, so that git runs only after HEAD
// moved and only for new commits. If git fails, it returns the last result.
func Days(ctx context.Context, root layout.Root) []int {
	var kept workDays
	head := Head(root)
	if data, _, err := root.Read(layout.CommitDaysFile, layout.MaxSpec); err != nil || json.Unmarshal(data, &kept) != nil {
		kept = workDays{}
	}
	if head == kept.Head {
		return kept.Days
	}
	if head == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
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
	if data, err := json.Marshal(workDays{head, days}); err == nil {
		_ = root.Replace(layout.CommitDaysFile, data) // a cache; a failure is harmless
	}
	return days
}

// workDays is the cached result: the days and the commit of HEAD.
type workDays struct {
	Head string `json:"head"`
	Days []int  `json:"days"`
}

// readDays parses seconds since 1970, one per line.
func readDays(out []byte) []int {
	var days []int
	for line := range strings.Lines(string(out)) {
		if seconds, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64); err == nil {
			days = append(days, status.DayOf(time.Unix(seconds, 0)))
		}
	}
	return days
}

// messagePatterns lists patterns of commit messages for Commits, as extended regular
// expressions, ignoring case. memory.ReadCommit defines their exact meaning.
var messagePatterns = [...]string{`^decision(\([^)]*\))?!?:`, `^[a-z]+(\([^)]*\))?!:`, `^BREAKING[ -]CHANGE:`, `^Refs:`}

// Commits returns the commits reachable from head with messages worth
// remembering, oldest first, limited to the newest most commits. since excludes
// the commits reachable from that commit; it may be "". head is the result of
// Head. Passing it makes several calls use the same commit, because HEAD may
// move in between.
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

// LeadsTo reports whether a commit is an ancestor of head. It returns false for
// a commit that is not available.
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

// logArgs returns arguments for git log in the format of readCommits, newest
// first.
func logArgs(most int) []string {
	return []string{"log", "-z", "--name-only", "--no-renames", "--relative", "--format=%H%n%ct%n%at %ae%n%P%n%B", "-n", strconv.Itoa(most)}
}

// tellingArgs returns arguments that restrict git log to messages that match
// messagePatterns.
func tellingArgs() []string {
	args := []string{"-i", "-E"}
	for _, pattern := range messagePatterns {
		args = append(args, "--grep="+pattern)
	}
	return args
}

// logged runs git log with arguments of logArgs and returns the commits.
func logged(ctx context.Context, root layout.Root, args []string) ([]memory.Commit, error) {
	out, err := git(ctx, root, args...)
	if err != nil {
		return nil, err
	}
	return readCommits(out), nil
}

// readCommits parses records that end with a NUL: a commit, followed by one
// record for each changed file.
func readCommits(out []byte) []memory.Commit {
	var commits []memory.Commit
	for record := range bytes.SplitSeq(out, []byte{0}) {
		text := strings.ToValidUTF8(string(record), "\uFFFD")
		if c, ok := readCommit(text); ok {
			commits = append(commits, c)
			continue
		}
		file := strings.TrimPrefix(text, "\n") // a newline precedes the first file
		if n := len(commits) - 1; n >= 0 && file != "" && !strings.Contains(file, "\n") && len(commits[n].Files) < maxFiles {
			commits[n].Files = append(commits[n].Files, file)
		}
	}
	return commits
}

// maxFiles is the maximum number of files that are kept for a commit.
const maxFiles = 20

// readCommit parses ID, seconds since 1970, author, parents and message, on
// separate lines. It returns false for any other text.
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

// Deleted returns the names of the mems whose files were deleted by a commit
// reachable from head, sorted and without duplicates.
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

// command returns a git command with output independent of the repository's
// settings.
func command(ctx context.Context, root layout.Root, args ...string) *exec.Cmd {
	plain := []string{"-c", "core.quotePath=false", "-c", "log.follow=false", "-c", "log.mailmap=false"}
	return gitcommand.New(ctx, string(root), append(plain, args...)...)
}
