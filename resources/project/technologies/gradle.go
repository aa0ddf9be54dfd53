package technologies

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// gradleForms are what build files are searched for, line by line: they are programs, so more
// than their usual forms is not understood.
var gradleForms = sync.OnceValue(func() *struct{ artifact, parts, plugin, kotlin, alias, java, variable, list, entry *regexp.Regexp } {
	return &struct{ artifact, parts, plugin, kotlin, alias, java, variable, list, entry *regexp.Regexp }{
		artifact: regexp.MustCompile(`^\s*([a-zA-Z]+)[\s(]+(?:(?:enforcedPlatform|platform)\s*\(\s*)?["']([\w.-]+:[\w.-]+)(?::([^"':@]+))?[@:]?[^"']*["']`),
		parts:    regexp.MustCompile(`^\s*([a-zA-Z]+)[\s(]+group\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["'](?:\s*,\s*version\s*[:=]\s*(?:["']([^"']+)["']|([\w.]+)))?`),
		plugin:   regexp.MustCompile(`\bid[\s(]+["']([\w.-]+)["']\)?(?:\s*version[\s(]+["']([^"']+)["'])?`),
		kotlin:   regexp.MustCompile(`\bkotlin\("([\w.-]+)"\)(?:\s*version\s+"([^"]+)")?`),
		alias:    regexp.MustCompile(`\blibs\.([a-zA-Z][\w.]*)`),
		java:     regexp.MustCompile(`(?:(?:JavaLanguageVersion\.of|jvmToolchain)\s*\(|\bsourceCompatibility\s*=?)\s*["']?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)`),
		variable: regexp.MustCompile(`^\s*(?:ext\.|val\s+|def\s+|var\s+|set\(['"])?([\w.]+)['"]?\s*[=,]\s*["']([\w.+-]+)["']`),
		list:     regexp.MustCompile(`^\s*(?:ext\.|val\s+|def\s+)?(\w+)\s*=\s*\[\s*$`),
		entry:    regexp.MustCompile(`^\s*(\w+)\s*:\s*["']([\w.+-]+)["']`),
	}
})

// gradleBuild is a build file that is read.
type gradleBuild struct {
	s         *scan
	file      string
	catalog   *catalog
	variables map[string]variable
	list      string // that is open: versions = [
	found     []dependency
}

// variable is a value that a version may be, and the file that sets it.
type variable struct {
	exact
	file string
}

// gradle reads a build.gradle, also one of Kotlin, with what it takes from the version catalog.
func (s *scan) gradle(file string) []dependency {
	b := &gradleBuild{s: s, file: file, catalog: s.catalogOf(dirOf(file)), variables: map[string]variable{}}
	b.properties()
	eachLine(bytes.NewReader(s.text(file)), b.line)
	return b.found
}

// properties reads the nearest gradle.properties.
func (b *gradleBuild) properties() {
	file, _, found := b.s.nearest(dirOf(b.file), "gradle.properties")
	if !found {
		return
	}
	eachLine(bytes.NewReader(b.s.text(file)), func(line string, number int) {
		if key, value, pair := strings.Cut(line, "="); pair {
			b.variables[strings.TrimSpace(key)] = variable{exact{strings.TrimSpace(value), number}, file}
		}
	})
}

func (b *gradleBuild) line(line string, number int) {
	if strings.HasPrefix(strings.TrimSpace(line), "//") {
		return
	}
	forms := gradleForms()
	b.values(line, number)
	if m := forms.parts.FindStringSubmatch(line); m != nil {
		version := m[4]
		if m[5] != "" {
			version = "$" + m[5]
		}
		b.add("maven", m[2]+":"+m[3], version, gradleRole(m[1]), number)
	}
	if m := forms.artifact.FindStringSubmatch(line); m != nil {
		b.add("maven", m[2], m[3], gradleRole(m[1]), number)
	}
	for _, m := range forms.plugin.FindAllStringSubmatch(line, -1) {
		b.add("maven", m[1], m[2], Build, number)
	}
	for _, m := range forms.kotlin.FindAllStringSubmatch(line, -1) {
		b.add("maven", "org.jetbrains.kotlin."+m[1], m[2], Build, number)
	}
	if m := forms.java.FindStringSubmatch(line); m != nil {
		b.add("runtime", "java", m[1], Runtime, number)
	}
	for _, m := range forms.alias.FindAllStringSubmatch(line, -1) {
		for _, d := range b.catalog.find(m[1]) {
			d.dir, d.also, d.role = dirOf(b.file), at(b.file, number), gradleRole(strings.TrimSpace(line))
			b.found = append(b.found, d)
		}
	}
}

// values keeps what a line sets: a variable, or an entry of a list of versions.
func (b *gradleBuild) values(line string, number int) {
	forms := gradleForms()
	if m := forms.variable.FindStringSubmatch(line); m != nil {
		b.variables[m[1]] = variable{exact{m[2], number}, b.file}
	}
	switch m := forms.entry.FindStringSubmatch(line); {
	case b.list == "":
		if m := forms.list.FindStringSubmatch(line); m != nil {
			b.list = m[1]
		}
	case m != nil:
		b.variables[b.list+"."+m[1]] = variable{exact{m[2], number}, b.file}
	case strings.Contains(line, "]"):
		b.list = ""
	}
}

// add takes a dependency. A version that is a variable is that one's, where it is set.
func (b *gradleBuild) add(ecosystem, name, version string, r role, line int) {
	d := dependency{ecosystem: ecosystem, name: name, version: version, role: r, dir: dirOf(b.file), file: b.file, line: line}
	if name, isVariable := strings.CutPrefix(version, "$"); isVariable {
		v, known := b.variables[strings.Trim(name, "{}")]
		if d.version = v.version; known {
			d.also = at(d.file, d.line)
			d.file, d.line = v.file, v.line
		}
	}
	b.found = append(b.found, d)
}

// gradleRole is what a configuration (testImplementation, kapt) is for.
func gradleRole(configuration string) role {
	lower := strings.ToLower(configuration)
	switch {
	case strings.HasPrefix(lower, "test"), strings.HasPrefix(lower, "androidtest"), strings.Contains(firstOf(lower, "("), "testimplementation"):
		return Test
	case strings.HasPrefix(lower, "kapt"), strings.HasPrefix(lower, "ksp"), strings.HasPrefix(lower, "annotationprocessor"), strings.HasPrefix(lower, "compileonly"),
		strings.HasPrefix(lower, "classpath"), strings.HasPrefix(lower, "alias"):
		return Build
	}
	return Runtime
}

// catalog is a version catalog, by alias as build files write it: with dots.
type catalog struct{ entries map[string][]dependency }

func (c *catalog) find(alias string) []dependency {
	if c == nil {
		return nil
	}
	alias = strings.TrimSuffix(alias, ".get")
	return c.entries[strings.TrimPrefix(alias, "bundles.")]
}

// catalogOf reads gradle/libs.versions.toml of the nearest folder that has one.
func (s *scan) catalogOf(dir string) *catalog {
	file, _, found := s.nearest(dir, "gradle/libs.versions.toml")
	if !found {
		return nil
	}
	if c := s.catalogs[file]; c != nil {
		return c
	}
	c := &catalog{entries: map[string][]dependency{}}
	s.catalogs[file] = c
	root := s.tree(file)
	versions := map[string]exact{}
	for _, n := range root.Get("versions").List() {
		versions[n.Key] = exact{n.Value + n.Text("strictly") + n.Text("require"), n.Line}
	}
	for _, section := range []string{"libraries", "plugins"} {
		for _, n := range root.Get(section).List() {
			d := dependency{ecosystem: "maven", name: n.Text("module") + n.Text("id"), version: n.Text("version"), file: file, line: n.Line}
			if group := n.Text("group"); group != "" {
				d.name = group + ":" + n.Text("name")
			}
			if short := strings.SplitN(n.Value, ":", 3); len(short) >= 2 { // "group:name:version" or "plugin:version"
				d.name, d.version = strings.Join(short[:len(short)-1], ":"), short[len(short)-1]
			}
			if v, known := versions[n.Text("version", "ref")+n.Text("version.ref")]; known {
				d.version, d.line = v.version, v.line
			}
			alias := aliasOf(n.Key)
			if section == "plugins" {
				alias = "plugins." + alias
			}
			c.entries[alias] = append(c.entries[alias], d)
		}
	}
	for _, n := range root.Get("bundles").List() {
		for _, part := range n.List() {
			c.entries[aliasOf(n.Key)] = append(c.entries[aliasOf(n.Key)], c.entries[aliasOf(part.Value)]...)
		}
	}
	return c
}

func aliasOf(key string) string { return strings.NewReplacer("-", ".", "_", ".").Replace(key) }
