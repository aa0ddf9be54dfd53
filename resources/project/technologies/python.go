package technologies

import (
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// pyproject reads a pyproject.toml: of the standard, of Poetry, of uv and of PDM.
func (s *scan) pyproject(file string) []dependency {
	root, p := s.tree(file), pyManifest{s: s, file: file, dir: dirOf(file)}
	p.listed(root.Get("project", "dependencies"), Runtime)
	p.listed(root.Get("build-system", "requires"), Build)
	p.listed(root.Get("tool", "uv", "dev-dependencies"), Build)
	for _, groups := range []*manifest.Node{root.Get("project", "optional-dependencies"), root.Get("dependency-groups"), root.Get("tool", "pdm", "dev-dependencies")} {
		for _, group := range groups.List() {
			usual := role(Build)
			if groups.Key == "optional-dependencies" {
				usual = Runtime
			}
			p.listed(group, groupRole(group.Key, usual))
		}
	}
	poetry := root.Get("tool", "poetry")
	p.table(poetry.Get("dependencies"), Runtime)
	p.table(poetry.Get("dev-dependencies"), Build)
	for _, group := range poetry.Get("group").List() {
		p.table(group.Get("dependencies"), groupRole(group.Key, Runtime))
	}
	if n := root.Get("project", "requires-python"); n != nil {
		p.python(n.Value, n.Line)
	}
	p.configured(root.Get("tool"))
	return p.found
}

// pyManifest collects what one manifest of Python has.
type pyManifest struct {
	s         *scan
	file, dir string
	found     []dependency
}

// pyTools are tools that are configured in pyproject.toml and need not stand in it as packages.
var pyTools = []string{"ruff", "black", "isort", "mypy", "pytest", "coverage", "pylint", "pyright", "bandit", "codespell", "towncrier", "tox", "ty", "typos"}

// configured finds tools by their sections.
func (p *pyManifest) configured(tools *manifest.Node) {
	for _, name := range pyTools {
		if n := tools.Get(name); n != nil {
			p.found = append(p.found, dependency{ecosystem: "pypi", name: name, role: Build, dir: p.dir, file: p.file, line: n.Line, source: fromFile})
		}
	}
}

func (p *pyManifest) python(version string, line int) {
	p.found = append(p.found, dependency{ecosystem: "runtime", name: "python", version: version, role: Runtime, dir: p.dir, file: p.file, line: line})
}

// listed reads a list of requirements as pip has them.
func (p *pyManifest) listed(list *manifest.Node, r role) {
	for _, n := range list.List() {
		if n.Value != "" {
			p.requirement(n.Value, n.Line, r)
		}
	}
}

// table reads a table of Poetry's or Pipenv's: a version, or a table that has one.
func (p *pyManifest) table(list *manifest.Node, r role) {
	for _, n := range list.List() {
		version := n.Value
		if version == "" {
			version = n.Text("version")
		}
		if n.Key == "python" {
			p.python(version, n.Line)
			continue
		}
		p.add(n.Key, version, n.Line, r)
	}
}

// requirement reads name[extra]>=1,<2; python_version > "3".
func (p *pyManifest) requirement(text string, line int, r role) {
	text, _, _ = strings.Cut(text, ";")
	text, address, _ := strings.Cut(text, " @ ")
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
	p.add(text[:end], strings.Trim(version, " ()"), line, r)
}

// pythonLocks are lock files of packages, by name.
var pythonLocks = [...]struct {
	name string
	read func(io.Reader, *lock)
}{
	{"uv.lock", packageTables("pypi")}, {"poetry.lock", packageTables("pypi")}, {"pdm.lock", packageTables("pypi")}, {"Pipfile.lock", pipfileLock},
}

// pipfileLock reads a Pipfile.lock: JSON with a table of packages for each section of a Pipfile.
func pipfileLock(r io.Reader, l *lock) {
	data, _ := io.ReadAll(r)       // what can be read of it
	root, _ := manifest.JSON(data) // what stands before a mistake
	for _, section := range []string{"default", "develop"} {
		for _, p := range root.Get(section).List() {
			if version := p.Get("version"); version != nil {
				l.put(canonical("pypi", p.Key), strings.TrimPrefix(version.Value, "=="), version.Line)
			}
		}
	}
}

// add takes a package with the exact version of a lock file, else with what is required.
func (p *pyManifest) add(name, version string, line int, r role) {
	if one, isExact := strings.CutPrefix(version, "=="); isExact && !strings.ContainsAny(one, ",*") {
		version = strings.Trim(one, "= ")
	}
	if version == "*" {
		version = ""
	}
	d := dependency{ecosystem: "pypi", name: canonical("pypi", name), version: version, role: r, dir: p.dir, file: p.file, line: line}
	for _, l := range pythonLocks {
		if file, _, found := p.s.nearest(p.dir, l.name); found && d.pin(p.s.lockOf(file, l.read), d.name) {
			break
		}
	}
	p.found = append(p.found, d)
}

// groupRole says what a group of dependencies is for, by its name.
func groupRole(name string, usual role) role {
	for _, known := range []struct {
		part string
		role role
	}{{"test", Test}, {"doc", Docs}, {"dev", Build}, {"lint", Build}, {"typing", Build}, {"style", Build}, {"build", Build}, {"format", Build}, {"ci", Build}} {
		if strings.Contains(strings.ToLower(name), known.part) {
			return known.role
		}
	}
	return usual
}

// requirements reads the form of pip. What a file includes is read by itself.
func (s *scan) requirements(file string) []dependency {
	if stem, isText := strings.CutSuffix(file, ".txt"); isText && s.has[stem+".in"] {
		return nil // compiled from the other, with what its packages need: a lock file
	}
	dir := dirOf(file)
	if path.Base(dir) == "requirements" {
		dir = parent(dir)
	}
	p := pyManifest{s: s, file: file, dir: dir}
	r := groupRole(strings.TrimSuffix(path.Base(file), path.Ext(file)), Runtime)
	if isDocsName(dir) {
		r = Docs
	}
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		text := strings.TrimSpace(firstOf(firstOf(line, " #"), " --hash"))
		text = strings.TrimSpace(strings.TrimSuffix(text, `\`))
		if text != "" && !strings.ContainsRune("#-/.", rune(text[0])) && !strings.Contains(firstOf(text, ";"), "://") {
			p.requirement(text, number, r)
		}
	})
	s.pinCompiled(p.found, strings.TrimSuffix(file, ".in")+".txt")
	return p.found
}

// pinCompiled gives dependencies of a requirements.in the versions that it was compiled to.
func (s *scan) pinCompiled(found []dependency, compiled string) {
	if !s.has[compiled] {
		return
	}
	l := s.lockOf(compiled, func(r io.Reader, l *lock) {
		eachLine(r, func(line string, number int) {
			name, rest, exact := strings.Cut(line, "==")
			version := firstOf(firstOf(firstOf(rest, " "), ";"), "\\")
			if exact && !strings.HasPrefix(name, "#") {
				l.put(canonical("pypi", firstOf(name, "[")), version, number)
			}
		})
	})
	for i := range found {
		found[i].pin(l, found[i].name)
	}
}

// pipfile reads a Pipfile.
func (s *scan) pipfile(file string) []dependency {
	root, p := manifest.TOML(s.text(file)), pyManifest{s: s, file: file, dir: dirOf(file)}
	p.table(root.Get("packages"), Runtime)
	p.table(root.Get("dev-packages"), Build)
	if n := root.Get("requires", "python_version"); n != nil {
		p.python(n.Value, n.Line)
	}
	return p.found
}

// setupCfg reads install_requires and extras of a setup.cfg: a line each, indented.
func (s *scan) setupCfg(file string) []dependency {
	p := pyManifest{s: s, file: file, dir: dirOf(file)}
	section, key := "", ""
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		text := strings.TrimSpace(line)
		switch name, value, pair := strings.Cut(text, "="); {
		case text == "" || text[0] == '#':
		case text[0] == '[':
			section, key = strings.Trim(text, "[]"), ""
		case line[0] != ' ' && line[0] != '\t' && pair:
			key = strings.TrimSpace(name)
			if key == "python_requires" {
				p.python(strings.TrimSpace(value), number)
			}
		case section == "options" && key == "install_requires":
			p.requirement(text, number, Runtime)
		case section == "options.extras_require":
			p.requirement(text, number, groupRole(key, Runtime))
		}
	})
	return p.found
}

// setupPy reads install_requires of a setup.py where it is a list of texts, which is not run. One
// that imports neither setuptools nor distutils is a program of that name and has nothing.
func (s *scan) setupPy(file string) []dependency {
	p := pyManifest{s: s, file: file, dir: dirOf(file)}
	number := importsSetup(s.text(file))
	if number == 0 {
		return nil
	}
	p.found = append(p.found, dependency{ecosystem: "pypi", name: "setuptools", role: Build, dir: p.dir, file: file, line: number, source: fromFile})
	inside := false
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		before, rest, begins := strings.Cut(line, "install_requires")
		switch {
		case begins && !strings.Contains(before, "#"):
			inside, line = strings.Contains(rest, "["), rest
		case !inside:
			return
		}
		for i, text := range strings.Split(strings.ReplaceAll(line, "'", `"`), `"`) {
			if inside && i%2 == 1 && text != "" {
				p.requirement(text, number, Runtime)
			}
		}
		if strings.Contains(firstOf(line, "#"), "]") {
			inside = false
		}
	})
	return p.found
}

// importsSetup is the first line of a Python program that imports setuptools or distutils, 0 if none does.
func importsSetup(text []byte) (first int) {
	eachLine(bytes.NewReader(text), func(line string, number int) {
		fields := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t.,", r) })
		if first == 0 && len(fields) > 1 && (fields[0] == "import" || fields[0] == "from") && (fields[1] == "setuptools" || fields[1] == "distutils") {
			first = number
		}
	})
	return first
}
