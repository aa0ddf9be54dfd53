package trust

import (
	"io/fs"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// read reads the record of a repository, and returns the folder that it is in; nothing but
// that one file is opened where the environment's own place has it. A working tree that
// git made of a repository stands under that one's record until it has its own: the same
// person's, and what governs in it has to be the same, byte for byte, to be trusted.
func (s Store) read(real string) (dir string, data []byte, err error) {
	if data, err = readCounting(s.dir, real, real); err == nil {
		return s.dir, data, nil
	}
	main := layout.MainTree(real)
	for _, dir := range s.places() {
		if dir != s.dir {
			if data, err = readCounting(dir, real, real); err == nil {
				return dir, data, nil
			}
		}
		if main == "" {
			continue
		}
		if data, err = readCounting(dir, main, real); err == nil {
			return dir, data, nil
		}
	}
	return "", nil, err
}

// readCounting reads the record of a repository, "of", in a folder, if it counts for the
// one that is asked about: it belongs to this user, and stands outside both.
func readCounting(dir, of, asked string) ([]byte, error) {
	if dir == "" {
		return nil, fs.ErrNotExist
	}
	data, err := readRecord(recordIn(dir, of))
	if err == nil && (inside(dir, of) || asked != of && inside(dir, asked)) {
		return nil, fs.ErrPermission
	}
	return data, err
}
