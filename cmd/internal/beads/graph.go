package beads

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/migrate"
)

// graph is the issues that are imported, with what leads from one to another.
type graph struct {
	list  []*issue
	byID  map[string]*issue
	gone  map[string]bool // ids of tombstones
	gates map[string]bool // ids of epics that get a task as well
}

// newGraph leaves out tombstones and counts them, with the edges that lead to them.
func newGraph(issues []*issue, r *Report) *graph {
	g := &graph{byID: map[string]*issue{}, gone: map[string]bool{}, gates: map[string]bool{}}
	for _, i := range issues {
		if i.status == tombstone {
			g.gone[i.id] = true
			r.left = append(r.left, migrate.LeftRecord{At: fmt.Sprintf("line %d", i.line), Why: "deleted in beads", Value: i.raw})
			continue
		}
		g.list, g.byID[i.id] = append(g.list, i), i
	}
	r.Issues, r.Tombstones = len(issues), len(g.gone)
	g.join(r)
	for _, i := range g.list {
		g.check(i, r)
	}
	for _, i := range g.list {
		g.findGates(i)
	}
	return g
}

// check reports edges that lead nowhere, and takes out those to tombstones and to
// the issue itself, which no task can have.
func (g *graph) check(i *issue, r *Report) {
	i.edges = slices.DeleteFunc(i.edges, func(e edge) bool {
		switch {
		case g.gone[e.On]:
			r.note(&r.Changed, e.Type+" edge to a tombstone: dropped, it holds nothing up", i.id)
			i.buried = append(i.buried, e.On)
		case e.On == i.id:
			r.problem(i.line, i.id, "its "+e.Type+" edge leads to itself; kept as an annotation")
			i.rest["edge to itself"] = e.Type
			i.selfBlocked = i.selfBlocked || holds(e.Type)
		default:
			return false
		}
		return true
	})
	for _, e := range i.edges {
		switch {
		case g.byID[e.On] != nil:
		case holds(e.Type):
			r.problem(i.line, i.id, "it is blocked by "+e.On+", which is not in the file: kept as a broken chain")
		case e.Type == parentChild:
			r.problem(i.line, i.id, "its parent "+e.On+" is not in the file: kept as a broken reference")
		default:
			r.problem(i.line, i.id, "its "+e.Type+" edge leads to "+e.On+", which is not in the file")
		}
	}
}

// findGates marks the epics that a task has to stand for.
func (g *graph) findGates(i *issue) {
	if i.verbatim() {
		return // the object that it was made of says what it waits for
	}
	for _, e := range i.edges {
		switch {
		case holds(e.Type):
			if other := g.byID[e.On]; other != nil && other.isEpic() {
				g.gates[e.On] = true
			}
			if i.isEpic() {
				g.gates[i.id] = true
			}
		case e.Type == parentChild:
			if i.isEpic() {
				g.gates[i.id] = true
			}
		}
	}
}

// targets returns where the edges of one type lead, in the order of the file, each once.
func (i *issue) targets(edgeType string) []string {
	return i.leading(func(t string) bool { return t == edgeType })
}

// leading returns where edges of some types lead, in the order of the file, each once.
func (i *issue) leading(wanted func(edgeType string) bool) []string {
	var ids []string
	seen := map[string]bool{}
	for _, e := range i.edges {
		if wanted(e.Type) && !seen[e.On] {
			seen[e.On] = true
			ids = append(ids, e.On)
		}
	}
	return ids
}

// parent returns the id of the parent that counts: the one that the id continues
// (bd-7 for bd-7.1), else the first that is in the file, else the first.
func (g *graph) parent(i *issue) string {
	parents := i.targets(parentChild)
	if len(parents) == 0 {
		return ""
	}
	for _, fits := range []func(string) bool{
		func(id string) bool { return strings.HasPrefix(i.id, id+".") },
		func(id string) bool { return g.byID[id] != nil },
	} {
		if at := slices.IndexFunc(parents, fits); at >= 0 {
			return parents[at]
		}
	}
	return parents[0]
}

// epicOf returns the epic that an issue stands below, nil if there is none.
func (g *graph) epicOf(i *issue) *issue {
	seen := map[*issue]bool{i: true}
	for p := g.byID[g.parent(i)]; p != nil && !seen[p]; p = g.byID[g.parent(p)] {
		if p.isEpic() {
			return p
		}
		seen[p] = true
	}
	return nil
}

// above returns all ancestors of an issue, over all of its parents, nearest first,
// without those that stand beyond a closed one.
func (g *graph) above(i *issue) []*issue {
	var found []*issue
	seen := map[*issue]bool{i: true}
	for queue := []*issue{i}; len(queue) > 0; queue = queue[1:] {
		for _, id := range queue[0].targets(parentChild) {
			if p := g.byID[id]; p != nil && !seen[p] && !p.isOver() {
				seen[p] = true
				found, queue = append(found, p), append(queue, p)
			}
		}
	}
	return found
}

// isBelow reports whether an issue stands below another one, or is it.
func (g *graph) isBelow(id, ancestor string) bool {
	seen := map[string]bool{}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == ancestor {
			return true
		}
		if i := g.byID[queue[0]]; i != nil && !seen[queue[0]] {
			seen[queue[0]] = true
			queue = append(queue, i.targets(parentChild)...)
		}
	}
	return false
}

// blockers returns the ids of what blocks an issue: its own blockers, then, while
// it is not closed, those of everything that it stands below.
func (g *graph) blockers(i *issue, r *Report) []string {
	ids := i.leading(holds)
	if i.isOver() {
		return ids
	}
	for _, p := range g.above(i) {
		for _, id := range p.leading(holds) {
			switch {
			case slices.Contains(ids, id):
			case g.isBelow(id, p.id):
				r.note(&r.Changed, "parent is blocked by something below it: not passed on to its children", p.id)
			default:
				ids = append(ids, id)
				r.note(&r.Changed, "blocker of a parent: repeated in dependsOn", i.id)
			}
		}
	}
	return ids
}
