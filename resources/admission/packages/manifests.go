package packages

import (
	"bytes"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// readers is the table of manifests with the functions that return their packages.
var readers = [...]struct {
	name string // file name, as a path.Match pattern
	read func(text []byte) []Package
}{
	{"package.json", inJSON("dependencies", "devDependencies", "optionalDependencies")},
	{"composer.json", inJSON("require", "require-dev")},
	{"go.mod", inGoMod},
	{"requirements*.txt", inRequirements},
	{"pyproject.toml", inTOML},
	{"Cargo.toml", inTOML},
	{"pom.xml", inPOM},
	{"build.gradle", inGradle}, {"build.gradle.kts", inGradle},
	{"Gemfile", inGemfile},
}

// IsManifest reports whether a path is a package manifest.
func IsManifest(file string) bool { return readerOf(file) != nil }

// readerOf returns the function that reads the packages from a kind of manifest, or nil for other
// files.
func readerOf(file string) func([]byte) []Package {
	for _, row := range readers {
		if ok, _ := path.Match(row.name, path.Base(file)); ok {
			return row.read
		}
	}
	return nil
}

// maxManifest is the maximum size of a manifest in bytes. Larger ones are ignored.
const maxManifest = 1 << 20

// In returns the packages in a manifest, in file order or by name, and nil for other files.
func In(file string, text []byte) []Package {
	read := readerOf(file)
	if read == nil || len(text) > maxManifest {
		return nil
	}
	return read(text)
}

// New returns the packages in a new version of a manifest that are not in the old one with
// this version.
func New(file string, before, after []byte) []Package {
	known := map[Package]bool{}
	for _, p := range In(file, before) {
		known[p] = true
	}
	return slices.DeleteFunc(In(file, after), func(p Package) bool { return known[p] })
}

// inJSON returns a reader for JSON objects with a version per package.
func inJSON(members ...string) func([]byte) []Package {
	return func(text []byte) (found []Package) {
		var all map[string]json.RawMessage
		if json.Unmarshal(text, &all) != nil {
			return nil
		}
		for _, member := range members {
			var versions map[string]any
			_ = json.Unmarshal(all[member], &versions) // other types contain no packages
			for _, name := range slices.Sorted(maps.Keys(versions)) {
				version, _ := versions[name].(string)
				if real, ok := strings.CutPrefix(version, "npm:"); ok {
					found = append(found, Named(real))
					continue
				}
				found = append(found, Package{name, version})
			}
		}
		return found
	}
}

// lines yields the trimmed lines of a text.
func lines(text []byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range bytes.Lines(text) {
			if !yield(string(bytes.TrimSpace(line))) {
				return
			}
		}
	}
}

// inGoMod returns the direct requirements in a go.mod.
func inGoMod(text []byte) (found []Package) {
	block := false
	for line := range lines(text) {
		line, comment, _ := strings.Cut(line, "//")
		switch words := strings.Fields(line); {
		case len(words) == 0:
		case words[0] == ")":
			block = false
		case words[0] == "require" && len(words) == 2 && words[1] == "(":
			block = true
		case words[0] == "require" && len(words) == 3:
			words = words[1:]
			fallthrough
		case block && len(words) == 2:
			if !strings.Contains(comment, "indirect") {
				found = append(found, Package{strings.Trim(words[0], `"`), words[1]})
			}
		}
	}
	return found
}

// inRequirements returns the packages in a requirements.txt. It skips comments and options.
func inRequirements(text []byte) (found []Package) {
	for line := range lines(text) {
		line, _, _ = strings.Cut(line, " #")
		if line == "" || line[0] == '#' || line[0] == '-' {
			continue
		}
		if p := pythonPackage(line); p.Name != "" {
			found = append(found, p)
		}
	}
	return found
}

// inGemfile returns the gems in a Gemfile, with a version if it is a literal.
func inGemfile(text []byte) (found []Package) {
	for line := range lines(text) {
		if rest, ok := strings.CutPrefix(line, "gem "); ok {
			if texts := quoted(rest, 2); len(texts) > 0 {
				p := Package{Name: texts[0]}
				if len(texts) > 1 {
					if _, version := operator(texts[1]); len(numbers(version)) > 0 {
						p.Version = texts[1]
					}
				}
				found = append(found, p)
			}
		}
	}
	return found
}

// inGradle returns the packages in quoted strings of the form
// group:artifact[:version[:classifier]], at most four of a line, without
// comment lines and strings with variables.
func inGradle(text []byte) (found []Package) {
	for line := range lines(text) {
		if strings.HasPrefix(line, "//") {
			continue
		}
		for _, text := range quoted(line, 4) {
			parts := strings.Split(text, ":")
			if len(parts) < 2 || len(parts) > 4 || strings.ContainsAny(text, " /$") || parts[0] == "" {
				continue
			}
			p := Package{Name: parts[0] + ":" + parts[1]}
			if len(parts) > 2 {
				p.Version = parts[2]
			}
			found = append(found, p)
		}
	}
	return found
}

// quoted returns the first quoted strings in a line.
func quoted(line string, most int) (texts []string) {
	for len(texts) < most {
		start := strings.IndexAny(line, `'"`)
		if start < 0 {
			break
		}
		end := strings.IndexByte(line[start+1:], line[start])
		if end < 0 {
			break
		}
		texts, line = append(texts, line[start+1:start+1+end]), line[start+2+end:]
	}
	return texts
}

// inPOM returns the dependencies in a Maven pom.xml as group:artifact.
func inPOM(text []byte) (found []Package) {
	rest := string(text)
	for {
		_, inner, ok := strings.Cut(rest, "<dependency>")
		if !ok {
			return found
		}
		inner, rest, ok = strings.Cut(inner, "</dependency>")
		if !ok {
			return found
		}
		inner, _, _ = strings.Cut(inner, "<exclusions>")
		if artifact := element(inner, "artifactId"); artifact != "" {
			found = append(found, Package{element(inner, "groupId") + ":" + artifact, element(inner, "version")})
		}
	}
}

// element returns the trimmed text of the first XML element with a name, or "".
func element(text, name string) string {
	_, text, _ = strings.Cut(text, "<"+name+">")
	text, _, ok := strings.Cut(text, "</"+name+">")
	if !ok {
		return ""
	}
	return strings.TrimSpace(text)
}
