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

// maxTree returns the maximum size of a tree that is indexed as a whole.
func maxTree() size { return size{files: 200_000, bytes: 4 << 30} }

// Reasons for omitted files in Scope.
const (
	ignoredFiles = "map.ignore of .idumb/config.json names them"
	manyFiles    = "the tree is too large to index completely, and no query named a file of their workspaces"
)

// maxInUse is the maximum number of recorded paths in use.
const maxInUse = 1_000

// RecordUse records paths in use, relative to the root. If a tree is too large to be
// indexed as a whole, the workspaces of these paths are indexed.
func (i *Inventory) RecordUse(paths ...string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.recordUse(paths...)
}

// recordUse is RecordUse for a caller that holds mu.
func (i *Inventory) recordUse(paths ...string) {
	for _, p := range paths {
		if len(i.inUse) < maxInUse {
			p, _, _ = strings.Cut(p, "#")
			i.inUse[path.Clean(p)] = true
		}
	}
}

// restrict restricts a tree that is too large to the files in the root and in the
// workspaces in use.
func (i *Inventory) restrict(all []listedFile) (kept []listedFile, leftOut int) {
	there := size{files: len(all)}
	for _, l := range all {
		there.bytes += l.info.Size
	}
	if there.files <= i.limit.files && there.bytes <= i.limit.bytes {
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
func (i *Inventory) workspaces(all []listedFile) (folders []string) {
	has := func(file string) bool {
		_, found := slices.BinarySearchFunc(all, file, func(l listedFile, file string) int { return strings.Compare(l.path, file) })
		return found
	}
	for named := range i.inUse {
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

// ignoredPatterns returns the patterns of files that the repository's settings exclude.
func ignoredPatterns(root layout.Root) []string {
	key := resources.Key{Kind: resources.Configs, Name: resources.ConfigName}
	if config, ok := root.Object(key, layout.Path(key)).(*resources.Config); ok {
		return config.Spec.Map.Ignore
	}
	return nil
}

// ignores reports whether a path matches one of the patterns.
func ignores(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return resources.MatchGlob(p, path) })
}

// Omissions describes the omissions, one line per reason.
func (s Scope) Omissions() (lines []string) {
	for why, n := range s.Omitted {
		lines = append(lines, fmt.Sprintf("%d files are left out: %s", n, why))
	}
	for why, n := range s.Partial {
		lines = append(lines, fmt.Sprintf("%d of %d source files are indexed only in part: %s", n, s.Code, why))
	}
	slices.Sort(lines)
	return lines
}
