package graphlayout

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/scc"
)

// net is the dependency graph of the tasks, numbered in the order of their names.
type net struct {
	tasks        []Task
	index        map[string]int
	dependencies [][]int // prerequisites, sorted
	dependents   [][]int // dependents, sorted
	circle       []int   // number of the task's cycle, from 1; 0 if it is in no cycle
	rank         []int
}

// newNet returns the dependency graph of tasks. It ignores duplicate names and dependencies on
// unknown tasks.
func newNet(tasks []Task) *net {
	n := &net{index: make(map[string]int, len(tasks))}
	sorted := slices.Clone(tasks)
	slices.SortStableFunc(sorted, func(a, b Task) int { return strings.Compare(a.Name, b.Name) })
	n.tasks = slices.CompactFunc(sorted, func(a, b Task) bool { return a.Name == b.Name })
	for i := range n.tasks {
		n.index[n.tasks[i].Name] = i
	}
	n.dependencies, n.dependents = make([][]int, len(n.tasks)), make([][]int, len(n.tasks))
	for i := range n.tasks {
		for _, name := range n.tasks[i].Needs {
			if first, found := n.index[name]; found {
				n.dependencies[i] = append(n.dependencies[i], first)
			}
		}
		slices.Sort(n.dependencies[i])
		n.dependencies[i] = slices.Compact(n.dependencies[i])
		for _, first := range n.dependencies[i] {
			n.dependents[first] = append(n.dependents[first], i)
		}
	}
	n.circle = circles(n.dependents)
	n.rank = ranks(n.dependencies, n.dependents, n.circle)
	return n
}

// circles returns the number of each node's cycle, from 1, or 0.
func circles(next [][]int) []int {
	in := make([]int, len(next))
	for c, component := range scc.Components(next) {
		for _, v := range component {
			in[v] = c + 1
		}
	}
	return in
}

// ranks returns the length of the longest path to each node. It ignores edges within a
// cycle.
func ranks(before, after [][]int, circle []int) []int {
	leads := func(a, b int) bool { return circle[a] == 0 || circle[a] != circle[b] }
	rank, left := make([]int, len(before)), make([]int, len(before))
	var ready []int
	for v := range before {
		for _, first := range before[v] {
			if leads(first, v) {
				left[v]++
			}
		}
		if left[v] == 0 {
			ready = append(ready, v)
		}
	}
	for len(ready) > 0 {
		v := ready[0]
		ready = ready[1:]
		for _, next := range after[v] {
			if !leads(v, next) {
				continue
			}
			rank[next] = max(rank[next], rank[v]+1)
			if left[next]--; left[next] == 0 {
				ready = append(ready, next)
			}
		}
	}
	return rank
}

// critical returns the longest chain of open tasks. Of chains with the same length, it
// returns the first by name.
func (n *net) critical() (names []string) {
	order := make([]int, len(n.tasks))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return n.rank[b] - n.rank[a] })
	length, next := make([]int, len(n.tasks)), make([]int, len(n.tasks))
	best := -1
	for _, v := range order { // from the last rank to the first
		if next[v] = -1; hasEnded(n.tasks[v].Phase) {
			continue
		}
		length[v] = 1
		for _, w := range n.dependents[v] {
			if n.rank[w] > n.rank[v] && length[w] >= length[v] && length[w] > 0 {
				length[v], next[v] = length[w]+1, w
			}
		}
		if best < 0 || length[v] > length[best] || length[v] == length[best] && v < best {
			best = v
		}
	}
	for v := best; v >= 0; v = next[v] {
		names = append(names, n.tasks[v].Name)
	}
	return names
}
