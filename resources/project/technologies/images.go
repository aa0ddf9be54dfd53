package technologies

import (
	"bytes"
	"path"
	"strings"
)

// dockerfile reads the images that a Dockerfile builds on. Arguments with a default are
// followed.
func (s *scan) dockerfile(file string) []dependency {
	var all []dependency
	arguments, stages := map[string]string{}, map[string]bool{}
	r := recipe{file, s.workspaceOf(dirOf(file)), Runtime, fromDockerfile}
	var begun continued
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		line, ended := begun.line(line)
		if !ended {
			return
		}
		fields := strings.Fields(line)
		if len(fields) < 2 {
			return
		}
		switch strings.ToUpper(fields[0]) {
		case "ARG":
			name, value, _ := strings.Cut(fields[1], "=")
			arguments[name] = strings.Trim(value, `"'`)
		case "FROM":
			fields = withoutFlags(fields[1:])
			if len(fields) == 0 {
				return
			}
			if image := substitute(fields[0], arguments); !stages[image] {
				all = append(all, s.image(image, Build, file, number, fromDockerfile))
			}
			if len(fields) == 3 {
				stages[fields[2]] = true
			}
		case "RUN", "CMD", "ENTRYPOINT":
			all = append(all, r.script(instruction(fields[1:]), number)...)
		case "COPY":
			if from, ok := strings.CutPrefix(fields[1], "--from="); ok && !stages[from] && strings.ContainsAny(from, "/:") {
				all = append(all, s.image(substitute(from, arguments), Build, file, number, fromDockerfile))
			}
		}
	})
	return all
}

// instruction is what a RUN or CMD of a Dockerfile runs, whose words may stand in a list.
func instruction(words []string) string {
	text := strings.Join(withoutFlags(words), " ")
	if strings.HasPrefix(text, "[") {
		text = strings.NewReplacer("[", "", "]", "", ",", " ").Replace(text)
	}
	return text
}

func withoutFlags(fields []string) []string {
	for len(fields) > 0 && strings.HasPrefix(fields[0], "--") {
		fields = fields[1:]
	}
	return fields
}

// longestImage is how long the name of an image is, most of all.
const longestImage = 500

// substitute fills in ${NAME}, ${NAME:-default} and $NAME. A name that is not known gives "".
func substitute(text string, values map[string]string) string {
	var out strings.Builder
	for len(text) > 0 && len(text) <= longestImage && out.Len() <= longestImage {
		before, rest, found := strings.Cut(text, "$")
		out.WriteString(before)
		if !found {
			break
		}
		name := ""
		if inner, braced := strings.CutPrefix(rest, "{"); braced {
			name, text, _ = strings.Cut(inner, "}")
		} else {
			end := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z') })
			if end < 0 {
				end = len(rest)
			}
			name, text = rest[:end], rest[end:]
		}
		name, usual, _ := strings.Cut(name, ":-")
		if value := values[name]; value != "" {
			usual = value
		}
		out.WriteString(strings.TrimPrefix(usual, "-"))
	}
	return out.String()
}

// image is a dependency on registry/name:tag@sum. The version is what a tag begins with.
func (s *scan) image(text string, r role, file string, line int, from source) dependency {
	text = firstOf(text, "@")
	name, tag := text, ""
	if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, '/') {
		name, tag = text[:i], text[i+1:]
	}
	return dependency{ecosystem: "image", name: name, version: tagVersion(tag), role: r, dir: s.workspaceOf(dirOf(file)), file: file, line: line, source: from}
}

// tagVersion is 17 of "17-alpine", 1.2.3 of "v1.2.3", "" of "latest".
func tagVersion(tag string) string {
	tag = strings.TrimPrefix(tag, "v")
	end := strings.IndexFunc(tag, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		tag = tag[:end]
	}
	return strings.TrimSuffix(tag, ".")
}

// compose reads the images of services. Variables of them are those of the .env beside it.
func (s *scan) compose(file string) []dependency {
	var all []dependency
	variables := s.environment(dirOf(file))
	for _, service := range s.tree(file).Get("services").List() {
		if n := service.Get("image"); n != nil {
			all = append(all, s.image(substitute(n.Value, variables), Runtime, file, n.Line, fromCompose))
		}
	}
	return all
}

// environment is what the .env of a folder sets, or the example for one.
func (s *scan) environment(dir string) map[string]string {
	values := map[string]string{}
	for _, name := range []string{".env", ".env.example"} {
		eachLine(bytes.NewReader(s.text(path.Join(dir, name))), func(line string, _ int) {
			key, value, _ := strings.Cut(line, "=")
			if key = strings.TrimSpace(key); values[key] == "" {
				values[key] = strings.Trim(strings.TrimSpace(value), `"'`)
			}
		})
	}
	return values
}

// versionFiles are the files that say nothing but a version, and of what.
var versionFiles = map[string]string{
	".nvmrc": "nodejs", ".node-version": "nodejs", ".python-version": "python", ".ruby-version": "ruby", "rust-toolchain": "rust", ".java-version": "java", ".go-version": "go",
}

// versionFile reads a file of a version manager.
func (s *scan) versionFile(file string) []dependency {
	name, d := path.Base(file), dependency{ecosystem: "runtime", role: Runtime, dir: s.workspaceOf(dirOf(file)), file: file, line: 1, source: fromVersionFile}
	if name == "rust-toolchain.toml" {
		toolchain := s.tree(file).Get("toolchain")
		all := rustComponents(toolchain, file)
		if n := toolchain.Get("channel"); n != nil {
			d.name, d.version, d.line = "rust", n.Value, n.Line
			all = append(all, d)
		}
		return all
	}
	var all []dependency
	eachLine(bytes.NewReader(s.text(file)), func(line string, number int) {
		fields := strings.Fields(line)
		switch what := versionFiles[name]; {
		case len(fields) == 0 || fields[0][0] == '#':
			return
		case what != "" && number == 1:
			d.name, d.version = what, strings.TrimPrefix(strings.TrimPrefix(fields[0], "ruby-"), "v")
		case name == ".tool-versions" && len(fields) > 1:
			d.name, d.version = fields[0], fields[1]
		default:
			return
		}
		d.line = number
		all = append(all, d)
	})
	return all
}
