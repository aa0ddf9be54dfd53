package exchange

import (
	"slices"
	"strings"
)

// isList reports whether a value is a list. A missing value counts as an empty
// list.
func isList(n *node) bool { return n == nil || n.kind() == '[' }

// set merges two lists item by item: the remote list without locally removed
// items, plus locally added ones.
func (m *merger) set(b, o, t *node) (outcome, string) {
	var was, ours, theirs []*node
	if b.kind() == '[' {
		was = b.items
	}
	if o != nil {
		ours = o.items
	}
	if t != nil {
		theirs = t.items
	}
	items := merged(was, ours, theirs)
	switch {
	case slices.EqualFunc(items, theirs, equal) && t != nil, len(items) == 0 && t == nil:
		return keep, ""
	case slices.EqualFunc(items, ours, equal) && o != nil, len(items) == 0 && o == nil:
		return take, ""
	case t == nil:
		return write, listText(o, items)
	}
	return write, listText(t, items)
}

// merged returns the remote items without locally removed ones, plus the
// locally added ones.
func merged(was, ours, theirs []*node) []*node {
	var items []*node
	for _, item := range theirs {
		if !has(was, item) || has(ours, item) {
			items = append(items, item)
		}
	}
	for _, item := range ours {
		if !has(was, item) && !has(items, item) {
			items = append(items, item)
		}
	}
	return items
}

// has reports whether a list contains a value.
func has(list []*node, item *node) bool {
	return slices.ContainsFunc(list, func(other *node) bool { return equal(item, other) })
}

// listText formats a list with the spacing of another list.
func listText(like *node, items []*node) string {
	before, between, end := "", " ", ""
	if n := len(like.items); n > 0 {
		before, end = like.source[like.start+1:like.items[0].start], like.source[like.items[n-1].end:like.end-1]
		if strings.Contains(before, "\n") {
			between = before
		}
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = item.text()
	}
	return "[" + before + strings.Join(texts, ","+between) + end + "]"
}
