// Package technologies finds the languages, frameworks, databases and tools of a
// repository, with their versions and positions. It uses direct dependencies in the
// manifests of workspaces, exact versions in lock files, configuration files, container
// images and workflow actions. It ignores imports in code, peer dependencies and fixture
// directories.
package technologies

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
)

// Roles of technologies in a workspace.
const (
	Runtime = "runtime" // used by the product at run time
	Build   = "build"   // used to build the product
	Test    = "test"
	Docs    = "docs"  // used by, or part of, a documentation site
	Infra   = "infra" // used to deploy, monitor or host the product
)

// Technology is one technology in one workspace.
type Technology struct {
	Name     string   `json:"name"`
	Category string   `json:"category"`
	Version  string   `json:"version,omitempty"` // exact if known from a lock file, else as required ("^18.2.0"); empty if unknown
	Through  string   `json:"through,omitempty"` // driver that indicates it, with the driver's version: "psycopg 3.3.4"
	Role     string   `json:"role"`
	Dir      string   `json:"workspace"` // workspace directory, "." for the root
	Evidence []string `json:"evidence"`  // file:line; the first one contains the version, if any
	order    int      // index of the pattern with the version; a lower one is closer to the technology
}

// maxEvidence limits the positions of a technology in a workspace.
const maxEvidence = 8

// Find returns all technologies of all workspaces, sorted by name, then by directory. The
// result only depends on the files. For an invalid manifest, it uses the part before the
// first error.
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

// sighting is one indication of a technology.
type sighting struct {
	match
	dependency
}

// compareSightings sorts by name and directory, and then puts the best source of the
// version first.
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

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// settle merges all sightings of a technology in a directory. It only uses source files if
// no manifest indicates the technology.
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
			if !slices.Contains(t.Evidence, e) && len(t.Evidence) < maxEvidence {
				t.Evidence = append(t.Evidence, e)
			}
		}
	}
	if !slices.ContainsFunc(all, func(s sighting) bool { return s.source != fromFile }) {
		role = Runtime // there is no section that restricts it to the build
	}
	t.Role = roleOf(t.Category, role, all[0].dir)
	return t
}

// longestText limits the length of text from a manifest, in bytes.
const longestText = 200

// clean makes untrusted text of a manifest safe to display: one line, limited length, no
// control characters.
func clean(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), longestText)], "")
	return strings.Join(strings.Fields(strings.Map(resources.Visible, text)), " ")
}

// Summary merges the technologies of all workspaces, one record per name. It ignores
// documentation sites. The version is that of the package that is closest to the
// technology. Among equal ones it prefers the root, then the first workspace. Dir is the
// workspace with that version. The most characteristic technologies, such as frameworks and
// databases, come first.
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

// runtimes lists the categories in which the root's version has precedence over all others.
// A side project may use another version.
var runtimes = map[string]bool{"language": true, "runtime": true}

// summarize merges the records of one technology from several workspaces; see Summary. It returns
// false if only documentation sites use it.
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
