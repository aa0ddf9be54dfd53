package graphlayout

import "container/heap"

// rows orders the open tasks topologically. Of the possible next tasks, it selects the one
// with the most recently selected prerequisite, so that lines are short, then the first by
// name. A cycle is broken at its first name.
type rows struct {
	*net
	drawn      []bool // by task: whether it is drawn
	openCounts []int  // by task: number of remaining prerequisites
	last       []int  // by task: position of its last selected prerequisite
	ready      []int  // a heap
	placed     []bool
	order      []int
}

// rowsOf returns the wanted tasks in the order of rows: dependencies first, and tasks in or after a
// cycle last.
func (n *net) rowsOf(wanted []bool) []int {
	r := &rows{net: n, drawn: wanted, openCounts: make([]int, len(n.tasks)), last: make([]int, len(n.tasks)), placed: make([]bool, len(n.tasks))}
	for v := range n.tasks {
		for _, first := range n.dependencies[v] {
			if wanted[v] && wanted[first] {
				r.openCounts[v]++
			}
		}
	}
	for v := range n.tasks {
		if wanted[v] && r.openCounts[v] == 0 {
			heap.Push(r, v)
		}
	}
	r.drain()
	for v := range n.tasks { // tasks in or after a cycle
		if wanted[v] && !r.placed[v] {
			heap.Push(r, v)
			r.drain()
		}
	}
	return r.order
}

// drain selects ready tasks until there are no more.
func (r *rows) drain() {
	for len(r.ready) > 0 {
		v := heap.Pop(r).(int)
		if r.placed[v] {
			continue
		}
		r.placed[v] = true
		r.order = append(r.order, v)
		for _, w := range r.dependents[v] {
			r.last[w] = len(r.order)
			if r.openCounts[w]--; r.openCounts[w] == 0 && r.drawn[w] && !r.placed[w] {
				heap.Push(r, w)
			}
		}
	}
}

// Len, with Less, Swap, Push and Pop, implements heap.Interface for the ready tasks. The
// keys of a task only change before it is pushed.
func (r *rows) Len() int { return len(r.ready) }

// Less reports whether one ready task is selected before another.
func (r *rows) Less(a, b int) bool {
	v, w := r.ready[a], r.ready[b]
	return r.last[v] > r.last[w] || r.last[v] == r.last[w] && v < w
}

// Swap swaps two ready tasks.
func (r *rows) Swap(a, b int) { r.ready[a], r.ready[b] = r.ready[b], r.ready[a] }

// Push adds a ready task.
func (r *rows) Push(v any) { r.ready = append(r.ready, v.(int)) }

// Pop removes the last ready task.
func (r *rows) Pop() any {
	v := r.ready[len(r.ready)-1]
	r.ready = r.ready[:len(r.ready)-1]
	return v
}
