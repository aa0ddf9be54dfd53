package controllerprocess

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/project"
)

const (
	// manyImporters is the number of importers from which they are reported at
	// the first access to a file. Importers of another package are always
	// reported.
	manyImporters = 8
	maxNamed      = 5
	maxPackages   = 3
)

// Code returns a notice about the importers of a file for its first access. It
// returns nil if there are few, all of the same package, if known reports that
// the agent has the notice, or if the map is not available. In the last case, or if
// git moved HEAD, it starts updating the map in the background.
func (t *CodeNotifier) Code(file string, known func(hooks.Snippet) bool) (told []hooks.Snippet) {
	line := hooks.Snippet{ID: "src/" + file, Truncated: true}
	current := false
	t.files.IfCached(func(k inventory.Snapshot) {
		k.Touch(file)
		current = !k.GitMoved()
		if k.Facts(file).Language == "" || known(line) { // saves most of a millisecond for a file with many importers
			return
		}
		if line.Text = importersText(k, file); line.Text != "" {
			told = []hooks.Snippet{line}
		}
	})
	if !current {
		t.Warm()
	}
	return told
}

// Radius describes the importers of a file: "12 files import it (api 9, web 3;
// 2 tests)", or that there are none. It returns "" if the map is not available,
// and does not start building it.
func (t *CodeNotifier) Radius(file string) (line string) {
	t.files.IfCached(func(k inventory.Snapshot) {
		if k.Facts(file).Language == "" {
			return
		}
		if text, _ := importersOf(k, file); text != "" {
			line = text
		} else {
			line = "nothing imports it"
		}
	})
	return line
}

// mapTimeout is how long Broke waits for the map while the tree is being read. A
// later call does not report the breakage. The hook times out after twice that.
const mapTimeout = 50 * time.Millisecond

// Broke reports the names that just written files no longer export and that
// other files still import.
func (t *CodeNotifier) Broke(files []string) []hooks.Snippet {
	began := time.Now()
	told, unsure, available := t.broke(files, mapTimeout)
	if unsure || !available {
		t.Warm()
	}
	for unsure && time.Since(began) < mapTimeout {
		time.Sleep(time.Millisecond)
		t.files.IfCached(func(k inventory.Snapshot) { unsure = !k.UpdatedAt().After(began) })
		if !unsure {
			told, _, _ = t.broke(files, 0)
		}
	}
	return told
}

// broke is Broke without an update. unsure reports whether files may import a removed name that are
// new or changed since the last update.
func (t *CodeNotifier) broke(files []string, patience time.Duration) (told []hooks.Snippet, unsure, available bool) {
	available = t.files.Await(patience, func(k inventory.Snapshot) {
		for _, file := range files {
			k.Touch(file)
			lost, more := k.RemovedExports(file)
			unsure = unsure || more
			if len(lost) > 0 {
				told = append(told, breakageNotice(file, lost))
			}
		}
	})
	return told, unsure, available
}

// importersText describes the importers of a file: "12 files import it (api 9, web
// 3; 2 tests).". It returns "" if they are not worth a notice.
func importersText(k inventory.Snapshot, file string) string {
	if text, many := importersOf(k, file); many {
		return text + "."
	}
	return ""
}

// importersOf describes the importers of a file, or returns "". many reports
// whether they are many or of another package.
func importersOf(k inventory.Snapshot, file string) (text string, many bool) {
	g := k.Graph()
	own, packages := g.Package(file), map[string]int{}
	code, tests := map[string]bool{}, map[string]bool{}
	for _, e := range k.Users(file) {
		if e.Kind == project.TestImport {
			tests[e.From] = true
		} else if !code[e.From] {
			code[e.From] = true
			packages[locationOf(g.Package(e.From), e.From)]++
			many = many || g.Package(e.From) != own
		}
	}
	switch {
	case len(code)+len(tests) == 0:
		return "", false
	case len(code) == 0:
		return pluralWord(len(tests), "test imports", "tests import") + " it", false
	}
	text = fmt.Sprintf("%s it (%s", pluralWord(len(code), "file imports", "files import"), locationCounts(packages))
	if len(tests) > 0 {
		text += "; " + pluralWord(len(tests), "test", "tests")
	}
	return text + ")", many || len(code) >= manyImporters
}

// locationOf returns the location of an importer: its package, or in the root
// package its top-level directory.
func locationOf(pack, file string) string {
	if pack != "" {
		return path.Base(pack)
	}
	if folder, _, below := strings.Cut(file, "/"); below {
		return folder
	}
	return "root"
}

// locationCounts lists the most frequent locations with their counts.
func locationCounts(count map[string]int) string {
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	var parts []string
	for i, name := range names {
		if i == maxPackages {
			parts = append(parts, fmt.Sprintf("%d more places", len(names)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %d", admission.Plain(name), count[name]))
	}
	return strings.Join(parts, ", ")
}

// breakageNotice describes the names that a file no longer exports and their importers.
func breakageNotice(file string, lost []project.RemovedExport) hooks.Snippet {
	var names, users []string
	for _, l := range lost {
		names = append(names, l.Name)
		for _, e := range l.Edges {
			users = append(users, fmt.Sprintf("%s:%d", e.From, e.Line))
		}
	}
	slices.Sort(users)
	users = slices.Compact(users)
	text := fmt.Sprintf("%s no longer has %s, which %s still: %s. Mend them, or bring the name back.", admission.Plain(file),
		firstNames(names), pluralWord(len(users), "place imports", "places import"), firstNames(users))
	return hooks.Snippet{ID: "src/" + file, TextHash: "gone " + file + " " + strings.Join(names, " "), Text: text}
}

// firstNames lists the first elements and the number of the others.
func firstNames(all []string) string {
	var named []string
	for _, one := range all[:min(len(all), maxNamed)] {
		named = append(named, admission.Plain(one))
	}
	text := strings.Join(named, ", ")
	if more := len(all) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// pluralWord returns a number with the matching form of a noun.
func pluralWord(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
