package graphlayout

import "slices"

// Sizes in pixels of nodes, dummies and gaps.
const (
	NodeWidth  = 168
	NodeHeight = 42
	dummyDown  = 18
	gapDown    = 18
	dummyFlat  = 12
	gapFlat    = 14
)

// fine is the number of units per pixel during placement.
const fine = 64

// place computes all positions, for ranks that go down and across a page.
func (l *layers) place() {
	down := l.spread(NodeWidth, dummyDown, gapDown)
	across := l.spread(NodeHeight, dummyFlat, gapFlat)
	for v := range l.nodes {
		l.nodes[v].Place = Place{down[v], across[v]}
	}
	for i := range l.edges {
		path := l.edges[i].path
		for _, v := range path[1 : len(path)-1] {
			l.edges[i].Via = append(l.edges[i].Via, Place{down[v], across[v]})
		}
	}
}

// pulls is the number of iterations of the placement.
const pulls = 40

// spreading is the state of the placement, in units of 1/fine pixel.
type spreading struct {
	*layers
	centre []int
	half   []int // half of the size including the gap
}

// spread moves each node towards its neighbors, within the order and the minimum
// distances of its rank. It returns the centers in pixels, starting at 0.
func (l *layers) spread(node, dummy, gap int) []int {
	s := &spreading{layers: l, centre: make([]int, len(l.rank)), half: make([]int, len(l.rank))}
	for v := range s.half {
		if s.half[v] = (dummy + gap) * fine / 2; v < len(l.nodes) {
			s.half[v] = (node + gap) * fine / 2
		}
	}
	for _, rank := range l.ranks {
		s.line(rank)
	}
	for i := range pulls {
		for r := range l.ranks {
			if i%2 == 0 {
				r = len(l.ranks) - 1 - r
			}
			s.pull(l.ranks[r])
		}
	}
	return s.pixels(gap)
}

// line places the nodes of a rank next to each other, centered at 0.
func (s *spreading) line(rank []int) {
	at := 0
	for _, v := range rank {
		s.centre[v] = at + s.half[v]
		at += 2 * s.half[v]
	}
	for _, v := range rank {
		s.centre[v] -= at / 2
	}
}

// pull moves the nodes of a rank towards their neighbors without overlaps. Nodes that would
// overlap form a run, which is centered at its average position.
func (s *spreading) pull(rank []int) {
	type run struct{ from, sum int } // first index in rank, and sum of the desired start positions
	var runs []run
	offset := make([]int, len(rank)+1) // from the start of the rank without additional gaps
	for i, v := range rank {
		offset[i+1] = offset[i] + 2*s.half[v]
		begin := s.idealPlace(v) - s.half[v] - offset[i]
		runs = append(runs, run{i, begin})
		for len(runs) > 1 {
			a, b := runs[len(runs)-2], runs[len(runs)-1]
			if a.sum/(b.from-a.from) < b.sum/(i+1-b.from) {
				break
			}
			runs = append(runs[:len(runs)-2], run{a.from, a.sum + b.sum})
		}
	}
	for k, r := range runs {
		end := len(rank)
		if k+1 < len(runs) {
			end = runs[k+1].from
		}
		begin := r.sum / (end - r.from)
		for i := r.from; i < end; i++ {
			s.centre[rank[i]] = begin + offset[i] + s.half[rank[i]]
		}
	}
}

// idealPlace returns the desired position of a node: three fifths of the way to the average of
// its neighbors.
func (s *spreading) idealPlace(v int) int {
	sum, count := 0, len(s.previousRank[v])+len(s.nextRank[v])
	for _, n := range s.previousRank[v] {
		sum += s.centre[n]
	}
	for _, n := range s.nextRank[v] {
		sum += s.centre[n]
	}
	if count == 0 {
		return s.centre[v]
	}
	return (2*s.centre[v] + 3*(sum/count)) / 5
}

// pixels returns the centers in pixels, relative to the start of the first node.
func (s *spreading) pixels(gap int) []int {
	low := 0
	for v, c := range s.centre {
		if begin := c - s.half[v] + gap*fine/2; v == 0 || begin < low {
			low = begin
		}
	}
	pixels := slices.Clone(s.centre)
	for v := range pixels {
		pixels[v] = (pixels[v] - low) / fine
	}
	return pixels
}
