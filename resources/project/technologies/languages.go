package technologies

import (
	"path"
	"slices"
	"strings"
)

// fewSources are how many files of a language make it none that a workspace is written in.
const fewSources = 2

// languages are those that the sources of each workspace are written in, by the ends of their names.
// Settings of tools that are written in one do not count, nor what stands in folders of theirs (.opencode).
func (s *scan) languages() []dependency {
	type place struct{ dir, ending string }
	first, count := map[place]string{}, map[place]int{}
	var places []place
	for _, p := range s.paths {
		name := path.Base(p)
		ending := path.Ext(name)
		if ending == "" || strings.HasPrefix(name, ".") || strings.HasPrefix(p, ".") || strings.Contains(name, ".config.") || strings.Contains(name, ".min.") || len(table().packages("source", ending)) == 0 {
			continue
		}
		at := place{s.workspaceOf(dirOf(p)), ending}
		if count[at]++; count[at] == 1 {
			first[at], places = p, append(places, at)
		}
	}
	places = slices.DeleteFunc(places, func(at place) bool { return count[at] <= fewSources })
	var all []dependency
	for _, at := range places {
		all = append(all, dependency{ecosystem: "source", name: at.ending, role: Runtime, dir: at.dir, file: first[at], line: 1, source: fromFile})
	}
	return all
}
