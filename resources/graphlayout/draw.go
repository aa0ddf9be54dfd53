package graphlayout

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// edge is an Edge with the numbers of its ends.
type edge struct {
	Edge
	from, to int
	path     []int // its node or dummy in each rank, including both ends
}

// drawing contains the visible nodes and edges.
type drawing struct {
	nodes []Node
	edges []edge
}

// draw creates nodes for tasks and groups, sorted by name, and edges between them.
func (n *net) draw(in folded, critical []string) *drawing {
	d, number := &drawing{}, map[string]int{}
	at := make([]int, len(n.tasks))
	for v, t := range n.tasks {
		name := in[v]
		if name == "" {
			name = t.Name
		}
		i, known := number[name]
		if !known {
			i = len(d.nodes)
			number[name] = i
			d.nodes = append(d.nodes, Node{Name: name, Title: t.Title, Phase: t.Phase, Stage: t.Stage, Holder: t.Holder})
		}
		if at[v] = i; in[v] != "" {
			d.nodes[i].add(t)
		} else {
			d.nodes[i].Circle, d.nodes[i].Needs = n.circle[v] > 0, n.unmet(v)
		}
	}
	for _, name := range critical {
		d.nodes[at[n.index[name]]].Critical = true
	}
	for i := range d.nodes {
		if node := &d.nodes[i]; len(node.Tasks) > 0 {
			node.Title, node.Holder = titleOf(node), ""
		}
	}
	n.connect(d, at)
	return d
}

// add adds a task to a group. It clears the phase or stage of the group if that
// of the task differs.
func (g *Node) add(t Task) {
	g.Tasks = append(g.Tasks, t.Name)
	if g.Phase != t.Phase {
		g.Phase = ""
	}
	if g.Stage != t.Stage {
		g.Stage = ""
	}
}

// titleOf returns the title of a group: the number of its tasks and their common property.
func titleOf(g *Node) string {
	sort, what, _ := strings.Cut(g.Name, "/")
	count := len(g.Tasks)
	title := g.Stage
	if title != "" {
		title += " · "
	}
	switch sort {
	case "done":
		return fmt.Sprintf("%s%d done", title, count)
	case "later":
		return fmt.Sprintf("%s%d wait", title, count)
	case "like":
		return fmt.Sprintf("%d like %s", count, what)
	}
	return fmt.Sprintf("%s%d more", title, count)
}

// unmet returns the number of incomplete prerequisites of a task.
func (n *net) unmet(v int) (count int) {
	for _, first := range n.dependencies[v] {
		if n.tasks[first].Phase != resources.TaskCompleted {
			count++
		}
	}
	return count
}

// states lists the states of edges in order of precedence.
var states = [...]string{Circle, Hot, Waits, Satisfied}

// connect adds the edges between nodes. All dependencies between the tasks of two nodes
// become one edge.
func (n *net) connect(d *drawing, at []int) {
	number := map[[2]int]int{}
	for v := range n.tasks {
		for _, first := range n.dependencies[v] {
			ends := [2]int{at[first], at[v]}
			if ends[0] == ends[1] {
				continue
			}
			state, gate := n.state(first, v), n.tasks[v].Gate == n.tasks[first].Name
			i, known := number[ends]
			if !known {
				number[ends] = len(d.edges)
				d.edges = append(d.edges, edge{from: ends[0], to: ends[1], Edge: Edge{From: d.nodes[ends[0]].Name, To: d.nodes[ends[1]].Name, State: state, Gate: gate}})
				continue
			}
			e := &d.edges[i]
			e.Gate = e.Gate && gate
			if slices.Index(states[:], state) < slices.Index(states[:], e.State) {
				e.State = state
			}
		}
	}
}

// state returns the state of the dependency first of task v: in a cycle, satisfied, active or
// waiting.
func (n *net) state(first, v int) string {
	switch phase := n.tasks[first].Phase; {
	case n.circle[v] > 0 && n.circle[v] == n.circle[first]:
		return Circle
	case phase == resources.TaskCompleted:
		return Satisfied
	case working(phase):
		return Hot
	}
	return Waits
}

// next returns the successors and the predecessors of each node.
func (d *drawing) next() (after, before [][]int) {
	after, before = make([][]int, len(d.nodes)), make([][]int, len(d.nodes))
	for _, e := range d.edges {
		after[e.from] = append(after[e.from], e.to)
		before[e.to] = append(before[e.to], e.from)
	}
	return after, before
}

// reduce removes edges that a longer path implies, because a graph with very many edges is
// unreadable.
func (d *drawing) reduce() {
	after, before := d.next()
	circle := circles(after)
	rank := ranks(before, after, circle)
	order := make([]int, len(d.nodes))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return rank[b] - rank[a] })
	type set [(MaxNodes + 63) / 64]uint64
	far, all := make([]set, len(d.nodes)), make([]set, len(d.nodes)) // reachable by two or more steps, and by any number of steps
	for _, v := range order {
		for _, w := range after[v] {
			if rank[w] <= rank[v] {
				continue
			}
			for i := range far[v] {
				far[v][i] |= all[w][i]
				all[v][i] |= all[w][i]
			}
			all[v][w/64] |= 1 << (w % 64)
		}
	}
	d.edges = slices.DeleteFunc(d.edges, func(e edge) bool { return far[e.from][e.to/64]&(1<<(e.to%64)) != 0 })
}
