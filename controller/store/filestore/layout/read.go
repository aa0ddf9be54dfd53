package layout

import (
	"path"

	"github.com/idumb-dev/idumb/resources"
)

// Read reads one file below .idumb. ErrGone, ErrNotFound, ErrUnreadable.
func (r Root) Read(file string, limit int64) ([]byte, Info, error) {
	folder, name := path.Split(file)
	d, err := r.Open(folder)
	if err != nil {
		return nil, Info{}, err
	}
	defer d.Close()
	return d.Read(name, limit)
}

// ReadSpec reads an object; for resources.CheckpointsKind the end of the task's log.
func (r Root) ReadSpec(key resources.Key) ([]byte, Info, error) {
	if key.Kind != resources.CheckpointsKind {
		return r.Read(Path(key), MaxSpec)
	}
	d, err := r.Open(CheckpointsDir)
	if err != nil {
		return nil, Info{}, err
	}
	defer d.Close()
	return d.ReadLog(path.Base(Path(key)))
}

// afterNewline drops the line that a tail began in the middle of.
func afterNewline(data []byte) []byte {
	for i, c := range data {
		if c == '\n' {
			return data[i+1:]
		}
	}
	return nil
}
