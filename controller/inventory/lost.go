package inventory

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// lost is what files gave to others while they were looked at, and do not give any more: what was
// wrong before is nobody's news.
type lost struct {
	before map[string]source.Facts   // of files that changed: when they last broke nothing
	gone   map[string][]project.Lost // of files that are not there any more
}

// changed notes that a file says something else than it did.
func (l *lost) changed(path string, was *file) {
	if l.before == nil {
		l.before = map[string]source.Facts{}
	}
	if _, noted := l.before[path]; !noted && was.facts != "" {
		l.before[path] = was.facts.Facts()
	}
	delete(l.gone, path)
}

// removed notes that a file is about to leave the graph.
func (l *lost) removed(g *project.Graph, path string, was *file) {
	if was == nil || was.facts == "" {
		return
	}
	before, noted := l.before[path]
	if !noted {
		before = was.facts.Facts()
	}
	if l.gone == nil {
		l.gone = map[string][]project.Lost{}
	}
	l.gone[path] = used(g.Gone(path, before, source.Facts{Language: before.Language, Package: before.Package}))
	delete(l.before, path)
}

// Lost are the names that a file gave while it was looked at, does not give any more, and that others
// still import from it: as the tree stands now, as far as it was looked at.
func (k Known) Lost(path string) []project.Lost {
	l := &k.i.lost
	if k.i.files[path] == nil {
		return l.gone[path]
	}
	before, noted := l.before[path]
	if !noted {
		return nil
	}
	for _, one := range used(k.Graph().Gone(path, before, k.Facts(path))) {
		for _, e := range one.Edges {
			k.Touch(e.From) // who imported it may have been mended meanwhile
		}
	}
	all := used(k.Graph().Gone(path, before, k.Facts(path)))
	if len(all) == 0 {
		delete(l.before, path)
	}
	return all
}

// used are the names that somebody imports.
func used(all []project.Lost) []project.Lost {
	return slices.DeleteFunc(all, func(l project.Lost) bool { return len(l.Edges) == 0 })
}
