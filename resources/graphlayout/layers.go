package graphlayout

import "slices"

// layers contains the ranks of a drawing in order. Numbers that are not nodes of
// the drawing are dummies. A dummy represents an edge in a rank between its ends.
type layers struct {
	*drawing
	ranks        [][]int
	rank         []int
	order        []int
	previousRank [][]int // neighbors in the previous rank
	nextRank     [][]int // neighbors in the next rank
}

// newLayers distributes the nodes of a drawing to ranks and adds dummy nodes on edges that span
// several ranks.
func newLayers(d *drawing) *layers {
	l := &layers{drawing: d}
	after, before := d.next()
	circle := circles(after)
	l.rank = ranks(before, after, circle)
	l.previousRank, l.nextRank = make([][]int, len(d.nodes)), make([][]int, len(d.nodes))
	for i := range d.edges {
		// An edge to the same or a lower rank, as in a cycle, has no dummies.
		e := &d.edges[i]
		e.path = []int{e.from}
		for r := l.rank[e.from] + 1; r < l.rank[e.to]; r++ {
			dummy := len(l.rank)
			l.rank = append(l.rank, r)
			l.previousRank, l.nextRank = append(l.previousRank, nil), append(l.nextRank, nil)
			l.link(e.path[len(e.path)-1], dummy)
			e.path = append(e.path, dummy)
		}
		if l.rank[e.to] > l.rank[e.from] {
			l.link(e.path[len(e.path)-1], e.to)
		}
		e.path = append(e.path, e.to)
	}
	for v, r := range l.rank {
		for len(l.ranks) <= r {
			l.ranks = append(l.ranks, nil)
		}
		l.ranks[r] = append(l.ranks[r], v)
	}
	l.order = make([]int, len(l.rank))
	for _, rank := range l.ranks {
		l.number(rank)
	}
	return l
}

// link adds a segment of an edge between nodes of neighboring ranks.
func (l *layers) link(a, b int) {
	l.nextRank[a] = append(l.nextRank[a], b)
	l.previousRank[b] = append(l.previousRank[b], a)
}

// number updates the positions of the nodes in a rank.
func (l *layers) number(rank []int) {
	for i, v := range rank {
		l.order[v] = i
	}
}

// sweeps is the number of times that all ranks are reordered, alternately by the previous
// and the next rank.
const sweeps = 8

// rankWidth is the width of a rank in barycenter units.
const rankWidth = 1 << 20

// sort orders a rank by its neighbors in another one. A node without neighbors stays
// approximately at its position.
func (l *layers) sort(r, other int, neighbours [][]int) {
	rank := l.ranks[r]
	centre := make(map[int]int, len(rank))
	for i, v := range rank {
		if len(neighbours[v]) == 0 {
			centre[v] = i * rankWidth / max(1, len(rank)-1)
			continue
		}
		sum := 0
		for _, n := range neighbours[v] {
			sum += l.order[n] * rankWidth / max(1, len(l.ranks[other])-1)
		}
		centre[v] = sum / len(neighbours[v])
	}
	slices.SortStableFunc(rank, func(a, b int) int { return centre[a] - centre[b] })
	l.number(rank)
}

// Ranks returns the rank of each task by name (the length of the longest path to it), and
// the critical path.
func Ranks(tasks []Task) (rank map[string]int, critical []string) {
	n := newNet(tasks)
	rank = make(map[string]int, len(n.tasks))
	for i := range n.tasks {
		rank[n.tasks[i].Name] = n.rank[i]
	}
	return rank, n.critical()
}
