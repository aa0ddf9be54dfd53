package filestore

import (
	"bytes"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
)

// swap replaces the target by the file temp, which contains ours, if the target
// contains expected: see replace.Swap. Otherwise it returns store.ErrConflict.
func (t target) swap(temp string, expected, ours []byte) (exchanged bool, err error) {
	exchanged, err = replace.Swap(t.d, t.name, temp, expected, ours, func() {
		if t.beforeSwap != nil {
			t.beforeSwap(t.path())
		}
	})
	if errors.Is(err, replace.ErrChanged) {
		err = t.conflict()
	}
	return exchanged, err
}

// holds reports whether a file of the target's directory has this content.
func (t target) holds(name string, data []byte) bool {
	got, _, err := t.d.Read(name, layout.MaxSpec)
	return err == nil && bytes.Equal(got, data)
}
