package project

import "hash/maphash"

// lookups are who looked for what, so that a new file finds those that it may change. Keys are
// kept as hashes: two that fall together only cost one look more.
type lookups struct {
	seed maphash.Seed
	who  map[uint64][]int32 // sorted
}

func newLookups(files int) lookups {
	return lookups{maphash.MakeSeed(), make(map[uint64][]int32, 2*files)}
}

// note notes that a file looked for some keys.
func (l lookups) note(keys []string, id int32) {
	for _, key := range keys {
		h := maphash.String(l.seed, key)
		l.who[h] = with(l.who[h], id)
	}
}

// of are the files that looked for one of some keys. They are taken off those, until they look
// for them again.
func (l lookups) of(keys []string) (ids []int32) {
	for _, key := range keys {
		h := maphash.String(l.seed, key)
		ids = append(ids, l.who[h]...)
		delete(l.who, h)
	}
	return ids
}
