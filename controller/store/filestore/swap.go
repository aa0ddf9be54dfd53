package filestore

import (
	"bytes"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// swap puts the file temp, which holds ours, in the target's place, if the
// target holds expected. With exchanged, temp is left with what was there before.
// If something else came out (an editor was faster), that is put back:
// store.ErrConflict.
func (t target) swap(temp string, expected, ours []byte) (exchanged bool, err error) {
	if t.before != nil {
		t.before(t.path())
	}
	err = exchange(t.d, temp, t.name)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return false, t.swapByRename(temp, expected)
	case isMissing(err):
		return false, t.conflict()
	case err != nil:
		return false, layout.Explain(t.path(), err)
	}
	if t.holds(temp, expected) {
		return true, nil
	}
	if err := t.swapBack(temp, ours); err != nil {
		return true, err
	}
	return true, t.conflict()
}

// swapBack exchanges the two again until what comes out is what was put in: while
// it works, an editor may save once more, and the newest save is to stay.
func (t target) swapBack(temp string, in []byte) error {
	for {
		next, _, readErr := t.d.Read(temp, layout.MaxSpec)
		if err := exchange(t.d, temp, t.name); err != nil {
			return layout.Explain(t.path(), err)
		}
		if t.holds(temp, in) || readErr != nil {
			return nil
		}
		in = next
	}
}

func (t target) holds(name string, data []byte) bool {
	got, _, err := t.d.Read(name, layout.MaxSpec)
	return err == nil && bytes.Equal(got, data)
}

// swapByRename is for systems that cannot exchange: between the comparison and
// the rename there is a moment in which an editor's save is lost.
func (t target) swapByRename(temp string, expected []byte) error {
	if !t.holds(t.name, expected) {
		return t.conflict()
	}
	return t.d.Rename(temp, t.d, t.name)
}
