package technologies

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// Purposes of commands.
const (
	ToBuild  = "build"
	ToTest   = "test"
	ToLint   = "lint"
	ToFormat = "format"
	ToCheck  = "check" // type checks, or all checks
	ToRun    = "run"
)

// Command is a command that builds, tests or checks a repository.
type Command struct {
	Purpose  string `json:"for"`              // one of the purposes
	Run      string `json:"run"`              // command line to run in Dir: "pnpm test"
	Script   string `json:"script,omitempty"` // definition of the script, untrusted
	Dir      string `json:"workspace"`
	Evidence string `json:"evidence"` // file:line
}

// purposes maps names of scripts, targets and recipes to purposes, in order of precedence.
var purposes = [...]struct{ name, purpose string }{
	{"build", ToBuild}, {"compile", ToBuild}, {"test", ToTest}, {"tests", ToTest}, {"test:unit", ToTest}, {"unit", ToTest}, {"test:e2e", ToTest}, {"test-unit", ToTest},
	{"lint", ToLint}, {"lint:fix", ToLint}, {"vet", ToLint}, {"format", ToFormat}, {"fmt", ToFormat}, {"format:check", ToFormat}, {"typecheck", ToCheck}, {"type-check", ToCheck},
	{"check-types", ToCheck}, {"check", ToCheck}, {"validate", ToCheck}, {"dev", ToRun}, {"start", ToRun}, {"serve", ToRun}, {"run", ToRun},
}

// purposeOf returns the purpose of a script by its name, and the rank of the name. The purpose is
// "" for unknown names.
func purposeOf(name string) (order int, purpose string) {
	for i, p := range purposes {
		if p.name == name {
			return i, p.purpose
		}
	}
	return 0, ""
}

// Commands returns the commands to build, test and check the workspaces of a repository.
// Scripts of package.json and composer.json, make targets, just recipes and Task tasks have
// precedence over the standard commands of toolchains. The result is sorted by directory.
// The first command for a purpose in a directory is the preferred one.
func Commands(files project.Files) []Command {
	s := newScan(files)
	var all []Command
	for _, p := range s.paths {
		switch path.Base(p) {
		case "package.json":
			all = append(all, s.scripts(p, s.packageManager(dirOf(p)))...)
		case "composer.json":
			all = append(all, s.scripts(p, "composer")...)
		case "Makefile", "makefile", "GNUmakefile":
			all = append(all, s.targets(p, "make")...)
		case "justfile", "Justfile", ".justfile":
			all = append(all, s.targets(p, "just")...)
		case "Taskfile.yml", "Taskfile.yaml":
			for _, n := range s.tree(p).Get("tasks").List() {
				all = appendCommand(all, n.Key, "task "+n.Key, "", p, n.Line)
			}
		default:
			all = append(all, s.usual(p)...)
		}
	}
	slices.SortStableFunc(all, func(a, b Command) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Purpose, b.Purpose))
	})
	return all
}

// appendCommand appends a script if its name has a known purpose.
func appendCommand(all []Command, name, run, script, file string, line int) []Command {
	if _, purpose := purposeOf(name); purpose != "" {
		all = append(all, Command{Purpose: purpose, Run: run, Script: clean(script), Dir: cmp.Or(dirOf(file), "."), Evidence: placeOf(file, line)})
	}
	return all
}

// scripts returns the scripts of a package.json or composer.json, in the order of purposes.
func (s *scan) scripts(file, manager string) []Command {
	var all []Command
	list := slices.Clone(s.tree(file).Get("scripts").List())
	slices.SortStableFunc(list, func(a, b *manifest.Node) int {
		i, _ := purposeOf(a.Key)
		j, _ := purposeOf(b.Key)
		return cmp.Compare(i, j)
	})
	for _, n := range list {
		run := manager + " run " + n.Key
		if n.Key == "test" && manager != "bun" || manager == "composer" || manager == "yarn" {
			run = manager + " " + n.Key
		}
		all = appendCommand(all, n.Key, run, n.Value, file, n.Line)
	}
	return all
}

// packageManager returns the package manager of a directory, based on the nearest
// packageManager field or lock file.
func (s *scan) packageManager(dir string) string {
	for ; ; dir = parent(dir) {
		if name := firstOf(s.tree(path.Join(dir, "package.json")).Text("packageManager"), "@"); slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name) {
			return name
		}
		for _, lock := range npmLocks {
			if s.has[path.Join(dir, lock.name)] {
				return lock.manager
			}
		}
		if dir == "" {
			return "npm"
		}
	}
}

// targets returns the targets of a Makefile or the recipes of a justfile.
func (s *scan) targets(file, tool string) []Command {
	var all []Command
	depth := 0
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		before, after, found := strings.Cut(line, ":")
		if tool == "make" && !strings.HasPrefix(line, "\t") {
			before, after, found, depth = cutRule(line, depth)
		}
		if !found || strings.HasPrefix(after, "=") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, " ") {
			return
		}
		names := strings.Fields(before)
		if tool == "just" {
			names = names[:min(1, len(names))]
		}
		for _, name := range names {
			run := tool + " " + strings.TrimPrefix(name, "@")
			if !slices.ContainsFunc(all, func(c Command) bool { return c.Run == run }) {
				all = appendCommand(all, strings.TrimPrefix(name, "@"), run, "", file, number)
			}
		}
	})
	return all
}

// cutRule splits a line of a Makefile at the colon after its targets. It ignores colons in
// $(...) and ${...} and after an assignment. depth is the number of open parentheses before
// the line, and open the number after it.
func cutRule(line string, depth int) (before, after string, found bool, open int) {
	assigned := depth > 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '#' && depth == 0:
			return line[:i], "", false, depth
		case depth == 0 && c == '$' && i+1 < len(line) && (line[i+1] == '(' || line[i+1] == '{'), depth > 0 && (c == '(' || c == '{'):
			depth++
			if depth == 1 {
				i++
			}
		case depth > 0 && (c == ')' || c == '}'):
			depth--
		case depth == 0 && c == '=':
			assigned = true
		case depth == 0 && c == ':' && !found && !assigned:
			before, after, found = line[:i], line[i+1:], true
		}
	}
	return before, after, found, depth
}

// toolchains lists the standard commands for manifests. A wrapper next to the manifest
// replaces the tool. fromRoot means that manifests in subdirectories are ignored.
var toolchains = [...]struct {
	manifest, wrapper, tool string
	fromRoot                bool
	commands                [][2]string // purpose and arguments
}{
	{"go.mod", "", "go", false, [][2]string{{ToBuild, "build ./..."}, {ToTest, "test ./..."}, {ToLint, "vet ./..."}}},
	{"Cargo.toml", "", "cargo", true, [][2]string{{ToBuild, "build"}, {ToTest, "test"}}},
	{"pom.xml", "mvnw", "mvn", true, [][2]string{{ToBuild, "package"}, {ToTest, "test"}}},
	{"settings.gradle", "gradlew", "gradle", true, [][2]string{{ToBuild, "build"}, {ToTest, "test"}}},
	{"settings.gradle.kts", "gradlew", "gradle", true, [][2]string{{ToBuild, "build"}, {ToTest, "test"}}},
	{"*.sln", "", "dotnet", false, [][2]string{{ToBuild, "build"}, {ToTest, "test"}}},
	{"*.slnx", "", "dotnet", false, [][2]string{{ToBuild, "build"}, {ToTest, "test"}}},
	{"mix.exs", "", "mix", true, [][2]string{{ToBuild, "compile"}, {ToTest, "test"}, {ToFormat, "format"}}},
	{"tox.ini", "", "tox", false, [][2]string{{ToTest, ""}}},
	{"noxfile.py", "", "nox", false, [][2]string{{ToTest, ""}}},
	{"pytest.ini", "", "pytest", false, [][2]string{{ToTest, ""}}},
	{".rspec", "", "bundle exec rspec", false, [][2]string{{ToTest, ""}}},
}

// usual returns the standard build, test and check commands of the toolchain that a manifest
// belongs to.
func (s *scan) usual(file string) []Command {
	dir, name := dirOf(file), path.Base(file)
	var all []Command
	add := func(purpose, run string, line int) {
		all = append(all, Command{Purpose: purpose, Run: strings.TrimSpace(run), Dir: cmp.Or(dir, "."), Evidence: placeOf(file, line)})
	}
	for _, t := range toolchains {
		if matched, _ := path.Match(t.manifest, name); !matched || t.fromRoot && s.hasAbove(dir, name) {
			continue
		}
		tool := t.tool
		if t.wrapper != "" && s.has[path.Join(dir, t.wrapper)] {
			tool = "./" + t.wrapper
		}
		for _, c := range t.commands {
			add(c[0], tool+" "+c[1], 1)
		}
	}
	if name == "pyproject.toml" {
		if n := s.tree(file).Get("tool", "pytest"); n != nil {
			add(ToTest, "pytest", n.Line)
		}
	}
	return all
}

// hasAbove reports whether a parent directory contains a file of that name.
func (s *scan) hasAbove(dir, name string) bool {
	if dir == "" {
		return false
	}
	_, _, found := s.nearest(parent(dir), name)
	return found
}

// maxPlain is the maximal length of a plain text, in bytes.
const maxPlain = 100

// IsPlain reports whether a name or a command of the repository may appear in instructions for
// agents: it consists of letters, digits and a few signs, and is not a sentence. Manifests are
// untrusted.
func IsPlain(text string) bool {
	const signs = "._-/:@+*=,[]() "
	return text != "" && len(text) <= maxPlain && strings.Count(text, " ") <= 5 && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(signs, r)
	})
}
