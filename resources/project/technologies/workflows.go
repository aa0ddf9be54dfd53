package technologies

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// workflow reads the actions of a workflow and the images of its jobs and services.
func (s *scan) workflow(file string) []dependency {
	var all []dependency
	for _, job := range s.tree(file).Get("jobs").List() {
		for _, service := range slices.Concat(job.Get("services").List(), []*manifest.Node{job.Get("container")}) {
			n := service.Get("image")
			if n == nil && service != nil && service.Value != "" {
				n = service
			}
			if n != nil {
				all = append(all, s.image(n.Value, Test, file, n.Line, fromWorkflow))
			}
		}
		all = append(all, s.steps(job.Get("steps"), file)...)
	}
	return all
}

// compositeAction reads the steps that an action of the repository's own is made of.
func (s *scan) compositeAction(file string) []dependency {
	return s.steps(s.tree(file).Get("runs", "steps"), file)
}

// steps reads the actions that the steps of a workflow use, but the repository's own, and what they run.
func (s *scan) steps(steps *manifest.Node, file string) []dependency {
	r := recipe{file, "", Infra, fromWorkflow}
	var all []dependency
	for _, step := range steps.List() {
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
	indent := func(line, blanks string) int { return len(line) - len(strings.TrimLeft(line, blanks)) }
	key, end := indent(lines[n.Line-1], " -"), n.Line
	if n.Key == "" { // an element of a list: its dash counts
		key = indent(lines[n.Line-1], " ")
	}
	var text strings.Builder
	margin := ""
	for ; end < len(lines) && (strings.TrimSpace(lines[end]) == "" || indent(lines[end], " ") > key); end++ {
		if margin == "" {
			margin = lines[end][:indent(lines[end], " ")]
		}
		text.WriteString("\n" + strings.TrimPrefix(lines[end], margin))
	}
	return text.String()
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
