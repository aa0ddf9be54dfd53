package trust

import (
	"io/fs"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// read reads the record of a repository. It reads only one file if the
// environment's directory has the record, and none if that is unchanged since
// the last record. A linked working tree without a record of its own uses the
// record of the main one. It belongs to the same user, and its governing files
// must have the same trusted contents.
func (s Store) read(real string, last Record) (Record, error) {
	r, err := readValid(s.dir, real, real, last)
	if err == nil {
		return r, nil
	}
	main := layout.MainTree(real)
	for _, dir := range s.recordDirs() {
		if dir != s.dir {
			if r, err = readValid(dir, real, real, last); err == nil {
				return r, nil
			}
		}
		if main == "" {
			continue
		}
		if r, err = readValid(dir, main, real, last); err == nil {
			return r, nil
		}
	}
	return Record{}, err
}

// readValid reads the record of a repository of in a directory, if it is
// valid for the repository asked: it belongs to the current user and is outside
// of both repositories.
func readValid(dir, of, asked string, last Record) (r Record, err error) {
	if dir == "" {
		return r, fs.ErrNotExist
	}
	r, err = readRecord(recordIn(dir, of), last)
	if err == nil && (isInside(dir, of) || asked != of && isInside(dir, asked)) {
		return r, fs.ErrPermission
	}
	r.dir = dir
	return r, err
}
