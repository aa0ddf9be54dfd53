package filestore

import (
	"bytes"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
)

// swap puts the file temp, which holds ours, in the target's place, if the target holds expected:
// see replace.Swap. store.ErrConflict if it does not.
func (t target) swap(temp string, expected, ours []byte) (exchanged bool, err error) {
	exchanged, err = replace.Swap(t.d, t.name, temp, expected, ours, func() {
		if t.before != nil {
			t.before(t.path())
		}
	})
	if errors.Is(err, replace.ErrChanged) {
		err = t.conflict()
	}
	return exchanged, err
}

func (t target) holds(name string, data []byte) bool {
	got, _, err := t.d.Read(name, layout.MaxSpec)
	return err == nil && bytes.Equal(got, data)
}
