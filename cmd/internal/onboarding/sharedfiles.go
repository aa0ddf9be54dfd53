package onboarding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/technologies"
	"github.com/idumb-dev/idumb/resources/source"
)

// minImporters is the number of importing files from which a file counts as shared.
const minImporters = 5

// SharedFile is a file that many other files import.
type SharedFile struct {
	Path      string
	Importers int // number of other files that import it, without tests
}

// sharedFiles returns the files with the most importers, at most maxPlaces.
func sharedFiles(files project.Files) (all []SharedFile) {
	vendored := project.Vendored(files)
	facts := func(file string) source.Facts {
		text, _ := files.Read(file)
		return source.Scan(file, text)
	}
	graph := project.Build(files, facts)
	for _, file := range files.Paths() {
		if !isCode(file) || project.IsTest(file) || project.IsFixture(file) || vendored(file) || !technologies.IsPlain(file) {
			continue
		}
		edges := graph.Dependents(file)
		if len(edges) < minImporters {
			continue
		}
		if importers, _ := project.CountImporters(project.Users(edges, facts(file))); importers >= minImporters {
			all = append(all, SharedFile{file, importers})
		}
	}
	slices.SortStableFunc(all, func(a, b SharedFile) int { return b.Importers - a.Importers })
	return all[:min(maxPlaces, len(all))]
}

// SharedFilesOf returns the instructions for changes of shared files, in Markdown, restricted to
// plain characters as in BlockOf. It is empty if no file is shared.
func SharedFilesOf(f ScanResult) string {
	if len(f.Shared) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Found by a scan; the numbers are as of that scan.\n\n")
	for _, s := range f.Shared {
		fmt.Fprintf(&b, "- `%s`: %d files import it\n", s.Path, s.Importers)
	}
	b.WriteString("\nBefore you change what such a file exports, list its importers with `idumb map deps FILE --up`.\n" +
		"Change the importers in the same task, then run the tests of this repository.\n")
	return b.String()
}
