package technologies

import (
	"cmp"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// pyproject reads a pyproject.toml in the formats of the standard, of Poetry and of uv.
func (r *reading) pyproject() {
	root := r.tree(r.file)
	r.listed(root.Get("project", "dependencies"), Runtime)
	r.listed(root.Get("build-system", "requires"), Build)
	r.listed(root.Get("tool", "uv", "dev-dependencies"), Build)
	for _, group := range root.Get("project", "optional-dependencies").List() {
		r.listed(group, groupRole(group.Key, Runtime))
	}
	for _, group := range root.Get("dependency-groups").List() {
		r.listed(group, groupRole(group.Key, Build))
	}
	poetry := root.Get("tool", "poetry")
	r.table(poetry.Get("dependencies"), Runtime)
	r.table(poetry.Get("dev-dependencies"), Build)
	for _, group := range poetry.Get("group").List() {
		r.table(group.Get("dependencies"), groupRole(group.Key, Runtime))
	}
	r.addNode("runtime", "python", root.Get("project", "requires-python"), Runtime)
}

// pipfile reads the dependencies in a Pipfile of Pipenv.
func (r *reading) pipfile() {
	root := r.tree(r.file)
	r.table(root.Get("packages"), Runtime)
	r.table(root.Get("dev-packages"), Build)
	r.addNode("runtime", "python", root.Get("requires", "python_version"), Runtime)
}

// requirements reads a requirements file of pip. Included files are read separately.
func (r *reading) requirements() {
	if stem, isText := strings.CutSuffix(r.file, ".txt"); isText && r.has[stem+".in"] {
		return // a compiled file with indirect dependencies, like a lock file
	}
	if path.Base(r.dir) == "requirements" {
		r.dir = parent(r.dir)
	}
	role := groupRole(strings.TrimSuffix(path.Base(r.file), path.Ext(r.file)), Runtime)
	r.lines(func(line string, number int) {
		text := strings.TrimRight(firstOf(firstOf(line, " #"), " --hash"), ` \`)
		if text != "" && !strings.ContainsRune("#-/. ", rune(text[0])) && !strings.Contains(firstOf(text, ";"), "://") {
			r.requirement(text, number, role)
		}
	})
}

// listed reads a list of requirements in pip's syntax.
func (r *reading) listed(list *manifest.Node, role role) {
	for _, n := range list.List() {
		r.requirement(n.Value, n.Line, role)
	}
}

// table reads a table of Poetry or Pipenv: a version, or a table with a version.
func (r *reading) table(list *manifest.Node, role role) {
	for _, n := range list.List() {
		version := cmp.Or(n.Value, n.Text("version"))
		if n.Key == "python" {
			r.add("runtime", "python", version, Runtime, n.Line)
		} else {
			r.pypi(n.Key, version, n.Line, role)
		}
	}
}

// requirement reads name[extra]>=1,<2; python_version > "3".
func (r *reading) requirement(text string, line int, role role) {
	text, address, _ := strings.Cut(firstOf(text, ";"), " @ ")
	end := strings.IndexAny(text, "[<>=!~ (,")
	if end < 0 {
		end = len(text)
	}
	version := text[end:]
	if strings.HasPrefix(version, "[") {
		_, version, _ = strings.Cut(version, "]")
	}
	if address != "" {
		version = ""
	}
	r.pypi(text[:end], strings.Trim(version, " ()"), line, role)
}

// pypi adds a package with the exact version of a lock file, or with the required version.
func (r *reading) pypi(name, version string, line int, role role) {
	if one, isExact := strings.CutPrefix(version, "=="); isExact && !strings.ContainsAny(one, ",*") {
		version = strings.Trim(one, "= ")
	}
	if version == "*" {
		version = ""
	}
	d := r.add("pypi", canonical("pypi", name), version, role, line)
	for _, name := range []string{"uv.lock", "poetry.lock"} {
		if file, _, found := r.nearest(r.dir, name); found && d.pin(r.lockOf(file, packageTables("pypi")), d.name) {
			return
		}
	}
}

// groupRole returns the role of a dependency group, based on its name.
func groupRole(name string, usual role) role {
	for _, known := range (sections{{"test", Test}, {"doc", Docs}, {"dev", Build}, {"lint", Build}, {"typing", Build}, {"style", Build}, {"build", Build}, {"format", Build}, {"ci", Build}}) {
		if strings.Contains(strings.ToLower(name), known.name) {
			return known.role
		}
	}
	return usual
}
