package technologies

import (
	"cmp"
	"regexp"
	"strings"
	"sync"
)

// gradleForms contains the patterns for lines of build files. Build files are programs, so
// only common forms are recognized.
var gradleForms = sync.OnceValue(func() *struct{ artifact, plugin, kotlin, alias, java *regexp.Regexp } {
	return &struct{ artifact, plugin, kotlin, alias, java *regexp.Regexp }{
		artifact: regexp.MustCompile(`^\s*([a-zA-Z]+)[\s(]+(?:(?:enforcedPlatform|platform)\s*\(\s*)?["']([\w.-]+:[\w.-]+)(?::([^"':@]+))?[@:]?[^"']*["']`),
		plugin:   regexp.MustCompile(`\bid[\s(]+["']([\w.-]+)["']\)?(?:\s*version[\s(]+["']([^"']+)["'])?`),
		kotlin:   regexp.MustCompile(`\bkotlin\("([\w.-]+)"\)(?:\s*version\s+"([^"]+)")?`),
		alias:    regexp.MustCompile(`\blibs\.([a-zA-Z][\w.]*)`),
		java:     regexp.MustCompile(`(?:(?:JavaLanguageVersion\.of|jvmToolchain)\s*\(|\bsourceCompatibility\s*=?)\s*["']?(?:JavaVersion\.VERSION_)?(?:1[._])?(\d+)`),
	}
})

// gradle reads a build.gradle or build.gradle.kts, including references to the version
// catalog.
func (r *reading) gradle() {
	forms, catalog := gradleForms(), r.catalogOf(r.dir)
	r.lines(func(line string, number int) {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			return
		}
		if m := forms.artifact.FindStringSubmatch(line); m != nil {
			r.add("maven", m[2], withoutProperty(m[3]), gradleRole(m[1]), number)
		}
		for _, m := range forms.plugin.FindAllStringSubmatch(line, -1) {
			r.add("maven", m[1], m[2], Build, number)
		}
		for _, m := range forms.kotlin.FindAllStringSubmatch(line, -1) {
			r.add("maven", "org.jetbrains.kotlin."+m[1], m[2], Build, number)
		}
		if m := forms.java.FindStringSubmatch(line); m != nil {
			r.add("runtime", "java", m[1], Runtime, number)
		}
		for _, m := range forms.alias.FindAllStringSubmatch(line, -1) {
			for _, d := range catalog[strings.TrimPrefix(strings.TrimSuffix(m[1], ".get"), "bundles.")] {
				d.dir, d.also, d.role = r.dir, placeOf(r.file, number), gradleRole(strings.TrimSpace(line))
				r.found = append(r.found, d)
			}
		}
	})
}

// gradleRole returns the role of a configuration such as testImplementation or kapt.
func gradleRole(configuration string) role {
	lower := strings.ToLower(firstOf(configuration, "("))
	for _, known := range (sections{{"test", Test}, {"kapt", Build}, {"ksp", Build}, {"annotationprocessor", Build}, {"compileonly", Build}, {"classpath", Build}, {"alias", Build}}) {
		if strings.HasPrefix(lower, known.name) || known.role == Test && strings.Contains(lower, "testimplementation") {
			return known.role
		}
	}
	return Runtime
}

// catalog is a version catalog, by alias in the dotted notation of build files.
type catalog map[string][]dependency

// catalogOf reads the nearest gradle/libs.versions.toml.
func (s *scan) catalogOf(dir string) catalog {
	file, _, found := s.nearest(dir, "gradle/libs.versions.toml")
	if c, known := s.catalogs[file]; known || !found {
		return c
	}
	root, versions, c := s.tree(file), map[string]exact{}, catalog{}
	s.catalogs[file] = c
	for _, n := range root.Get("versions").List() {
		versions[n.Key] = exact{n.Value + n.Text("strictly") + n.Text("require"), file, n.Line}
	}
	for _, section := range []string{"libraries", "plugins"} {
		for _, n := range root.Get(section).List() {
			d := dependency{ecosystem: "maven", name: cmp.Or(n.Text("module"), n.Text("id"), n.Text("group")+":"+n.Text("name")), version: n.Text("version"), file: file, line: n.Line}
			if i := strings.LastIndexByte(n.Value, ':'); i > 0 { // "group:name:version" or "plugin:version"
				d.name, d.version = n.Value[:i], n.Value[i+1:]
			}
			if v, known := versions[n.Text("version", "ref")+n.Text("version.ref")]; known {
				d.version, d.line = v.version, v.line
			}
			alias := aliasOf(n.Key)
			if section == "plugins" {
				alias = "plugins." + alias
			}
			c[alias] = append(c[alias], d)
		}
	}
	for _, n := range root.Get("bundles").List() {
		for _, part := range n.List() {
			c[aliasOf(n.Key)] = append(c[aliasOf(n.Key)], c[aliasOf(part.Value)]...)
		}
	}
	return c
}

// aliasOf returns a key of a version catalog in the dotted notation of build files.
func aliasOf(key string) string { return strings.NewReplacer("-", ".", "_", ".").Replace(key) }
