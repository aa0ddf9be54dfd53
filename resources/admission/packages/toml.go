package packages

import "strings"

// inTOML parses pyproject.toml and Cargo.toml line by line: the keys of dependency tables,
// and the requirement lists of Python projects.
func inTOML(text []byte) (found []Package) {
	table, list := "", false
	for line := range lines(text) {
		line = uncommented(line)
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "["):
			if !list {
				table = strings.Trim(line, "[] ")
				if name := ownTable(table); name != "" {
					found = append(found, Package{Name: name})
				}
				continue
			}
		}
		key, value, isKey := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		switch {
		case list:
			found = append(found, requirements(line)...)
			list = !closes(line)
		case !isKey:
		case key == "version" && ownTable(table) != "" && len(found) > 0:
			found[len(found)-1].Version = strings.Trim(strings.TrimSpace(value), `"'`)
		case listed(table, key):
			found = append(found, requirements(value)...)
			list = !closes(value)
		case strings.HasSuffix(table, "dependencies") && !pythonLists(table):
			found = append(found, Package{named(key, value), versionIn(value)})
		}
	}
	return found
}

// uncommented removes the comment from a line, except in strings.
func uncommented(line string) string {
	var quote byte
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return strings.TrimSpace(line[:i])
		}
	}
	return line
}

// ownTable returns the package of a table like [dependencies.serde].
func ownTable(table string) string {
	before, name, ok := cutLast(table, "dependencies.")
	if !ok || before != "" && !strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "-") || strings.HasPrefix(table, "project.") {
		return ""
	}
	return strings.Trim(name, `"'`)
}

// cutLast splits a text at the last occurrence of a mark. ok is false without one.
func cutLast(s, mark string) (before, after string, ok bool) {
	at := strings.LastIndex(s, mark)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(mark):], true
}

// pythonLists reports whether the keys of a table are groups with a list of requirements.
func pythonLists(table string) bool {
	return table == "project.optional-dependencies" || table == "tool.uv.dev-dependencies"
}

// listed reports whether a key contains a list of requirements.
func listed(table, key string) bool {
	return table == "project" && key == "dependencies" || table == "dependency-groups" || pythonLists(table) || table == "tool.uv" && key == "dev-dependencies"
}

// closes reports whether a line contains the "]" that ends a list.
func closes(line string) bool { return strings.HasSuffix(strings.TrimRight(line, ", "), "]") }

// requirements returns the Python packages in the quoted texts of a line.
func requirements(line string) (found []Package) {
	for _, text := range quoted(line, 1000) {
		if p := pythonPackage(text); p.Name != "" {
			found = append(found, p)
		}
	}
	return found
}

// named returns the package of a key in a dependency table, which may be renamed by its value.
func named(key, value string) string {
	if _, rest, ok := strings.Cut(value, "package"); ok {
		if texts := quoted(rest, 1); len(texts) == 1 && strings.HasPrefix(strings.TrimSpace(rest), "=") {
			return texts[0]
		}
	}
	name, _, _ := strings.Cut(key, ".")
	return name
}

// versionIn returns the version in a value: "1.2", or { version = "1.2" }.
func versionIn(value string) string {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "{") {
		_, rest, ok := strings.Cut(value, "version")
		if !ok {
			return ""
		}
		value = rest
	}
	if texts := quoted(value, 1); len(texts) > 0 {
		return texts[0]
	}
	return ""
}
