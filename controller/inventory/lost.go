package inventory

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// maxVersions is how many versions of a file are compared with what it is now.
const maxVersions = 16

// lost is what files gave to others while they were looked at, and do not give any more: what was
// wrong before is nobody's news.
type lost struct {
	before map[string][]source.Facts // of files that changed: what they were since they last broke nothing
	gone   map[string][]project.Lost // of files that are not there any more
}

// changed notes that a file says something else than it did, whoever changed it.
func (l *lost) changed(path string, was *file) {
	if was.facts == "" {
		return
	}
	if l.before == nil {
		l.before = map[string][]source.Facts{}
	}
	all := append(l.before[path], was.facts.Facts())
	l.before[path] = all[max(len(all)-maxVersions, 0):]
	delete(l.gone, path)
}

// removed notes that a file is about to leave the graph.
func (l *lost) removed(g *project.Graph, path string, was *file) {
	if was == nil || was.facts == "" {
		return
	}
	l.changed(path, was)
	if l.gone == nil {
		l.gone = map[string][]project.Lost{}
	}
	l.gone[path] = l.since(g, path, source.Facts{Language: was.facts.Facts().Language, Package: was.facts.Facts().Package})
}

// since are the names that versions of a file gave, that it does not give now, and that somebody imports.
func (l *lost) since(g *project.Graph, path string, now source.Facts) (all []project.Lost) {
	for _, before := range l.before[path] {
		for _, one := range g.Gone(path, before, now) {
			known := func(l project.Lost) bool { return l.Name == one.Name }
			if len(one.Edges) > 0 && !slices.ContainsFunc(all, known) {
				all = append(all, one)
			}
		}
	}
	slices.SortFunc(all, func(a, b project.Lost) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Lost are the names that a file gave while it was looked at, does not give any more, and that others
// still import from it: as the tree stands now, as far as it was looked at.
func (k Known) Lost(path string) []project.Lost {
	l := &k.i.lost
	if k.i.files[path] == nil {
		return l.gone[path]
	}
	for _, one := range l.since(k.Graph(), path, k.Facts(path)) {
		for _, e := range one.Edges {
			k.Touch(e.From) // who imported it may have been mended meanwhile
		}
	}
	all := l.since(k.Graph(), path, k.Facts(path))
	if len(all) == 0 {
		delete(l.before, path)
	}
	return all
}
