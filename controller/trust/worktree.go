package trust

import (
	"io/fs"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// read reads the record of a repository, nothing but that one file where the environment's own
// place has it, and nothing at all where that is as it was for the last record. A working tree that
// git made of a repository stands under that one's record until it has its own: the same
// person's, and what governs in it has to be the same, byte for byte, to be trusted.
func (s Store) read(real string, last Record) (Record, error) {
	r, err := readCounting(s.dir, real, real, last)
	if err == nil {
		return r, nil
	}
	main := layout.MainTree(real)
	for _, dir := range s.places() {
		if dir != s.dir {
			if r, err = readCounting(dir, real, real, last); err == nil {
				return r, nil
			}
		}
		if main == "" {
			continue
		}
		if r, err = readCounting(dir, main, real, last); err == nil {
			return r, nil
		}
	}
	return Record{}, err
}

// readCounting reads the record of a repository, "of", in a folder, if it counts for the
// one that is asked about: it belongs to this user, and stands outside both.
func readCounting(dir, of, asked string, last Record) (r Record, err error) {
	if dir == "" {
		return r, fs.ErrNotExist
	}
	r, err = readRecord(recordIn(dir, of), last)
	if err == nil && (inside(dir, of) || asked != of && inside(dir, asked)) {
		return r, fs.ErrPermission
	}
	r.dir = dir
	return r, err
}
