// Package technologies finds what a repository is made of: languages, frameworks, databases,
// tools, each with its version and the lines that say so. Manifests decide: what workspaces
// depend on directly, configuration files at their known places, images of containers, actions
// of workflows; and what recipes of them install and run, and pages load, says the same of itself. Imports
// of code, peer dependencies and folders of fixtures never do.
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
	for _, d := range s.dependencies() {
		sightings = append(sightings, d.sightings()...)
	}
	sightings = append(sightings, s.configured()...)
	docs := docsFolders(sightings)
	slices.SortStableFunc(sightings, compareSightings)
	var found []Technology
	for from := 0; from < len(sightings); {
		to := from + 1
		for to < len(sightings) && sightings[to].row == sightings[from].row && sightings[to].dir == sightings[from].dir {
			to++
		}
		found = append(found, settle(sightings[from:to], docs))
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

// inPassing reports whether no manifest and no file of its own shows it, but a word.
func (s sighting) inPassing() bool {
	return slices.Contains([]string{"command", "source", "host", "setting"}, s.ecosystem)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// settle makes one record of all sightings of a technology in a folder.
func settle(all []sighting, docs []string) Technology {
	if slices.ContainsFunc(all, func(s sighting) bool { return !s.inPassing() }) {
		all = slices.DeleteFunc(slices.Clone(all), sighting.inPassing)
	}
	t := Technology{Name: all[0].row.name, Category: all[0].row.category, Dir: cmp.Or(all[0].dir, "."), order: all[0].order}
	if all[0].tells() {
		t.Version = clean(all[0].version)
	}
	if t.Version == "" {
		t.Version = together(all)
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
	t.Role = roleOf(t.Category, role, isBelowAny(docs, all[0].dir))
	return t
}

// together is the version of packages of one scope, if all of them have the same: they are released
// together. The first one has it, for that one's place is the first evidence.
func together(all []sighting) (version string) {
	for _, s := range all {
		switch {
		case s.version == "" && version != "":
		case !s.scope || s.version == "" || version != "" && version != s.version:
			return ""
		default:
			version = s.version
		}
	}
	return clean(version)
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
// rather than a part of it; of several the one that the root has, else the one that most
// workspaces have. Dir is the first workspace with that version. What says most of a project comes
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
	counts := map[string]int{}
	best := -1
	for _, t := range same {
		if t.Role != Docs {
			counts[t.Version]++
		}
	}
	better := func(a, b Technology) bool {
		if c := compareBool(a.Version != "", b.Version != ""); c != 0 {
			return c > 0
		}
		inRoot := compareBool(a.Dir == ".", b.Dir == ".")
		if a.order != b.order && (inRoot == 0 || !runtimes[a.Category]) {
			return a.order < b.order
		}
		if inRoot != 0 {
			return inRoot > 0
		}
		return counts[a.Version] > counts[b.Version]
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
