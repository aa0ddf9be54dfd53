package beads

import (
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// join adds edges that are given elsewhere to the waiting issues: separate lines, and edges
// in the opposite direction. An issue whose ID continues another ID becomes its child,
// unless an edge names a parent.
func (c *conversion) join() {
	for _, e := range c.loose {
		if from := c.byID[e.From]; from != nil {
			from.wait(e)
		} else {
			c.problem(0, e.From, "an edge to "+e.Target+" has no issue that it starts from; its line is kept")
		}
	}
	spelled := map[string]string{} // IDs by lower case
	for _, i := range c.list {
		spelled[strings.ToLower(i.id)] = i.id
	}
	for _, i := range c.list {
		for n, e := range i.edges { // ignore case unless an issue has the exact ID
			if id := spelled[strings.ToLower(e.Target)]; id != "" && c.byID[e.Target] == nil && !c.tombstones[e.Target] {
				i.edges[n].Target = id
			}
		}
		for _, e := range i.waiting {
			if other := c.byID[e.Target]; other != nil {
				other.wait(edge{Target: i.id, Type: e.Type})
			} else if !c.tombstones[e.Target] {
				c.problem(i.line, i.id, "issue "+e.Target+", which waits for it, is not in the file")
			}
		}
		at := strings.LastIndexByte(i.id, '.')
		if at > 0 && c.byID[i.id[:at]] != nil && len(i.targets(parentChild)) == 0 {
			i.edges = append(i.edges, edge{Target: i.id[:at], Type: parentChild})
			c.changed("id that continues another one, without an edge: a part of that", i.id)
		}
	}
}

// check reports dangling edges, and removes edges to tombstones and to the issue itself,
// which tasks cannot have.
func (c *conversion) check(i *issue) {
	i.edges = slices.DeleteFunc(i.edges, func(e edge) bool {
		switch {
		case c.tombstones[e.Target]:
			c.changed(e.Type+" edge to a tombstone: dropped, because a tombstone blocks nothing", i.id)
			i.buried = append(i.buried, e.Target)
		case e.Target == i.id:
			c.problem(i.line, i.id, "its "+e.Type+" edge leads to itself; kept as an annotation")
			i.extra = append(i.extra, migrate.Field{Name: "edge to itself", Value: migrate.Text(e.Type)})
			i.selfBlocked = i.selfBlocked || holds(e.Type)
		default:
			return false
		}
		return true
	})
	for _, e := range i.edges {
		if c.byID[e.Target] != nil {
			continue
		}
		message := "its " + e.Type + " edge leads to " + e.Target + ", which is not in the file"
		switch {
		case holds(e.Type):
			message = "it is blocked by " + e.Target + ", which is not in the file: kept as a broken chain"
		case e.Type == parentChild:
			message = "its parent " + e.Target + " is not in the file: kept as a broken reference"
		}
		c.problem(i.line, i.id, message)
	}
}

// isWork reports whether an epic must be closed or done: it is open, and has no open
// children.
func (c *conversion) isWork(i *issue) bool {
	return i.isEpic() && is(i.status, open) && !c.parted[i.id] && i.noWork() == ""
}

// findGates marks the epics that need a task.
func (c *conversion) findGates(i *issue) {
	if i.verbatim() {
		return // the stored object contains its dependencies
	}
	if c.isWork(i) {
		c.gates[i.id] = true
	}
	for _, e := range i.edges {
		if other := c.byID[e.Target]; holds(e.Type) && other != nil && other.isEpic() {
			c.gates[e.Target] = true
		}
		if i.isEpic() && (holds(e.Type) || e.Type == parentChild) {
			c.gates[i.id] = true
		}
	}
}

// parent returns the ID of the effective parent: the parent whose ID the issue's ID
// continues (bd-7 for bd-7.1), else the first parent in the file, else the first one.
func (c *conversion) parent(i *issue) string {
	parents := i.targets(parentChild)
	for _, fits := range []func(string) bool{
		func(id string) bool { return strings.HasPrefix(i.id, id+".") },
		func(id string) bool { return c.byID[id] != nil },
	} {
		if at := slices.IndexFunc(parents, fits); at >= 0 {
			return parents[at]
		}
	}
	return strings.Join(parents[:min(1, len(parents))], "")
}

// epicOf returns the closest epic above an issue, or nil.
func (c *conversion) epicOf(i *issue) *issue {
	seen := map[*issue]bool{i: true}
	for p := c.byID[c.parent(i)]; p != nil && !seen[p]; p = c.byID[c.parent(p)] {
		if p.isEpic() {
			return p
		}
		seen[p] = true
	}
	return nil
}

// ancestors returns the IDs of an issue and all its ancestors over all parents, nearest first.
// open excludes closed and missing ancestors and everything above them.
func (c *conversion) ancestors(id string, open bool) []string {
	seen := map[string]bool{id: true}
	list := []string{id}
	for n := 0; n < len(list); n++ {
		i := c.byID[list[n]]
		if i == nil {
			continue
		}
		for _, up := range i.targets(parentChild) {
			if p := c.byID[up]; !seen[up] && (!open || p != nil && !p.isOver()) {
				seen[up] = true
				list = append(list, up)
			}
		}
	}
	return list
}

// blockers returns the IDs of an issue's direct blockers and, if the issue is
// open, the blockers of its open ancestors, which it reports.
func (c *conversion) blockers(i *issue) []string {
	ids := i.targets(holding...)
	if i.isOver() {
		return ids
	}
	for _, up := range c.ancestors(i.id, true)[1:] {
		for _, id := range c.byID[up].targets(holding...) {
			switch {
			case slices.Contains(ids, id):
			case slices.Contains(c.ancestors(id, false), up):
				c.changed("parent is blocked by something below it: not passed on to its children", up)
			default:
				ids = append(ids, id)
				c.changed("blocker of a parent: repeated in dependsOn", i.id)
			}
		}
	}
	return ids
}

// reportCircles reports each cycle of tasks once, at its smallest ID.
func (c *conversion) reportCircles() {
	depends, parents := map[string][]string{}, map[string][]string{}
	for _, d := range c.Drafts(resources.Tasks) {
		spec := migrate.Spec[resources.TaskSpec](d)
		depends[d.ID] = spec.DependsOn
		if spec.Parent != "" {
			parents[d.ID] = []string{spec.Parent}
		}
	}
	for _, sort := range []struct {
		edges map[string][]string
		what  string
	}{{depends, "circle of dependencies, kept as a broken chain: "}, {parents, "circle of parents: "}} {
		circles := graph.CyclesOf(sort.edges)
		for _, id := range slices.Sorted(maps.Keys(circles)) {
			if circle := circles[id]; circle[0] == id {
				c.problem(0, "", sort.what+cycleText(circle))
			}
		}
	}
}

// cycleText formats a cycle with at most eight names.
func cycleText(circle []string) string {
	const most = 8
	if len(circle) > most {
		return strings.Join(circle[:most], " -> ") + " -> ..."
	}
	return strings.Join(circle, " -> ") + " -> " + circle[0]
}
