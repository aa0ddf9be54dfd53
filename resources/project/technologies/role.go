package technologies

import (
	"slices"
	"strings"
)

// role is one of the constants; the section of a manifest has one, and so has a category.
type role string

// rank orders roles: of several the lowest holds.
func (r role) rank() int {
	return slices.Index([]role{Runtime, Build, Test, Infra, Docs}, r)
}

// roleOf is the role of a technology by its category, the section that it stands in and
// whether that is in a site of documentation.
func roleOf(category string, section role, docs bool) string {
	if docs {
		return Docs
	}
	if r := categories[weightOf(category)].role; r != "" {
		return string(r)
	}
	if category == "docs" && section != Runtime {
		return Docs
	}
	return string(section)
}

// docsNames are folders that hold a site of documentation.
var docsNames = [...]string{"docs", "doc", "documentation", "website", "docs-site", "docs_site"}

// docsFolders are the folders of documentation sites: by their names, and those of workspaces
// other than the root that a site generator runs in.
func docsFolders(all []sighting) []string {
	var dirs []string
	for _, s := range all {
		generator := s.row.category == "docs" && s.dir != "" && s.ecosystem == "npm" && generators[s.row.name]
		if generator || isDocsName(s.dir) {
			dirs = append(dirs, s.dir)
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// generators make whole sites; others of their category are parts of any application.
var generators = map[string]bool{"docusaurus": true, "vitepress": true, "vuepress": true, "nextra": true, "starlight": true, "mintlify": true}

func isDocsName(dir string) bool {
	for folder := range strings.SplitSeq(strings.ToLower(dir), "/") {
		if slices.Contains(docsNames[:], folder) {
			return true
		}
	}
	return false
}

// isBelowAny reports whether a folder is one of dirs, which are sorted, or below one.
func isBelowAny(dirs []string, dir string) bool {
	for dir != "" {
		if _, found := slices.BinarySearch(dirs, dir); found {
			return true
		}
		dir = parent(dir)
	}
	return false
}

// parent is the folder that a folder is in, "" for the root.
func parent(dir string) string { return dir[:max(0, strings.LastIndexByte(dir, '/'))] }
