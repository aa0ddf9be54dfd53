package technologies

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// maxParents limits the length of a chain of parent poms.
const maxParents = 16

// pomChain contains the settings of a pom and of its parents in the repository. The nearest
// setting has precedence.
type pomChain struct {
	properties lock // by name
	managed    lock // by group:artifact
	length     int
}

// putNew stores the version of a key unless the lock already has one.
func (l lock) putNew(key, version, file string, line int) {
	if _, known := l[key]; !known {
		l[key] = exact{version, file, line}
	}
}

// chainOf follows <parent> to files: the relativePath, or the parent directory.
func (s *scan) chainOf(file string) pomChain {
	c := pomChain{properties: lock{}, managed: lock{}}
	for ; s.has[file] && c.length < maxParents; c.length++ {
		root := s.tree(file)
		for _, p := range root.Get("properties").List() {
			c.properties.putNew(p.Key, p.Value, file, p.Line)
		}
		if n := root.Get("version"); n != nil {
			c.properties.putNew("project.version", n.Value, file, n.Line)
		}
		for _, n := range slices.Concat(root.Get("dependencyManagement", "dependencies").List(), root.Get("build", "pluginManagement", "plugins").List()) {
			if v := n.Get("version"); v != nil {
				c.managed.putNew(n.Text("groupId")+":"+n.Text("artifactId"), v.Value, file, v.Line)
			}
		}
		relative := root.Get("parent", "relativePath")
		if root.Get("parent") == nil || relative != nil && relative.Value == "" {
			c.length++
			break
		}
		file = path.Join(dirOf(file), cmp.Or(root.Text("parent", "relativePath"), "../pom.xml"))
		if !strings.HasSuffix(file, ".xml") {
			file = path.Join(file, "pom.xml")
		}
	}
	return c
}

// resolve replaces a version that is a property with the value and position of the
// property. The value may be another property.
func (c *pomChain) resolve(d *dependency) {
	for range 2 {
		name, isProperty := strings.CutPrefix(d.version, "${")
		if !isProperty {
			return
		}
		also := d.also
		if !d.pin(c.properties, strings.TrimSuffix(name, "}")) {
			d.version = ""
		}
		d.also = cmp.Or(also, d.also)
	}
}

// pom reads the parent, the dependencies and the plugins of a pom.xml.
func (r *reading) pom() {
	c, root := r.chainOf(r.file), r.tree(r.file)
	if parent := root.Get("parent"); parent != nil && c.length == 1 {
		r.artifact(&c, parent, Runtime)
	}
	for _, part := range append([]*manifest.Node{root}, root.Get("profiles").List()...) {
		for _, n := range part.Get("dependencies").List() {
			switch {
			case n.Text("scope") == "test":
				r.artifact(&c, n, Test)
			case n.Text("scope") == "provided" && n.Text("optional") == "true":
				r.artifact(&c, n, Build)
			default:
				r.artifact(&c, n, Runtime)
			}
		}
		for _, n := range part.Get("build", "plugins").List() {
			r.artifact(&c, n, Build)
		}
	}
	for _, n := range root.Get("dependencyManagement", "dependencies").List() {
		if n.Text("scope") == "import" {
			r.artifact(&c, n, Runtime)
		}
	}
	for _, name := range []string{"maven.compiler.release", "java.version", "maven.compiler.source", "maven.compiler.target"} {
		if p, known := c.properties[name]; known && p.file == r.file {
			c.resolve(r.add("runtime", "java", p.version, Runtime, p.line))
			break
		}
	}
}

// artifact reads a dependency. A missing version is taken from the dependency management of
// the chain.
func (r *reading) artifact(c *pomChain, n *manifest.Node, role role) {
	name := n.Text("groupId") + ":" + n.Text("artifactId")
	key := name
	if n.Text("groupId") == "" && role == Build {
		name = "org.apache.maven.plugins" + name
	}
	line := n.Line
	if id := n.Get("artifactId"); id != nil {
		line = id.Line
	}
	d := r.add("maven", name, "", role, line)
	if v := n.Get("version"); v != nil {
		d.pin(lock{"": {v.Value, r.file, v.Line}}, "")
	} else {
		d.pin(c.managed, key)
	}
	c.resolve(d)
}
