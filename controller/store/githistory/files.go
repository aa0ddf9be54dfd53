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

// maxWalked is how many files are looked at where no git lists them.
const maxWalked = 50_000

// Content lists the files of the repository that one of these patterns may match, and perhaps
// others, as paths with slashes from its root, sorted: what git tracks, and what it does not and
// would. What iDumb keeps is among them only if a pattern begins with its folder. Without git all
// files are listed, so many at most, but those in folders whose names begin with a dot, and
// node_modules.
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
		below = append(below, ":(exclude)"+layout.Dir) // git would list each object there, some 10,000 perhaps
	}
	out, err := git(ctx, root, append([]string{"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"}, below...)...)
	if err != nil {
		return walk(ctx, root)
	}
	files := strings.Split(strings.Trim(string(out), "\x00"), "\x00")
	slices.Sort(files)
	return slices.Compact(files), nil // one in conflict stands there three times
}

func walk(ctx context.Context, root layout.Root) (files []string, err error) {
	err = filepath.WalkDir(string(root), func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // what cannot be read is not there
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

// Brought returns those of some files that are as a commit left them which somebody else made,
// which HEAD leads to and which the commit since does not lead to. Who made a commit is said by
// its author's address; the person's own is user.email of their settings.
func Brought(ctx context.Context, root layout.Root, since string, files []string) ([]string, error) {
	if hexOf(since) == "" || since == Head(root) || len(files) == 0 {
		return nil, nil
	}
	out, err := git(ctx, root, "log", "-z", "--no-renames", "--name-only", "--relative", "--format=%x01%ae", since+"..HEAD")
	if err != nil {
		return nil, err
	}
	mine, err := git(ctx, root, "config", "user.email")
	if err != nil { // it is not set: nobody's commits are told apart
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

// othersFiles reads commits, the newest first, each an author's address and the files that it
// changed: it names those that somebody else than mine changed last.
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
