// Package manifest parses the formats of manifests and lock files into trees of keys and
// values with line numbers. Evidence needs line numbers, which decoding into structs does
// not preserve.
//
// The input is untrusted. Each parser is linear in the length of the text, not recursive,
// and limited to 256 levels. At a syntax error it skips the invalid part or stops and
// returns the partial result, because a partial manifest is better than none. The parsers
// support the forms that manifests use, and do not validate the format.
package manifest

import (
	"fmt"
	"slices"
)

// maxDepth limits the nesting of values.
const maxDepth = 256

// Node is a value in a manifest: a scalar with a Value, or a node with Children. It is not
// safe for concurrent use, not even for reading, because lookups build an index.
type Node struct {
	Key      string // name; empty for list elements
	Value    string // scalar without quotes
	Line     int    // first line, from 1
	Children []*Node
	byKey    map[string]*Node // index for nodes with many children, built on demand
}

// fewChildren is the number of children up to which no index is built.
const fewChildren = 16

// Get returns the node below a path of keys, or nil. If a key is repeated, it uses the
// first node. n may be nil.
func (n *Node) Get(keys ...string) *Node {
	for _, key := range keys {
		n = n.child(key)
	}
	return n
}

// child returns the first child with a key, or nil. For many children it builds an index.
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

// List returns the children of a node. n may be nil.
func (n *Node) List() []*Node {
	if n == nil {
		return nil
	}
	return n.Children
}

// Text returns the value below a path of keys, or "".
func (n *Node) Text(keys ...string) string {
	if n = n.Get(keys...); n == nil {
		return ""
	}
	return n.Value
}

// sink receives the values that a parser finds, in the order of the text.
type sink interface {
	enter(key string, line int)
	leave()
	leaf(key, value string, line int)
}

// tree is a sink that builds the tree of nodes.
type tree struct {
	root  *Node
	stack []*Node
}

// newTreeBuilder returns a builder of the tree of a manifest, in any of its formats.
func newTreeBuilder() *tree {
	root := &Node{Line: 1}
	return &tree{root: root, stack: []*Node{root}}
}

// add adds a node to the innermost open node.
func (t *tree) add(n *Node) {
	top := t.stack[len(t.stack)-1]
	top.Children = append(top.Children, n)
}

// enter opens a node for an object or list. Its values follow until leave.
func (t *tree) enter(key string, line int) {
	n := &Node{Key: key, Line: line}
	t.add(n)
	t.stack = append(t.stack, n)
}

// leave closes the innermost open node.
func (t *tree) leave() {
	if len(t.stack) > 1 {
		t.stack = t.stack[:len(t.stack)-1]
	}
}

// leaf adds a scalar to the innermost open node.
func (t *tree) leaf(key, value string, line int) { t.add(&Node{Key: key, Value: value, Line: line}) }

// errDepth returns an error for excessive nesting.
func errDepth(line int) error {
	return fmt.Errorf("line %d: nested deeper than %d levels", line, maxDepth)
}
