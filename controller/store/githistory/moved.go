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

// maxMoving is how many of the newest commits are looked at for files that they renamed.
const maxMoving = 500

// State names what git has by now: another commit, or another index, is another state. It reads
// two or three small files.
func State(root layout.Root) string {
	state := Head(root)
	if info, err := os.Stat(filepath.Join(layout.GitDir(string(root)), "index")); err == nil {
		state += fmt.Sprint(" ", info.Size(), " ", info.ModTime().UnixNano())
	}
	return state
}

// Renamed returns under which name each file stands that was renamed since HEAD, or by one of the
// newest commits that HEAD leads to; of several renames of one name the newest counts. git takes
// for the new name of a file the one with the same content, else the one that is most like it.
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

// readRenames reads a status (R, and how alike the two are), the old name and the new one, each
// ended by a NUL, the newest first.
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

// Tracked lists the files that git tracks. Where the index is of a kind that package layout does not
// read, git is asked.
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

// Untracked lists the files that git does not track and would.
func Untracked(ctx context.Context, root layout.Root) []string {
	out, _ := git(ctx, root, "ls-files", "-z", "--others", "--exclude-standard")
	return fieldsOf(out)
}

// Mentioning lists the files with that extension, tracked or not, that hold a text.
func Mentioning(ctx context.Context, root layout.Root, text, extension string) []string {
	out, _ := git(ctx, root, "grep", "-z", "-l", "-I", "-F", "--untracked", "--no-recurse-submodules", "-e", text, "--", "*"+extension)
	return fieldsOf(out)
}

func fieldsOf(out []byte) []string {
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}
