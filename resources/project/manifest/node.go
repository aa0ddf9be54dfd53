// Package manifest reads the formats that manifests and lock files are written in into one
// tree of keys and values, each with its line: evidence cites lines, which decoders into
// structs do not keep.
//
// It reads what strangers wrote. Each reader takes time linear in the text, needs no
// recursion, takes nothing deeper than 256 levels, and at the first thing that it does not
// understand either goes on behind it or ends with what it has: half a manifest says more
// than none. So these are readers of the forms that manifests have, not judges of a format.
package manifest

import (
	"fmt"
	"slices"
)

// maxDepth is how deep values may be nested.
const maxDepth = 256

// Node is a value of a manifest: a scalar with a Value, or one with Children. It serves one
// goroutine at a time, even to be read: what is asked of a long one is remembered.
type Node struct {
	Key      string // its name; "" for elements of a list
	Value    string // as the text stands for it, without quotes
	Line     int    // where it begins, from 1
	Children []*Node
	byKey    map[string]*Node // of a node with many children, once it was asked
}

// fewChildren are looked through one by one.
const fewChildren = 16

// Get returns what stands under keys, one for each level: the first of that name, nil if
// there is none. It may be called on nil.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		n = n.child(key)
	}
	return n
}

func (n *Node) child(key string) *Node {
	children := n.List()
	if len(children) <= fewChildren {
		if i := slices.IndexFunc(children, func(c *Node) bool { return c.Key == key }); i >= 0 {
			return children[i]
		}
		return nil
	}
	if n.byKey == nil {
		n.byKey = make(map[string]*Node, len(children))
		for _, c := range slices.Backward(children) {
			n.byKey[c.Key] = c
		}
	}
	return n.byKey[key]
}

// List returns the children of a node, none of nil.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// Text returns the value under keys, "" if there is none.
func (n *Node) Text(keys ...string) string {
	if n = n.Get(keys...); n == nil {
		return ""
	}
	return n.Value
}

// sink is told what a reader finds, in the order of the text.
type sink interface {
	enter(key string, line int)
	leave()
	leaf(key, value string, line int)
}

// tree is a sink that keeps everything.
type tree struct {
	root  *Node
	stack []*Node
}

func newTree() *tree {
	root := &Node{Line: 1}
	return &tree{root: root, stack: []*Node{root}}
}

func (t *tree) add(n *Node) {
	top := t.stack[len(t.stack)-1]
	top.Children = append(top.Children, n)
}

func (t *tree) enter(key string, line int) {
	n := &Node{Key: key, Line: line}
	t.add(n)
	t.stack = append(t.stack, n)
}

func (t *tree) leave() {
	if len(t.stack) > 1 {
		t.stack = t.stack[:len(t.stack)-1]
	}
}

func (t *tree) leaf(key, value string, line int) { t.add(&Node{Key: key, Value: value, Line: line}) }

// errDepth says that a text is nested too deep for a manifest.
func errDepth(line int) error {
	return fmt.Errorf("line %d: nested deeper than %d levels", line, maxDepth)
}
