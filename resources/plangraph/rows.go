package plangraph

import "container/heap"

// rows are tasks that are still to be done, what comes first before what waits for it. Of those
// that may come next it takes the one of which something that it needs was taken last, so that
// the lines between them are short; then by name. A circle is broken at its first name.
type rows struct {
	*net
	wanted []bool // of the tasks: those to be drawn
	left   []int  // how many a task still waits for
	last   []int  // when something that it needs was taken
	ready  []int  // a heap
	taken  []bool
	order  []int
}

func (n *net) rowsOf(wanted []bool) []int {
	r := &rows{net: n, wanted: wanted, left: make([]int, len(n.tasks)), last: make([]int, len(n.tasks)), taken: make([]bool, len(n.tasks))}
	for v := range n.tasks {
		for _, first := range n.before[v] {
			if wanted[v] && wanted[first] {
				r.left[v]++
			}
		}
	}
	for v := range n.tasks {
		if wanted[v] && r.left[v] == 0 {
			heap.Push(r, v)
		}
	}
	r.drain()
	for v := range n.tasks { // what stands in a circle, or behind one
		if wanted[v] && !r.taken[v] {
			heap.Push(r, v)
			r.drain()
		}
	}
	return r.order
}

// drain takes what is ready, and what becomes ready by that.
func (r *rows) drain() {
	for len(r.ready) > 0 {
		v := heap.Pop(r).(int)
		if r.taken[v] {
			continue
		}
		r.taken[v] = true
		r.order = append(r.order, v)
		for _, w := range r.after[v] {
			r.last[w] = len(r.order)
			if r.left[w]--; r.left[w] == 0 && r.wanted[w] && !r.taken[w] {
				heap.Push(r, w)
			}
		}
	}
}

// Len, Less, Swap, Push and Pop make the ready tasks a heap. What last counts changes only before
// a task is pushed.
func (r *rows) Len() int { return len(r.ready) }

// Less reports whether one ready task is taken before another.
func (r *rows) Less(a, b int) bool {
	v, w := r.ready[a], r.ready[b]
	return r.last[v] > r.last[w] || r.last[v] == r.last[w] && v < w
}

// Swap swaps two of them.
func (r *rows) Swap(a, b int) { r.ready[a], r.ready[b] = r.ready[b], r.ready[a] }

// Push adds one.
func (r *rows) Push(v any) { r.ready = append(r.ready, v.(int)) }

// Pop removes the last.
func (r *rows) Pop() any {
	v := r.ready[len(r.ready)-1]
	r.ready = r.ready[:len(r.ready)-1]
	return v
}
