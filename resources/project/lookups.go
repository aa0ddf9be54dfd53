package project

import "hash/maphash"

// lookups records which files looked up which keys, to find the files that a new file
// affects. Keys are stored as hashes. A collision only causes an unnecessary lookup.
type lookups struct {
	seed  maphash.Seed
	files map[uint64][]int32 // sorted
}

// note records that a file looked up some keys.
func (l lookups) note(keys []string, id int32) {
	for _, key := range keys {
		h := maphash.String(l.seed, key)
		l.files[h] = insertSorted(l.files[h], id)
	}
}

// filesFor returns the files that looked up one of some keys, and removes the records.
func (l lookups) filesFor(keys []string) (ids []int32) {
	for _, key := range keys {
		h := maphash.String(l.seed, key)
		ids = append(ids, l.files[h]...)
		delete(l.files, h)
	}
	return ids
}
