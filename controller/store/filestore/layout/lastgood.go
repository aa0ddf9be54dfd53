package layout

import (
	"encoding/json"
	"fmt"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// ReadMark returns why an object is in quarantine, with its last good version.
// ErrNotFound if it is not.
func (r Root) ReadMark(key resources.Key) (store.Mark, error) {
	path := QuarantinePath(key)
	data, _, err := r.Read(path, 4*MaxSpec) // the last good version is in there, in base64
	if err != nil {
		return store.Mark{}, err
	}
	var mark store.Mark
	if err := json.Unmarshal(data, &mark); err != nil {
		return store.Mark{}, fmt.Errorf("%s: %w; it may be deleted", path, err)
	}
	mark.Problem.Key = key
	return mark, nil
}

// LastGood returns the last good version of an object whose file is broken, and
// its revision; false if none is known.
func (r Root) LastGood(key resources.Key) ([]byte, string, bool) {
	mark, err := r.ReadMark(key)
	return mark.LastGood, mark.Revision, err == nil && mark.LastGood != nil
}
