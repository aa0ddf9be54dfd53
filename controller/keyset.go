package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// runLength bounds a run of a keySet: what an insertion moves at most.
const runLength = 256

// keySet is a sorted set of keys, kept as runs so that adding to a set of a
// hundred thousand moves two kilobytes, and so that a set of one costs little.
// The zero keySet is empty.
type keySet struct {
	runs [][]*entry
	n    int
}

// find returns where e stands, or would be inserted.
func (s *keySet) find(e *entry) (run, at int, found bool) {
	run, _ = slices.BinarySearchFunc(s.runs, e, func(r []*entry, e *entry) int { return r[len(r)-1].key.Compare(e.key) })
	if run == len(s.runs) {
		return run, 0, false
	}
	at, found = slices.BinarySearchFunc(s.runs[run], e, func(a, b *entry) int { return a.key.Compare(b.key) })
	return run, at, found
}

func (s *keySet) add(e *entry) {
	run, at, found := s.find(e)
	if found {
		return
	}
	s.n++
	if run == len(s.runs) {
		if run == 0 {
			s.runs = [][]*entry{{e}}
			return
		}
		run--
		at = len(s.runs[run])
	}
	s.runs[run] = slices.Insert(s.runs[run], at, e)
	if r := s.runs[run]; len(r) > runLength {
		half := len(r) / 2
		s.runs = slices.Insert(s.runs, run+1, slices.Clone(r[half:]))
		s.runs[run] = slices.Clone(r[:half])
	}
}

func (s *keySet) remove(e *entry) {
	run, at, found := s.find(e)
	if !found {
		return
	}
	s.n--
	if s.runs[run] = slices.Delete(s.runs[run], at, at+1); len(s.runs[run]) == 0 {
		s.runs = slices.Delete(s.runs, run, run+1)
	}
}

// keys returns the keys in order, nil for an empty or missing set.
func (s *keySet) keys() []resources.Key {
	if s == nil || s.n == 0 {
		return nil
	}
	keys := make([]resources.Key, 0, s.n)
	for _, run := range s.runs {
		for _, e := range run {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// names is keys for a set of one kind.
func (s *keySet) names() []string {
	if s == nil || s.n == 0 {
		return nil
	}
	names := make([]string, 0, s.n)
	for _, run := range s.runs {
		for _, e := range run {
			names = append(names, e.key.Name)
		}
	}
	return names
}

func (s *keySet) len() int {
	if s == nil {
		return 0
	}
	return s.n
}
