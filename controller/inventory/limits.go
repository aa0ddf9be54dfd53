package inventory

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
)

// size is the size of a working tree, or the limit for indexing all of it.
type size struct {
	files int
	bytes int64
}

// most returns the maximum size of a tree that is indexed as a whole.
func most() size { return size{files: 200_000, bytes: 4 << 30} }

// Reasons for omitted files in Scope.
const (
	ignoredFiles = "map.ignore of .idumb/config.json names them"
	manyFiles    = "the tree is too large to be looked at whole, and nobody named a file of their workspaces"
)

// maxNoted is the maximum number of recorded paths in use.
const maxNoted = 1_000

// Note records paths in use, relative to the root. If a tree is too large to be
// indexed as a whole, the workspaces of these paths are indexed.
func (i *Inventory) Note(paths ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.note(paths...)
}

// note is Note for a caller that holds mu.
func (i *Inventory) note(paths ...string) {
	for _, p := range paths {
		if len(i.noted) < maxNoted {
			p, _, _ = strings.Cut(p, "#")
			i.noted[path.Clean(p)] = true
		}
	}
}

// within restricts a tree that is too large to the files in the root and in the
// workspaces in use.
func (i *Inventory) within(all []listed) (kept []listed, leftOut int) {
	there := size{files: len(all)}
	for _, l := range all {
		there.bytes += l.info.Size
	}
	if there.files <= i.most.files && there.bytes <= i.most.bytes {
		return all, 0
	}
	folders := i.workspaces(all)
	for _, l := range all {
		inside := func(folder string) bool { return resources.IsBelow(folder, l.path) }
		if !strings.Contains(l.path, "/") || slices.ContainsFunc(folders, inside) {
			kept = append(kept, l)
		}
	}
	return kept, len(all) - len(kept)
}

// workspaces returns the directories of the paths in use: the nearest one with
// a manifest, or else the top-level one.
func (i *Inventory) workspaces(all []listed) (folders []string) {
	has := func(file string) bool {
		_, found := slices.BinarySearchFunc(all, file, func(l listed, file string) int { return strings.Compare(l.path, file) })
		return found
	}
	for named := range i.noted {
		folder, _, _ := strings.Cut(named, "/")
		for dir := named; dir != "." && dir != "/"; dir = path.Dir(dir) {
			if project.IsPackage(dir, has) {
				folder = dir
				break
			}
		}
		if folder != "." && folder != ".." {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders)
}

// ignored returns the patterns of files that the repository's settings exclude.
func ignored(root layout.Root) []string {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	if config, ok := root.Object(key, layout.Path(key)).(*resources.Config); ok {
		return config.Spec.Map.Ignore
	}
	return nil
}

func ignores(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return resources.MatchGlob(p, path) })
}

// LeftOut describes the omissions, one line per reason.
func (s Scope) LeftOut() (lines []string) {
	for why, n := range s.Out {
		lines = append(lines, fmt.Sprintf("%d files are left out: %s", n, why))
	}
	for why, n := range s.Partial {
		lines = append(lines, fmt.Sprintf("not all is known of %d of %d files of code: %s", n, s.Code, why))
	}
	slices.Sort(lines)
	return lines
}
