package githistory

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// maxWalked is the maximum number of files in a listing without git.
const maxWalked = 50_000

// Content returns the files of the repository that may match one of these
// patterns, and possibly others, as paths relative to the root, sorted. They
// are the files that git tracks or would track. Files of iDumb are included
// only if a pattern begins with .idumb. Without git it lists up to maxWalked
// files, except for hidden directories and node_modules.
func Content(ctx context.Context, root layout.Root, patterns []string) ([]string, error) {
	var below []string
	own := false
	for _, pattern := range patterns {
		folder := resources.GlobRoot(pattern)
		if _, err := os.Lstat(root.Abs(folder)); !errors.Is(err, fs.ErrNotExist) {
			below, own = append(below, ":(literal)"+folder), own || strings.HasPrefix(folder, layout.Dir)
		}
	}
	if len(below) == 0 {
		return nil, nil
	}
	if !own {
		below = append(below, ":(exclude)"+layout.Dir) // otherwise git would list each object, possibly 10,000
	}
	out, err := git(ctx, root, append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, below...)...)
	if err != nil {
		return walk(ctx, root)
	}
	files := strings.Split(strings.Trim(string(out), "\x00"), "\x00")
	slices.Sort(files)
	return slices.Compact(files), nil // a file in conflict is listed three times
}

// walk lists the files of a repository without git, except for hidden
// directories and node_modules, at most maxWalked.
func walk(ctx context.Context, root layout.Root) (files []string, err error) {
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // unreadable files count as missing
		case d.IsDir() && path != string(root) && (strings.HasPrefix(name, ".") || name == "node_modules"):
			return filepath.SkipDir
		case len(files) == maxWalked:
			return filepath.SkipAll
		case d.Type().IsRegular():
			if rel, err := filepath.Rel(string(root), path); err == nil {
				files = append(files, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// ChangedByOthers returns the files among files whose current version was
// committed by another author, in a commit reachable from HEAD and not from the
// commit since. The author's address identifies the author; the user's own
// address is user.email in git's settings.
func ChangedByOthers(ctx context.Context, root layout.Root, since string, files []string) ([]string, error) {
	if hexOf(since) == "" || since == Head(root) || len(files) == 0 {
		return nil, nil
	}
	out, err := git(ctx, root, "log", "-z", "--no-renames", "--name-only", "--relative", "--format=%x01%ae", since+"..HEAD")
	if err != nil {
		return nil, err
	}
	mine, err := git(ctx, root, "config", "user.email")
	if err != nil { // not set: authors cannot be distinguished
		return nil, nil
	}
	foreign := othersFiles(string(out), strings.TrimSpace(string(mine)))
	files = slices.DeleteFunc(slices.Clone(files), func(file string) bool { return !foreign[file] })
	if len(files) == 0 {
		return nil, nil
	}
	out, err = git(ctx, root, append([]string{"--literal-pathspecs", "ls-tree", "-z", "HEAD", "--"}, files...)...)
	if err != nil {
		return nil, err
	}
	var brought []string
	for line := range strings.SplitSeq(string(out), "\x00") {
		about, file, _ := strings.Cut(line, "\t")
		if words := strings.Fields(about); len(words) == 3 && root.IsBlob(file, words[2]) {
			brought = append(brought, file)
		}
	}
	return brought, nil
}

// othersFiles parses commits, newest first, each with its author's address and
// changed files. It returns the files whose last change is not by mine.
func othersFiles(log, mine string) map[string]bool {
	foreign, author := map[string]bool{}, ""
	for entry := range strings.SplitSeq(log, "\x00") {
		entry = strings.TrimPrefix(entry, "\n")
		if name, begins := strings.CutPrefix(entry, "\x01"); begins {
			author = name
		} else if _, known := foreign[entry]; !known && entry != "" {
			foreign[entry] = !strings.EqualFold(author, mine)
		}
	}
	return foreign
}
