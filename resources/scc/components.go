// Package scc provides algorithms for directed graphs with integer nodes.
package scc

import "slices"

// Components returns the strongly connected components that are cycles: components with
// more than one node, or with a node that is its own successor. next contains the
// successors of each node. It uses Tarjan's algorithm with an explicit stack. The running
// time is linear in nodes and edges, and long chains do not overflow the goroutine's stack.
func Components(next [][]int) [][]int {
	n := len(next)
	t := &tarjan{next: next, index: make([]int, n), low: make([]int, n), onStack: make([]bool, n)}
	for node := range n {
		if t.index[node] == 0 {
			t.visit(node)
		}
	}
	return t.components
}

// tarjan is the state of one run.
type tarjan struct {
	next       [][]int
	index      []int // 0 for an unvisited node
	low        []int
	onStack    []bool
	stack      []int
	counter    int
	components [][]int
}

// frame is a node with its next edge.
type frame struct{ node, edge int }

// visit finds the components that are reachable from a node.
func (t *tarjan) visit(root int) {
	frames := []frame{t.enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if f.edge < len(t.next[f.node]) {
			target := t.next[f.node][f.edge]
			f.edge++
			if t.index[target] == 0 {
				frames = append(frames, t.enter(target))
			} else if t.onStack[target] {
				t.low[f.node] = min(t.low[f.node], t.index[target])
			}
			continue
		}
		node := f.node
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			parent := frames[len(frames)-1].node
			t.low[parent] = min(t.low[parent], t.low[node])
		}
		t.leave(node)
	}
}

// enter numbers a node and puts it on the stack.
func (t *tarjan) enter(node int) frame {
	t.counter++
	t.index[node], t.low[node] = t.counter, t.counter
	t.stack = append(t.stack, node)
	t.onStack[node] = true
	return frame{node: node}
}

// leave removes a component from the stack if node is its root.
func (t *tarjan) leave(node int) {
	if t.low[node] != t.index[node] {
		return
	}
	at := len(t.stack) - 1
	for t.stack[at] != node {
		at--
	}
	component := t.stack[at:]
	t.stack = t.stack[:at]
	for _, member := range component {
		t.onStack[member] = false
	}
	if len(component) > 1 || slices.Contains(t.next[node], node) {
		t.components = append(t.components, slices.Clone(component))
	}
}
