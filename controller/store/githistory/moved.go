package githistory

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// maxMoving is the number of newest commits that are searched for renames.
const maxMoving = 500

// StateID identifies the current commit and index. It reads two or three small
// files.
func StateID(root layout.Root) string {
	state := Head(root)
	if info, err := os.Stat(filepath.Join(layout.GitDir(string(root)), "index")); err == nil {
		state += fmt.Sprint(" ", info.Size(), " ", info.ModTime().UnixNano())
	}
	return state
}

// Renamed maps old file names to new ones, for files renamed since HEAD or by
// one of the newest commits. If a name was renamed several times, the newest
// rename counts. Git chooses the file with the same or the most similar
// content.
func Renamed(ctx context.Context, root layout.Root) map[string]string {
	renamed := map[string]string{}
	if Head(root) == "" {
		return renamed
	}
	ask := []string{"-M", "-z", "--diff-filter=R", "--name-status", "--relative"}
	staged, _ := git(ctx, root, append([]string{"diff", "--cached"}, append(ask, "HEAD")...)...)
	readRenames(string(staged), renamed)
	past, _ := git(ctx, root, append([]string{"log", "-n", strconv.Itoa(maxMoving), "--format="}, ask...)...)
	readRenames(string(past), renamed)
	return renamed
}

// readRenames parses records of a status (R and a similarity), the old name and
// the new name, each terminated by a NUL, newest first.
func readRenames(out string, renamed map[string]string) {
	fields := strings.Split(out, "\x00")
	for i := 0; i+2 < len(fields); i++ {
		if status := strings.TrimSpace(fields[i]); len(status) < 2 || status[0] != 'R' || strings.Trim(status[1:], "0123456789") != "" {
			continue
		}
		if _, known := renamed[fields[i+1]]; !known {
			renamed[fields[i+1]] = fields[i+2]
		}
		i += 2
	}
}

// Tracked returns the files that git tracks. It runs git if package layout
// cannot read the index.
func Tracked(ctx context.Context, root layout.Root) ([]string, error) {
	names, folder := root.Tracked(), layout.GitDir(string(root))
	if len(names) > 0 || folder == "" {
		return names, nil
	}
	if info, err := os.Stat(filepath.Join(folder, "index")); err != nil || info.Size() == 0 {
		return nil, nil
	}
	out, err := git(ctx, root, "ls-files", "-z")
	return fieldsOf(out), err
}

// Untracked returns the files that git does not track and does not ignore.
func Untracked(ctx context.Context, root layout.Root) []string {
	out, _ := git(ctx, root, "ls-files", "-z", "--others", "--exclude-standard")
	return fieldsOf(out)
}

// Mentioning returns the files with an extension, tracked or not, that contain
// a text.
func Mentioning(ctx context.Context, root layout.Root, text, extension string) []string {
	out, _ := git(ctx, root, "grep", "-z", "-l", "-I", "-F", "--untracked", "--no-recurse-submodules", "-e", text, "--", "*"+extension)
	return fieldsOf(out)
}

// fieldsOf splits the output of git at NUL bytes.
func fieldsOf(out []byte) []string {
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}
