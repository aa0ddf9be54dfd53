package inventory

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// maxVersions is the maximum number of earlier versions of a file that are
// compared.
const maxVersions = 16

// removedExports records the exports that files had while they were observed and have no
// longer. Earlier breakage is not reported.
type removedExports struct {
	oldFacts     map[string][]source.Facts          // earlier versions of changed files, since they last broke no importer
	changedAt    map[string]time.Time               // when the files of oldFacts were seen to change
	deletedFiles map[string][]project.RemovedExport // lost exports of deleted files
}

// changed records that the facts of a file changed.
func (l *removedExports) changed(path string, was *file) {
	if was.facts == "" {
		return
	}
	if l.oldFacts == nil {
		l.oldFacts, l.changedAt = map[string][]source.Facts{}, map[string]time.Time{}
	}
	l.changedAt[path] = time.Now()
	all := append(l.oldFacts[path], was.facts.Facts())
	l.oldFacts[path] = all[max(len(all)-maxVersions, 0):]
	delete(l.deletedFiles, path)
}

// removed records that a file is about to leave the graph.
func (l *removedExports) removed(g *project.Graph, path string, was *file) {
	if was == nil || was.facts == "" {
		return
	}
	l.changed(path, was)
	if l.deletedFiles == nil {
		l.deletedFiles = map[string][]project.RemovedExport{}
	}
	l.deletedFiles[path], _ = l.since(g, path, source.Facts{Language: was.facts.Facts().Language, Package: was.facts.Facts().Package})
}

// since returns the imported names that earlier versions of a file exported and
// the current one does not. unused reports whether there are further names,
// which no known file imports.
func (l *removedExports) since(g *project.Graph, path string, now source.Facts) (all []project.RemovedExport, unused bool) {
	for _, before := range l.oldFacts[path] {
		for _, one := range g.RemovedExports(path, before, now) {
			known := func(l project.RemovedExport) bool { return l.Name == one.Name }
			unused = unused || len(one.Edges) == 0
			if len(one.Edges) > 0 && !slices.ContainsFunc(all, known) {
				all = append(all, one)
			}
		}
	}
	slices.SortFunc(all, func(a, b project.RemovedExport) int { return strings.Compare(a.Name, b.Name) })
	return all, unused
}

// RemovedExports returns the names that a file exported while it was observed, does not
// export now, and that other files still import. unsure reports whether there are
// further names that files may import that changed since the last update.
func (k Snapshot) RemovedExports(path string) (all []project.RemovedExport, unsure bool) {
	l := &k.i.removed
	if k.i.files[path] == nil {
		return l.deletedFiles[path], false
	}
	all, _ = l.since(k.Graph(), path, k.Facts(path))
	for _, one := range all {
		for _, e := range one.Edges {
			k.Touch(e.From) // the importer may have been repaired in the meantime
		}
	}
	all, unused := l.since(k.Graph(), path, k.Facts(path))
	unsure = unused && k.i.updatedAt.Before(l.changedAt[path])
	if len(all) == 0 && !unsure {
		delete(l.oldFacts, path)
		delete(l.changedAt, path)
	}
	return all, unsure
}
