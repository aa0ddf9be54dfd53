// Package touch says in one line what code means for who touches a file, and what a write broke for
// others. It says nothing where it does not know at once.
package touch

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
	// manyImporters: from so many files on that import it, a file's importers are told at first touch.
	// Fewer are so where they are of another package.
	manyImporters = 8
	maxNamed      = 5
	maxPackages   = 3
)

// Code tells who imports a file, for who is about to read or edit it and does not know: nothing where few
// do, all of the same package, or nobody knows at once. The first question makes the map, in the
// background.
func (t *Teller) Code(file string, known func(hooks.Told) bool) (told []hooks.Told) {
	line := hooks.Told{ID: "src/" + file, Cut: true}
	atHand := t.files.AtHand(func(k inventory.Known) {
		k.Touch(file)
		if k.Facts(file).Language == "" || known(line) { // of a file that all import, that saves most of a millisecond
			return
		}
		if line.Text = importers(k, file); line.Text != "" {
			told = []hooks.Told{line}
		}
	})
	if !atHand {
		t.Warm()
	}
	return told
}

// Radius says who imports a file: "12 files import it (api 9, web 3; 2 tests)", or that nothing does. Where the
// map is not at hand it says nothing, and none is made for it.
func (t *Teller) Radius(file string) (line string) {
	t.files.AtHand(func(k inventory.Known) {
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

// patience is how long is waited for the map after a write, while the tree is being read: what a write
// broke is told then, or by nobody. The hook goes on alone after twice that.
const patience = 50 * time.Millisecond

// Broke tells which names files gave and give no longer, that others still import, of files that were
// just written.
func (t *Teller) Broke(files []string) (told []hooks.Told) {
	known := t.files.Soon(patience, func(k inventory.Known) {
		for _, file := range files {
			k.Touch(file)
			if lost := k.Lost(file); len(lost) > 0 {
				told = append(told, broken(file, lost))
			}
		}
	})
	if !known {
		t.Warm()
	}
	return told
}

// importers says which files import one, where that is worth a line: "12 files import it (api 9, web 3; 2 tests).".
func importers(k inventory.Known, file string) string {
	if text, many := importersOf(k, file); many {
		return text + "."
	}
	return ""
}

// importersOf says which files import one, "" for none, and whether they are many, or of another package.
func importersOf(k inventory.Known, file string) (text string, many bool) {
	g := k.Graph()
	own, packages := g.Package(file), map[string]int{}
	code, tests := map[string]bool{}, map[string]bool{}
	for _, e := range k.Users(file) {
		if e.Kind == project.TestImport {
			tests[e.From] = true
		} else if !code[e.From] {
			code[e.From] = true
			packages[placeOf(g.Package(e.From), e.From)]++
			many = many || g.Package(e.From) != own
		}
	}
	switch {
	case len(code)+len(tests) == 0:
		return "", false
	case len(code) == 0:
		return plural(len(tests), "test imports", "tests import") + " it", false
	}
	text = fmt.Sprintf("%s it (%s", plural(len(code), "file imports", "files import"), places(packages))
	if len(tests) > 0 {
		text += "; " + plural(len(tests), "test", "tests")
	}
	return text + ")", many || len(code) >= manyImporters
}

// placeOf is where an importer stands: its package, or in the one of the root its uppermost folder.
func placeOf(pack, file string) string {
	if pack != "" {
		return path.Base(pack)
	}
	if folder, _, below := strings.Cut(file, "/"); below {
		return folder
	}
	return "root"
}

// places are the commonest places with their counts.
func places(count map[string]int) string {
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

// broken says what a file does not give any more and who still imports it.
func broken(file string, lost []project.Lost) hooks.Told {
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
		few(names), plural(len(users), "place imports", "places import"), few(users))
	return hooks.Told{ID: "src/" + file, Twin: "gone " + file + " " + strings.Join(names, " "), Text: text}
}

// few names the first of a list, and how many more there are.
func few(all []string) string {
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

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
