package project

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/resolve"
	"github.com/idumb-dev/idumb/resources/source"
)

// Edge is an import from one file of the repository to another.
type Edge struct {
	From  string
	To    string
	Kind  string   // as in source.Import, or TestImport
	Names []string // imported names in To: see source.Import
	Line  int      // line in From
}

// TestImport is the kind of every edge from a test file.
const TestImport = "test"

// Graph is the import graph of a repository. It is not safe for concurrent use.
type Graph struct {
	resolver *resolve.Resolver
	facts    func(path string) source.Facts
	ids      map[string]int32 // IDs of files, and of directories that are packages, which end with a slash
	nodes    []node
	lookups  lookups
}

// node is a file, a deleted file, or a directory that is a package.
type node struct {
	path    string
	exists  bool
	test    bool
	folder  bool
	imports []source.Import
	links   []link  // resolved imports, in order
	from    []int32 // nodes with a link to this one, sorted
}

// link is an import with its resolved target.
type link struct {
	to     int32
	number int32 // index of the import
	names  []string
}

// Build returns the graph of all files. facts returns the facts of a file. It is called
// once for each file, and later for files whose exports are examined. Change and Remove update the
// graph.
func Build(files Files, facts func(path string) source.Facts) *Graph {
	paths := files.Paths()
	g := &Graph{
		resolver: resolve.New(paths, files.Read), facts: facts,
		ids: make(map[string]int32, len(paths)), nodes: make([]node, 0, len(paths)), lookups: lookups{maphash.MakeSeed(), make(map[uint64][]int32, 2*len(paths))},
	}
	for _, p := range paths {
		n := &g.nodes[g.node(p)]
		n.exists = true
	}
	for id, p := range paths {
		g.nodes[id].imports = resolve.Imports(facts(p))
		g.link(int32(id))
	}
	return g
}

// node returns the ID of a file or directory, and creates one if necessary.
func (g *Graph) node(path string) int32 {
	id, known := g.ids[path]
	if !known {
		id = int32(len(g.nodes))
		g.ids[path] = id
		g.nodes = append(g.nodes, node{path: path, test: IsTest(path), folder: strings.HasSuffix(path, "/")})
	}
	return id
}

// link resolves the imports of a file and replaces its links.
func (g *Graph) link(id int32) {
	var links []link
	for number, i := range g.nodes[id].imports {
		targets, asked := g.resolver.Resolve(g.nodes[id].path, i)
		for _, t := range targets {
			links = append(links, link{g.node(t.Path), int32(number), t.Names})
		}
		for _, key := range asked {
			h := maphash.String(g.lookups.seed, key)
			g.lookups.files[h] = insertSorted(g.lookups.files[h], id)
		}
	}
	for _, l := range g.nodes[id].links {
		g.nodes[l.to].from = removeSorted(g.nodes[l.to].from, id)
	}
	g.nodes[id].links = links
	for _, l := range links {
		g.nodes[l.to].from = insertSorted(g.nodes[l.to].from, id)
	}
}

// insertSorted inserts a number into a sorted list, without duplicates.
func insertSorted(all []int32, id int32) []int32 {
	if at, found := slices.BinarySearch(all, id); !found { // the common case is appending, because files come in order
		return slices.Insert(all, at, id)
	}
	return all
}

// removeSorted removes a number from a sorted list, if the list contains it.
func removeSorted(all []int32, id int32) []int32 {
	if at, found := slices.BinarySearch(all, id); found {
		return slices.Delete(all, at, at+1)
	}
	return all
}

// edge returns the edge of a link. to is the target, or a file in the target directory.
func (g *Graph) edge(id int32, l link, to string) Edge {
	i := g.nodes[id].imports[l.number]
	e := Edge{From: g.nodes[id].path, To: to, Kind: i.Kind, Names: l.names, Line: i.Line}
	if g.nodes[id].test {
		e.Kind = TestImport
	}
	return e
}

// targets returns the files of a link's target: one file, or all files of a package,
// without the file itself.
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

// Imports returns the edges from a file, in the order of its imports. It returns nil for an
// unknown file.
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

// External returns the imports of a file with targets outside of the repository.
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

// Dependents returns the edges to a file or its package from other files,
// sorted by source file and line.
func (g *Graph) Dependents(path string) (edges []Edge) {
	id, known := g.ids[path]
	if !known {
		return nil
	}
	for _, to := range g.targetNodes(id) {
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

// Users returns the edges of Dependents that use a file with these facts. For a file of a Go
// package these are the imports that name one of its declarations. It may change edges.
func Users(edges []Edge, facts source.Facts) []Edge {
	if facts.Language != "Go" {
		return edges
	}
	return slices.DeleteFunc(edges, func(e Edge) bool {
		return len(e.Names) > 0 && !slices.Contains(e.Names, "*") &&
			!slices.ContainsFunc(facts.Symbols, func(s source.Symbol) bool { return s.Owner == "" && slices.Contains(e.Names, s.Name) })
	})
}

// CountImporters returns the number of files, and of tests, from which edges lead. Each counts once.
func CountImporters(edges []Edge) (files, tests int) {
	seen := map[string]bool{}
	for _, e := range edges {
		switch {
		case seen[e.From]:
		case e.Kind == TestImport:
			tests++
		default:
			files++
		}
		seen[e.From] = true
	}
	return files, tests
}

// targetNodes returns the nodes that an import of a file leads to: its own
// node, and the node of its package if the package has one.
func (g *Graph) targetNodes(id int32) []int32 {
	path := g.nodes[id].path
	folder, known := g.ids[resolve.FolderOf(path)]
	if !known || !resolve.IsMember(path) {
		return []int32{id}
	}
	return []int32{id, folder}
}

// lookups records which files looked up which keys, to find the files that a new file
// affects. Keys are stored as hashes. A collision only causes an unnecessary lookup.
type lookups struct {
	seed  maphash.Seed
	files map[uint64][]int32 // sorted
}

// filesFor returns the files that looked up one of some keys, and removes the records.
func (l lookups) filesFor(keys []string) (ids []int32) {
	for _, key := range keys {
		h := maphash.String(l.seed, key)
		ids = append(ids, l.files[h]...)
		delete(l.files, h)
	}
	return ids
}
