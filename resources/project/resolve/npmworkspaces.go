package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// workspace is a directory with a manifest that lists package directories.
type workspace struct {
	dir     string
	members map[string][]string // directories by package name
}

// packageNamed returns the directory of a package for the file of a query. It considers the
// file's package, local dependencies in its package.json, and the members of enclosing
// workspaces, nearest first.
func (j *javascript) packageNamed(q *query, name string) (string, bool) {
	q.lookups = append(q.lookups, namedPackage+name)
	wanted := ""
	if at, found := j.tree.nearest(q.dir, "package.json"); found {
		own, p := parent(at), j.packageAt(at)
		if p.name == name {
			return own, true
		}
		if dir, found := p.local[name]; found {
			dir, inside := join(own, dir)
			return dir, inside && q.has(below(dir, "package.json"))
		}
		wanted = p.dependencies[name]
	}
	for _, w := range j.listed() {
		if dirs := w.members[name]; len(dirs) > 0 && (w.dir == "" || isBelow(q.dir, w.dir)) {
			dir := slices.MaxFunc(dirs, func(a, b string) int { return cmp.Compare(common(a+"/", q.dir+"/"), common(b+"/", q.dir+"/")) })
			return dir, !otherMajor(wanted, j.packageAt(below(dir, "package.json")).version)
		}
	}
	return "", false
}

// namedPackage begins the lookup keys of workspace packages.
const namedPackage = "package "

// otherMajor reports whether a required version and a workspace package have different
// major versions. The import then means an installed package.
func otherMajor(wanted, version string) bool {
	a, _, _ := strings.Cut(strings.TrimLeft(wanted, "^~>=v "), ".")
	b, _, _ := strings.Cut(version, ".")
	isNumber := func(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
	return isNumber(a) && isNumber(b) && a != b && b != "0" && a != "0" // version 0.0.0 is replaced on publishing
}

// listed returns the workspaces, deepest first. They are read once.
func (j *javascript) listed() []workspace {
	if j.workspaces != nil {
		return j.workspaces
	}
	j.workspaces = []workspace{}
	packages := j.tree.pathsOf("package.json")
	for dir, patterns := range j.patterns(packages) {
		w := workspace{dir: dir, members: map[string][]string{}}
		for _, at := range packages {
			if member := parent(at); member == dir || isListed(patterns, dir, member) {
				if name := j.packageAt(at).name; name != "" {
					w.members[name] = append(w.members[name], member)
				}
			}
		}
		j.workspaces = append(j.workspaces, w)
	}
	deepestFirst(j.workspaces, func(w workspace) string { return w.dir })
	return j.workspaces
}

// patterns returns the member patterns by directory.
func (j *javascript) patterns(packages []string) map[string][]string {
	all := map[string][]string{}
	for _, at := range packages {
		if members := j.packageAt(at).members; len(members) > 0 {
			all[parent(at)] = append(all[parent(at)], members...)
		}
	}
	for _, at := range j.tree.pathsOf("pnpm-workspace.yaml") {
		data, _ := j.readFile(at)
		for _, m := range manifest.YAML(data).Get("packages").List() {
			all[parent(at)] = append(all[parent(at)], m.Value)
		}
	}
	for _, at := range j.tree.pathsOf("lerna.json") {
		data, _ := j.readFile(at)
		for _, m := range jsonc(data).Get("packages").List() {
			all[parent(at)] = append(all[parent(at)], m.Value)
		}
	}
	return all
}

// isListed reports whether the patterns of a workspace in dir include a directory. The last
// matching pattern decides.
func isListed(patterns []string, dir, member string) bool {
	rest, inside := strings.CutPrefix(member, dir)
	if dir != "" && (!inside || !strings.HasPrefix(rest, "/")) {
		return false
	}
	rest = strings.TrimPrefix(rest, "/")
	listed := false
	for _, pattern := range patterns {
		pattern, negated := strings.CutPrefix(pattern, "!")
		if resources.MatchGlob(strings.TrimPrefix(path.Clean(pattern), "/"), rest) {
			listed = !negated
		}
	}
	return listed
}
