package project

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Edge is an import that leads from one file of the repository to another.
type Edge struct {
	From  string
	To    string
	Kind  string   // as in source.Import, or TestImport
	Names []string // as the other side calls them: see source.Import
	Line  int      // in From
}

// TestImport is the kind of every edge that begins in a test.
const TestImport = "test"

// Graph is which files of a repository import which. It must be used by one goroutine at a time.
type Graph struct {
	resolver *resolve.Resolver
	facts    func(path string) source.Facts
	ids      map[string]int32 // of files, and of folders that are packages, with a slash behind
	nodes    []node
	asked    lookups
}

// node is a file, one that was there, or a folder that is a package.
type node struct {
	path    string
	there   bool
	test    bool
	folder  bool
	imports []source.Import
	links   []link  // where those lead, in their order
	from    []int32 // nodes that have a link here, sorted
}

// link is an import that was resolved.
type link struct {
	to     int32
	number int32 // of the import
	names  []string
}

// Build makes the graph of all files. facts returns those of one; it is called once for each
// file, and later for files that Gone follows. Change and Remove keep the graph up to date.
func Build(files Files, facts func(path string) source.Facts) *Graph {
	paths := files.Paths()
	g := &Graph{
		resolver: resolve.New(paths, files.Read), facts: facts,
		ids: make(map[string]int32, len(paths)), nodes: make([]node, 0, len(paths)), asked: newLookups(len(paths)),
	}
	for _, p := range paths {
		n := &g.nodes[g.node(p)]
		n.there = true
	}
	for id, p := range paths {
		g.nodes[id].imports = resolve.Imports(facts(p))
		g.link(int32(id))
	}
	return g
}

// node is the number of a file or folder, a new one if it has none yet.
func (g *Graph) node(path string) int32 {
	id, known := g.ids[path]
	if !known {
		id = int32(len(g.nodes))
		g.ids[path] = id
		g.nodes = append(g.nodes, node{path: path, test: IsTest(path), folder: strings.HasSuffix(path, "/")})
	}
	return id
}

// link resolves all imports of a file, and takes the place of what it had.
func (g *Graph) link(id int32) {
	var links []link
	for number, i := range g.nodes[id].imports {
		targets, asked := g.resolver.Resolve(g.nodes[id].path, i)
		for _, t := range targets {
			links = append(links, link{g.node(t.Path), int32(number), t.Names})
		}
		g.asked.note(asked, id)
	}
	for _, l := range g.nodes[id].links {
		g.nodes[l.to].from = without(g.nodes[l.to].from, id)
	}
	g.nodes[id].links = links
	for _, l := range links {
		g.nodes[l.to].from = with(g.nodes[l.to].from, id)
	}
}

// with adds a number to a sorted list, once.
func with(all []int32, id int32) []int32 {
	if at, found := slices.BinarySearch(all, id); !found { // most are the last: files come in order
		return slices.Insert(all, at, id)
	}
	return all
}

func without(all []int32, id int32) []int32 {
	if at, found := slices.BinarySearch(all, id); found {
		return slices.Delete(all, at, at+1)
	}
	return all
}

// edge is one link of a file, to itself or a file of the folder that it leads to.
func (g *Graph) edge(id int32, l link, to string) Edge {
	i := g.nodes[id].imports[l.number]
	e := Edge{From: g.nodes[id].path, To: to, Kind: i.Kind, Names: l.names, Line: i.Line}
	if g.nodes[id].test {
		e.Kind = TestImport
	}
	return e
}

// targets are the files that a link leads to: one, or all of a package; never its own.
func (g *Graph) targets(id int32, l link) []string {
	n := &g.nodes[l.to]
	switch {
	case l.to == id:
		return nil
	case !n.folder:
		return []string{n.path}
	}
	return slices.DeleteFunc(g.resolver.Members(n.path), func(p string) bool { return p == g.nodes[id].path })
}

// Imports are the edges that begin in a file, in the order of its imports; none of one that is
// not known.
func (g *Graph) Imports(path string) (edges []Edge) {
	id, known := g.ids[path]
	if !known {
		return nil
	}
	for _, l := range g.nodes[id].links {
		for _, to := range g.targets(id, l) {
			edges = append(edges, g.edge(id, l, to))
		}
	}
	return edges
}

// External are the imports of a file that lead to no file of the repository.
func (g *Graph) External(path string) (external []source.Import) {
	id, known := g.ids[path]
	if !known {
		return nil
	}
	leads := map[int32]bool{}
	for _, l := range g.nodes[id].links {
		leads[l.number] = true
	}
	for number, i := range g.nodes[id].imports {
		if !leads[int32(number)] {
			external = append(external, i)
		}
	}
	return external
}

// Dependents are the edges that lead to a file, by where they begin and their lines.
func (g *Graph) Dependents(path string) (edges []Edge) {
	id, known := g.ids[path]
	if !known {
		return nil
	}
	for _, to := range g.entries(id) {
		for _, from := range g.nodes[to].from {
			for _, l := range g.nodes[from].links {
				if l.to == to && from != id {
					edges = append(edges, g.edge(from, l, path))
				}
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.Line, b.Line))
	})
	return edges
}

// entries are the nodes whose links lead to a file: itself, and the package that it belongs to.
func (g *Graph) entries(id int32) []int32 {
	path := g.nodes[id].path
	folder, known := g.ids[resolve.FolderOf(path)]
	if !known || !resolve.IsMember(path) {
		return []int32{id}
	}
	return []int32{id, folder}
}
