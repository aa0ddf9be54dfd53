package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// sortedSet is a sorted slice of entries. An insertion may move all of them,
// which is eighty kilobytes for ten thousand entries. A listing is mostly
// sorted and moves none. The zero value is an empty set.
type sortedSet []*entry

// find returns the position of e, or the position at which to insert it.
func (s sortedSet) find(e *entry) (at int, found bool) {
	if n := len(s); n > 0 && s[n-1].key.Compare(e.key) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(s, e, func(a, b *entry) int { return a.key.Compare(b.key) })
}

// add returns the set with e as a member.
func (s sortedSet) add(e *entry) sortedSet {
	if at, found := s.find(e); !found {
		return slices.Insert(s, at, e)
	}
	return s
}

// remove returns the set without e as a member.
func (s sortedSet) remove(e *entry) sortedSet {
	if at, found := s.find(e); found {
		return slices.Delete(s, at, at+1)
	}
	return s
}

// keys returns the keys in order, nil for an empty set.
func (s sortedSet) keys() []resources.Key {
	if len(s) == 0 {
		return nil
	}
	keys := make([]resources.Key, len(s))
	for i, e := range s {
		keys[i] = e.key
	}
	return keys
}

// names returns the names in order, nil for an empty set.
func (s sortedSet) names() []string {
	if len(s) == 0 {
		return nil
	}
	names := make([]string, len(s))
	for i, e := range s {
		names[i] = e.key.Name
	}
	return names
}

// namesOf returns the names of the members of one kind, which are adjacent.
func (s sortedSet) namesOf(kind string) []string {
	for len(s) > 0 && s[0].key.Kind != kind {
		s = s[1:]
	}
	n := len(s)
	for n > 0 && s[n-1].key.Kind != kind {
		n--
	}
	return s[:n].names()
}
