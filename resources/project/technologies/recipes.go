package technologies

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// recipe is where lines of shell stand: what they install and run is what that needs.
type recipe struct {
	file   string
	dir    string // of the workspace
	role   role
	source source
}

// continued are lines that end in a backslash, as one.
type continued struct {
	text  strings.Builder
	quote string // that is open
}

// line adds one, and returns the whole where it ends.
func (c *continued) line(text string) (whole string, ended bool) {
	if before, goesOn := strings.CutSuffix(text, `\`); goesOn && c.text.Len() < command.MaxLine {
		c.text.WriteString(before + " ")
		return "", false
	}
	c.text.WriteString(text)
	whole = c.text.String()
	c.text.Reset()
	return whole, true
}

// script adds a line of shell; a text in quotes may go on with the next.
func (c *continued) script(text string) (whole string, ended bool) {
	switch {
	case c.quote == "":
		c.quote = quoteOpen(text)
	case strings.Count(text, c.quote)%2 == 1:
		c.quote = ""
	}
	if c.quote != "" && c.text.Len() < command.MaxLine {
		c.text.WriteString(text + " ")
		return "", false
	}
	c.quote = ""
	return c.line(text)
}

// quoteOpen is the quote that a line leaves open, as far as it has none within others; "" for none.
func quoteOpen(line string) string {
	double := strings.Count(line, `"`) - strings.Count(line, `\"`)
	switch {
	case double%2 == 1:
		return `"`
	case double == 0 && strings.Count(line, "'")%2 == 1 && !strings.HasPrefix(line, "#"):
		return "'"
	}
	return ""
}

// script reads lines of shell, the first of which has that number. What stands in a document (<<) is
// data; what the line itself does not say is left out.
func (r recipe) script(text string, number int) []dependency {
	var all []dependency
	var begun continued
	document := "" // the line that ends it
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if document == "" {
			if whole, ended := begun.script(line); ended {
				all = append(all, r.line(whole, number)...)
				document = endOfDocument(whole)
			}
		} else if line == document {
			document = ""
		}
		number++
	}
	return all
}

// endOfDocument is the word behind << that ends what follows a line; "" if nothing does.
func endOfDocument(line string) string {
	_, word, found := strings.Cut(line, "<<")
	if !found || strings.HasPrefix(word, "<") {
		return ""
	}
	return strings.Trim(firstOf(strings.TrimSpace(strings.TrimPrefix(word, "-")), " "), `"'`)
}

// line reads one line of shell.
func (r recipe) line(text string, number int) []dependency {
	if text == "" || text[0] == '#' || len(text) > command.MaxLine {
		return nil
	}
	var all []dependency
	add := func(ecosystem, name, version string) {
		all = append(all, dependency{ecosystem: ecosystem, name: name, version: version, role: r.role, dir: r.dir, file: r.file, line: number, source: r.source})
	}
	line, _ := command.Parse(withoutExpressions(text)) // of what is no shell, what was read of it
	for _, c := range line.Commands {
		words := command.Unwrapped(c.Words)
		for _, name := range programs(words) {
			add("command", name, "")
		}
		found, file := packages.Added(words)
		for _, p := range found {
			add(ecosystemOf[file], p.Name, strings.TrimPrefix(p.Version, "=="))
		}
		if ecosystem, name, version := fetched(words); name != "" {
			add(ecosystem, name, version)
		}
	}
	return all
}

// withoutExpressions is a line with what a workflow fills in (${{ }}) as a variable of the shell.
func withoutExpressions(text string) string {
	for {
		before, rest, found := strings.Cut(text, "${{")
		_, after, closed := strings.Cut(rest, "}}")
		if !found || !closed {
			return text
		}
		text = before + "$_" + after
	}
}

// ecosystemOf is the one of the packages that package managers add to a manifest.
var ecosystemOf = map[string]string{
	"package.json": "npm", "requirements.txt": "pypi", "pyproject.toml": "pypi", "pom.xml": "maven", "go.mod": "go", "Cargo.toml": "cargo", "composer.json": "composer", "Gemfile": "gem",
}

// fetchers run or install programs out of packages and write no manifest: words, and the ecosystem of
// the first word behind them that is no flag.
var fetchers = [...]struct{ words, ecosystem string }{
	{"npx", "npm"}, {"bunx", "npm"}, {"pnpm dlx", "npm"}, {"pnpm exec", "npm"}, {"yarn dlx", "npm"}, {"npm exec", "npm"},
	{"uvx", "pypi"}, {"uv tool install", "pypi"}, {"uv tool run", "pypi"}, {"pipx install", "pypi"}, {"pipx run", "pypi"},
	{"go install", "go"}, {"go run", "go"}, {"cargo install", "cargo"}, {"cargo binstall", "cargo"}, {"dotnet tool install", "nuget"},
}

// fetched is the package that a command runs or installs.
func fetched(words []string) (ecosystem, name, version string) {
	for _, f := range fetchers {
		rest, found := behind(words, strings.Fields(f.words))
		if !found || len(rest) == 0 || strings.HasPrefix(rest[0], ".") {
			continue
		}
		at := strings.LastIndexByte(rest[0], '@')
		if name = rest[0]; at > 0 {
			name, version = rest[0][:at], rest[0][at+1:]
		}
		if version == "latest" {
			version = ""
		}
		if f.ecosystem == "go" {
			name = module(name)
		}
		return f.ecosystem, name, version
	}
	return "", "", ""
}

// behind are the words behind the words of a verb, without flags before the first.
func behind(words, verb []string) ([]string, bool) {
	if len(words) <= len(verb) || !slices.Equal(words[:len(verb)], verb) {
		return nil, false
	}
	words = words[len(verb):]
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		words = words[1:]
	}
	return words, true
}

// module is the module of a package of Go, as far as the table knows it.
func module(name string) string {
	for at := name; strings.Contains(at, "/"); at = path.Dir(at) {
		if len(table().packages("go", at)) > 0 {
			return at
		}
	}
	return name
}

// runners run the program behind their words.
var runners = [...]string{"uv run", "poetry run", "pdm run", "pipenv run", "hatch run", "bundle exec", "python -m", "python3 -m", "composer exec"}

// installers of systems are given the names of programs.
var installers = [...]string{"apt-get install", "apt install", "apk add", "brew install", "dnf install", "yum install"}

// programs are the names of the programs that a command runs or installs: cargo-clippy of cargo
// clippy, docker-compose of docker compose.
func programs(words []string) []string {
	for _, r := range runners {
		if rest, found := behind(words, strings.Fields(r)); found {
			words = rest
			break
		}
	}
	for _, i := range installers {
		if _, found := behind(words, strings.Fields(i)); found {
			return slices.DeleteFunc(slices.Clone(words[2:]), func(word string) bool { return strings.HasPrefix(word, "-") })
		}
	}
	if len(words) == 0 {
		return nil
	}
	names := []string{path.Base(words[0])}
	if len(words) > 1 && (names[0] == "cargo" || names[0] == "docker") {
		names = append(names, names[0]+"-"+words[1])
	}
	return names
}

// makefile reads the recipes of make and just: lines that are indented.
func (s *scan) makefile(file string) []dependency {
	r := recipe{file, s.workspaceOf(dirOf(file)), Build, fromFile}
	var all []dependency
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		if strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ") {
			all = append(all, r.line(strings.TrimLeft(line, "\t @-+"), number)...)
		}
	})
	return all
}

// steps reads the actions that the steps of a workflow use, but the repository's own, and what they run.
func (s *scan) steps(steps *manifest.Node, file string) []dependency {
	r := recipe{file, "", Infra, fromWorkflow}
	var all []dependency
	for _, step := range steps.List() {
		all = append(all, s.settings(step.Get("env"), file, Infra)...)
		if n := step.Get("uses"); n != nil && !strings.HasPrefix(n.Value, ".") {
			name, version, _ := strings.Cut(n.Value, "@")
			all = append(all, dependency{ecosystem: "action", name: name, version: version, role: Infra, file: file, line: n.Line, source: fromWorkflow})
			all = append(all, setUp(step.Get("with"), file)...)
		}
		if n := step.Get("run"); n != nil {
			all = append(all, r.script(s.block(file, n), n.Line)...)
		}
	}
	return all
}

// setUps are settings of actions that set up a runtime in a version.
var setUps = map[string]string{
	"node-version": "nodejs", "python-version": "python", "go-version": "go", "java-version": "java", "ruby-version": "ruby", "php-version": "php", "dotnet-version": "dotnet",
	"deno-version": "deno", "bun-version": "bun", "flutter-version": "flutter", "elixir-version": "elixir", "terraform_version": "terraform",
}

// setUp are the runtimes, and the components of Rust's, that an action is told to set up.
func setUp(with *manifest.Node, file string) []dependency {
	var all []dependency
	for _, n := range with.List() {
		d := dependency{ecosystem: "runtime", name: setUps[n.Key], version: n.Value, role: Build, file: file, line: n.Line, source: fromWorkflow}
		if d.name != "" && n.Value != "" && strings.Trim(n.Value, "0123456789.x") == "" {
			all = append(all, d)
		}
	}
	return append(all, rustComponents(with, file)...)
}

// rustComponents are the programs of cargo that a toolchain comes with: clippy, rustfmt.
func rustComponents(toolchain *manifest.Node, file string) []dependency {
	n := toolchain.Get("components")
	if n == nil {
		return nil
	}
	names := strings.FieldsFunc(n.Value, func(r rune) bool { return r == ',' || r == ' ' })
	for _, c := range n.List() {
		names = append(names, c.Value)
	}
	var all []dependency
	for _, name := range names {
		all = append(all, dependency{ecosystem: "command", name: "cargo-" + strings.TrimPrefix(name, "rust"), role: Build, file: file, line: n.Line, source: fromWorkflow})
	}
	return all
}

// block is the text of a value of a file in YAML, which may stand in the lines below its key.
func (s *scan) block(file string, n *manifest.Node) string {
	if n.Value != "" {
		return n.Value
	}
	lines := s.lines(file)
	if n.Line > len(lines) {
		return ""
	}
	indent := func(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }
	key, end := indent(lines[n.Line-1]), n.Line
	for end < len(lines) && (strings.TrimSpace(lines[end]) == "" || len(lines[end])-len(strings.TrimLeft(lines[end], " ")) > key) {
		end++
	}
	return "\n" + strings.Join(lines[n.Line:end], "\n")
}

// lines are those of a file.
func (s *scan) lines(file string) []string {
	if s.read != file {
		s.read, s.split = file, strings.Split(string(s.text(file)), "\n")
	}
	return s.split
}

// pipeline reads what jobs of GitLab run, and the images that they run in.
func (s *scan) pipeline(file string) []dependency {
	r := recipe{file, "", Infra, fromWorkflow}
	var all []dependency
	for _, job := range s.tree(file).List() {
		for _, n := range []*manifest.Node{job.Get("image"), job.Get("image", "name")} {
			if n != nil && n.Value != "" {
				all = append(all, s.image(n.Value, Test, file, n.Line, fromWorkflow))
			}
		}
		for _, key := range []string{"before_script", "script", "after_script"} {
			for _, n := range job.Get(key).List() {
				all = append(all, r.script(s.block(file, n), n.Line)...)
			}
		}
	}
	return all
}
