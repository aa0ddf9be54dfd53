package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// runLength bounds a run of a keySet: what an insertion moves at most.
const runLength = 256

// keySet is a sorted set of entries. Most sets have one member, which costs
// nothing beyond the map slot that the set stands in; large ones are kept as runs,
// so that adding to a hundred thousand moves two kilobytes. The zero keySet is
// empty.
type keySet struct {
	one  *entry // the only member, if there is one and no more
	more *runs  // of two and more
}

// runs are sorted slices, one after the other, none of them empty.
type runs struct {
	list [][]*entry
	n    int
}

func (s keySet) add(e *entry) keySet {
	switch {
	case s.more != nil:
		s.more.add(e)
	case s.one == nil:
		s.one = e
	case s.one.key != e.key:
		s = keySet{more: &runs{list: [][]*entry{{s.one}}, n: 1}}
		s.more.add(e)
	}
	return s
}

func (s keySet) remove(e *entry) keySet {
	if s.more == nil {
		if s.one != nil && s.one.key == e.key {
			return keySet{}
		}
		return s
	}
	if s.more.remove(e); s.more.n == 1 {
		return keySet{one: s.more.list[0][0]}
	}
	return s
}

func (s keySet) len() int {
	switch {
	case s.more != nil:
		return s.more.n
	case s.one != nil:
		return 1
	}
	return 0
}

// all calls yield with each member, in order.
func (s keySet) all(yield func(*entry) bool) {
	if s.one != nil {
		yield(s.one)
		return
	}
	if s.more == nil {
		return
	}
	for _, run := range s.more.list {
		for _, e := range run {
			if !yield(e) {
				return
			}
		}
	}
}

// keys returns the keys in order, nil for an empty set.
func (s keySet) keys() []resources.Key {
	if s.len() == 0 {
		return nil
	}
	keys := make([]resources.Key, 0, s.len())
	for e := range s.all {
		keys = append(keys, e.key)
	}
	return keys
}

// names is keys for a set of one kind.
func (s keySet) names() []string {
	if s.len() == 0 {
		return nil
	}
	names := make([]string, 0, s.len())
	for e := range s.all {
		names = append(names, e.key.Name)
	}
	return names
}

// find returns where e stands, or would be inserted.
func (r *runs) find(e *entry) (run, at int, found bool) {
	run, _ = slices.BinarySearchFunc(r.list, e, func(run []*entry, e *entry) int { return run[len(run)-1].key.Compare(e.key) })
	if run == len(r.list) {
		return run, 0, false
	}
	at, found = slices.BinarySearchFunc(r.list[run], e, func(a, b *entry) int { return a.key.Compare(b.key) })
	return run, at, found
}

func (r *runs) add(e *entry) {
	if last := r.list[len(r.list)-1]; last[len(last)-1].key.Compare(e.key) < 0 {
		r.append(e, last)
		return
	}
	run, at, found := r.find(e)
	if found {
		return
	}
	r.n++
	r.list[run] = slices.Insert(r.list[run], at, e)
	if full := r.list[run]; len(full) > runLength {
		half := len(full) / 2
		r.list = slices.Insert(r.list, run+1, slices.Clone(full[half:]))
		r.list[run] = slices.Clone(full[:half])
	}
}

// append adds what is larger than all: a listing comes in order, most of it.
func (r *runs) append(e *entry, last []*entry) {
	r.n++
	if len(last) < runLength {
		r.list[len(r.list)-1] = append(last, e)
		return
	}
	r.list = append(r.list, append(make([]*entry, 0, runLength), e))
}

func (r *runs) remove(e *entry) {
	run, at, found := r.find(e)
	if !found {
		return
	}
	r.n--
	if r.list[run] = slices.Delete(r.list[run], at, at+1); len(r.list[run]) == 0 {
		r.list = slices.Delete(r.list, run, run+1)
	}
}
