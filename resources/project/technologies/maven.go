package technologies

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// mostParents is how many poms a chain of parents has, most of all.
const mostParents = 16

// pomChain is a pom with its parents as far as they are files here, and their properties.
type pomChain struct {
	files      []string
	roots      []*manifest.Node
	properties map[string]exact
	where      map[string]string // the file of a property
	managed    map[string]managed
}

// managed is a version that a pom has for whoever below it depends on an artifact.
type managed struct {
	version *manifest.Node
	file    string
}

// chainOf follows <parent> to files: its relativePath, or the folder above.
func (s *scan) chainOf(file string) pomChain {
	c := pomChain{properties: map[string]exact{}, where: map[string]string{}, managed: map[string]managed{}}
	for seen := map[string]bool{}; s.has[file] && !seen[file] && len(c.files) < mostParents; {
		seen[file] = true
		root := s.tree(file)
		c.files, c.roots = append(c.files, file), append(c.roots, root)
		for _, p := range root.Get("properties").List() {
			c.property(p.Key, p.Value, p.Line, file)
		}
		if n := root.Get("version"); n != nil {
			c.property("project.version", n.Value, n.Line, file)
		}
		c.manage(root.Get("dependencyManagement", "dependencies"), file)
		c.manage(root.Get("build", "pluginManagement", "plugins"), file)
		relative := root.Get("parent", "relativePath")
		if root.Get("parent") == nil || relative != nil && relative.Value == "" {
			break
		}
		next := "../pom.xml"
		if relative != nil {
			next = relative.Value
		}
		file = path.Join(dirOf(file), next)
		if !strings.HasSuffix(file, ".xml") {
			file = path.Join(file, "pom.xml")
		}
	}
	return c
}

// property keeps the nearest value of a property.
func (c *pomChain) property(name, value string, line int, file string) {
	if _, known := c.properties[name]; !known {
		c.properties[name] = exact{value, line}
		c.where[name] = file
	}
}

// resolve gives a version that is a property that one's value, and its place. Of a value that
// is a property again it takes one more step.
func (c *pomChain) resolve(d *dependency) {
	for range 2 {
		name, isProperty := strings.CutPrefix(d.version, "${")
		if !isProperty {
			return
		}
		name = strings.TrimSuffix(name, "}")
		p, known := c.properties[name]
		if !known {
			d.version = ""
			return
		}
		if d.also == "" {
			d.also = at(d.file, d.line)
		}
		d.version, d.file, d.line = p.version, c.where[name], p.line
	}
}

// pom reads a pom.xml: its parent, what it depends on and its plugins, those of reports and profiles too.
func (s *scan) pom(file string) []dependency {
	c := s.chainOf(file)
	if len(c.roots) == 0 {
		return nil
	}
	root := c.roots[0]
	var all []dependency
	if parent := root.Get("parent"); parent != nil && len(c.roots) == 1 {
		all = append(all, s.artifact(&c, parent, Runtime, file))
	}
	for _, part := range append([]*manifest.Node{root}, root.Get("profiles").List()...) {
		for _, n := range part.Get("dependencies").List() {
			all = append(all, s.artifact(&c, n, mavenRole(n.Text("scope"), n.Text("optional")), file))
		}
		for _, n := range slices.Concat(part.Get("build", "plugins").List(), part.Get("reporting", "plugins").List()) {
			all = append(all, s.artifact(&c, n, Build, file))
		}
	}
	for _, n := range root.Get("dependencyManagement", "dependencies").List() {
		if n.Text("scope") == "import" {
			all = append(all, s.artifact(&c, n, Runtime, file))
		}
	}
	for _, name := range []string{"maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"} {
		if p, own := c.properties[name]; own && c.where[name] == file {
			d := dependency{ecosystem: "runtime", name: "java", version: p.version, role: Runtime, dir: dirOf(file), file: file, line: p.line}
			c.resolve(&d)
			all = append(all, d)
			break
		}
	}
	return all
}

func mavenRole(scope, optional string) role {
	switch {
	case scope == "test":
		return Test
	case scope == "provided" && optional == "true":
		return Build
	}
	return Runtime
}

// artifact reads a dependency. A version that it has not itself is that of the management of
// the chain.
func (s *scan) artifact(c *pomChain, n *manifest.Node, r role, file string) dependency {
	group, name := n.Text("groupId"), n.Text("artifactId")
	if group == "" && r == Build {
		group = "org.apache.maven.plugins"
	}
	d := dependency{ecosystem: "maven", name: group + ":" + name, role: r, dir: dirOf(file), file: file, line: n.Line}
	if id := n.Get("artifactId"); id != nil {
		d.line = id.Line
	}
	if v := n.Get("version"); v != nil {
		d.also = at(d.file, d.line)
		d.version, d.line = v.Value, v.Line
		c.resolve(&d)
		return d
	}
	if m, known := c.managed[n.Text("groupId")+":"+name]; known {
		d.also = at(d.file, d.line)
		d.version, d.file, d.line = m.version.Value, m.file, m.version.Line
		c.resolve(&d)
	}
	return d
}

// manage keeps the nearest version of each artifact of a list.
func (c *pomChain) manage(list *manifest.Node, file string) {
	for _, n := range list.List() {
		name := n.Text("groupId") + ":" + n.Text("artifactId")
		if _, known := c.managed[name]; !known && n.Get("version") != nil {
			c.managed[name] = managed{n.Get("version"), file}
		}
	}
}
