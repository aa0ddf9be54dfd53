// Package technologies finds what a repository is made of: languages, frameworks, databases,
// tools, each with its version and the lines that say so. Manifests decide: what workspaces
// depend on directly, with the versions of lock files, files of settings at their known places, images of
// containers and actions of workflows. Imports of code, peer dependencies and folders of fixtures never do.
package technologies

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
)

// Roles say what a workspace has a technology for.
const (
	Runtime = "runtime" // the product runs with it
	Build   = "build"   // it is needed to make the product
	Test    = "test"
	Docs    = "docs"  // it makes a site of documentation, or stands in one
	Infra   = "infra" // the product is shipped, watched or hosted with it
)

// Technology is one technology in one workspace.
type Technology struct {
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Version  string   `json:"version,omitempty"` // exact where a lock file says so, else as required ("^18.2.0"); "" if nothing says
	Through  string   `json:"through,omitempty"` // the driver that shows it, with the driver's version: "psycopg 3.3.4"
	Role     string   `json:"role"`
	Dir      string   `json:"workspace"` // the workspace's folder, "." for the root
	Evidence []string `json:"evidence"`  // file:line; the version, if any, stands in the first
	order    int      // of the pattern that the version is from: a lower one is nearer to the technology
}

// mostEvidence is how many lines are kept for a technology in a workspace.
const mostEvidence = 8

// Find returns all technologies of all workspaces, by name, then by folder. The same files
// give the same answer. Manifests that cannot be read give what stands before the first
// mistake.
func Find(files project.Files) []Technology {
	s := newScan(files)
	var sightings []sighting
	for _, d := range append(s.dependencies(), s.configured()...) {
		sightings = append(sightings, d.sightings()...)
	}
	slices.SortStableFunc(sightings, compareSightings)
	var found []Technology
	for from := 0; from < len(sightings); {
		to := from + 1
		for to < len(sightings) && sightings[to].row == sightings[from].row && sightings[to].dir == sightings[from].dir {
			to++
		}
		found = append(found, settle(sightings[from:to]))
		from = to
	}
	return found
}

// sighting is one place that shows a technology.
type sighting struct {
	match
	dependency
}

// compareSightings sorts by name and folder, and in those puts first what says the version
// best.
func compareSightings(a, b sighting) int {
	return cmp.Or(
		cmp.Compare(a.row.name, b.row.name), cmp.Compare(a.dir, b.dir),
		compareBool(b.tells(), a.tells()), cmp.Compare(a.source, b.source), cmp.Compare(a.order, b.order),
		cmp.Compare(a.role.rank(), b.role.rank()),
		cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.name, b.name),
	)
}

// tells reports whether a sighting has a version of the technology.
func (s sighting) tells() bool { return !s.apart && s.version != "" }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// settle makes one record of all sightings of a technology in a folder. Sources only count if no manifest shows it.
func settle(all []sighting) Technology {
	fromSource := func(s sighting) bool { return s.ecosystem == "source" }
	if rest := slices.DeleteFunc(slices.Clone(all), fromSource); len(rest) > 0 {
		all = rest
	}
	t := Technology{Name: all[0].row.name, Category: all[0].row.category, Dir: cmp.Or(all[0].dir, "."), order: all[0].order}
	if all[0].tells() {
		t.Version = clean(all[0].version)
	}
	role := all[0].role
	for _, s := range all {
		if through := clean(s.name + " " + s.version); s.apart && t.Through == "" && through != t.Name {
			t.Through = through
		}
		if s.role.rank() < role.rank() {
			role = s.role
		}
		for _, e := range s.evidence() {
			if !slices.Contains(t.Evidence, e) && len(t.Evidence) < mostEvidence {
				t.Evidence = append(t.Evidence, e)
			}
		}
	}
	if !slices.ContainsFunc(all, func(s sighting) bool { return s.source != fromFile }) {
		role = Runtime // no section says that it is only needed to build
	}
	t.Role = roleOf(t.Category, role, all[0].dir)
	return t
}

// longestText is how much of what a manifest says is told, in bytes.
const longestText = 200

// clean is a text of a manifest as it may be printed: nothing that a terminal obeys, one line,
// not too long.
func clean(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), longestText)], "")
	return strings.Join(strings.Fields(strings.Map(resources.Visible, text)), " ")
}

// Summary makes one record of each technology of all workspaces: what documentation sites are
// made of is left out, and the version is the one of the package that is the technology itself
// rather than a part of it; of several the one that the root has, else that of the first workspace.
// Dir is the workspace with that version. What says most of a project comes
// first: frameworks and databases before linters.
func Summary(found []Technology) []Technology {
	var all []Technology
	for from := 0; from < len(found); {
		to := from + 1
		for to < len(found) && found[to].Name == found[from].Name {
			to++
		}
		if one, ok := summarize(found[from:to]); ok {
			all = append(all, one)
		}
		from = to
	}
	slices.SortStableFunc(all, compareWeight)
	return all
}

// runtimes are the categories of which what the root says holds, by whatever pattern it says it:
// a side project may run on another version.
var runtimes = map[string]bool{"language": true, "runtime": true}

func summarize(same []Technology) (Technology, bool) {
	best := -1
	better := func(a, b Technology) bool {
		root := compareBool(a.Dir == ".", b.Dir == ".")
		version, pattern := compareBool(a.Version != "", b.Version != ""), b.order-a.order
		if runtimes[a.Category] {
			return cmp.Or(version, root, pattern) > 0
		}
		return cmp.Or(version, pattern, root) > 0
	}
	for i, t := range same {
		if t.Role != Docs && (best < 0 || better(t, same[best])) {
			best = i
		}
	}
	if best < 0 {
		return Technology{}, false
	}
	one := same[best]
	for _, t := range same {
		if t.Role != Docs && role(t.Role).rank() < role(one.Role).rank() {
			one.Role = t.Role
		}
		one.Through = cmp.Or(one.Through, t.Through)
	}
	return one, true
}
