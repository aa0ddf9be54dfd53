package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
)

// ignoreTitle is the first of the lines in .idumb/.gitignore that exclude
// shared objects from git.
const ignoreTitle = "# Shared by idumb sync: git would bring old versions back with every branch."

// ignored returns the lines of .idumb/.gitignore that exclude the shared kinds
// from git.
func ignored() []string {
	lines := []string{ignoreTitle}
	for _, kind := range SharedKinds() {
		lines = append(lines, "/"+kind+"/", "/archive/"+kind+"/")
	}
	return lines
}

// LeavingGit lists the changes in git that sharing objects requires. If both
// git and sync distribute a file, one of them restores old versions.
type LeavingGit struct {
	Files []string // files that git tracks, relative to the root
	Lines []string // lines missing from .idumb/.gitignore
}

// Leaving returns the required changes.
func Leaving(ctx context.Context, root layout.Root) (l LeavingGit, err error) {
	tracked, err := githistory.Tracked(ctx, root)
	if err != nil {
		return l, err
	}
	for _, name := range tracked {
		if isShared(name) {
			l.Files = append(l.Files, name)
		}
	}
	if ignoresAll(ctx, root) {
		return l, nil
	}
	before, err := readIgnore(root)
	text := string(before)
	for _, line := range ignored() {
		if !slices.Contains(strings.Split(text, "\n"), line) {
			l.Lines = append(l.Lines, line)
		}
	}
	return l, err
}

// ignoresAll reports whether git already ignores all of .idumb, because it is
// private to the user.
func ignoresAll(ctx context.Context, root layout.Root) bool {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	return gitcommand.New(ctx, string(root), "check-ignore", "--quiet", "--", layout.Dir+"/"+layout.IgnoreFile).Run() == nil
}

// isShared reports whether a path belongs to a shared object.
func isShared(name string) bool {
	return slices.ContainsFunc(SharedKinds(), func(kind string) bool {
		return strings.HasPrefix(name, layout.Folder(kind)+"/") || strings.HasPrefix(name, layout.ArchiveDir+"/"+kind+"/")
	})
}

// readIgnore returns the content of .idumb/.gitignore, or nil if it does not
// exist.
func readIgnore(root layout.Root) ([]byte, error) {
	data, _, err := root.Read(layout.Dir+"/"+layout.IgnoreFile, layout.MaxSpec)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return data, err
}

// Make applies the changes to the index and .idumb/.gitignore; the files stay.
// It does not commit, so that the user can review the changes.
func (l LeavingGit) Make(ctx context.Context, root layout.Root) error {
	if len(l.Lines) > 0 {
		before, err := readIgnore(root)
		text := string(before)
		if err != nil {
			return err
		}
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if err := writeIgnore(ctx, root, before, text+strings.Join(l.Lines, "\n")+"\n"); err != nil {
			return err
		}
	}
	return inGit(ctx, root, l.Files, "rm", "--cached", "--quiet", "--force", "--ignore-unmatch")
}

// ReturnToGit reverts Make: git tracks the current objects again. It returns the
// directories that it added to the index.
func ReturnToGit(ctx context.Context, root layout.Root) ([]string, error) {
	if ignoresAll(ctx, root) {
		return nil, nil
	}
	before, err := readIgnore(root)
	text := string(before)
	if err != nil {
		return nil, err
	}
	ours := ignored()
	kept := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return slices.Contains(ours, line) })
	if next := strings.Join(kept, "\n"); next != text {
		if err := writeIgnore(ctx, root, before, next); err != nil {
			return nil, err
		}
	}
	var folders []string
	for _, kind := range SharedKinds() {
		for _, folder := range []string{layout.Folder(kind), layout.ArchiveDir + "/" + kind} {
			if names, err := root.Names(folder); err == nil && len(names) > 0 {
				folders = append(folders, folder)
			}
		}
	}
	return folders, inGit(ctx, root, folders, "add")
}

// writeIgnore replaces .idumb/.gitignore, if its content is still before, and
// adds it to the index.
func writeIgnore(ctx context.Context, root layout.Root, before []byte, text string) error {
	file := layout.Dir + "/" + layout.IgnoreFile
	if err := replace.FileBelow(root, file, before, []byte(text), 0o644); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return inGit(ctx, root, []string{file}, "add")
}

// gitTimeout is the timeout of git for changing the index.
const gitTimeout = 20 * time.Second

// inGit runs a git command on files.
func inGit(ctx context.Context, root layout.Root, files []string, args ...string) error {
	if len(files) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	c := gitcommand.New(ctx, string(root), slices.Concat([]string{"--literal-pathspecs"}, args, []string{"--pathspec-from-file=-", "--pathspec-file-nul"})...)
	c.Stdin = strings.NewReader(strings.Join(files, "\x00"))
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
	}
	return nil
}
