package controller

import (
	"github.com/idumb-dev/idumb/controller/store"
)

// Scratch is the store's, for as long as it is there.
func (w *world) Scratch() store.Scratch { return standing{w.store.Scratch(), w.gone} }

// standing is a Scratch that nothing is written to while the store is gone. A name that cannot be
// gets no better by trying again.
type standing struct {
	store.Scratch
	gone func() bool
}

func (s standing) check(name string) error {
	if s.gone() {
		return errGone
	}
	return Terminal(store.CheckName(name))
}

func (s standing) Write(name string, data []byte) error {
	if err := s.check(name); err != nil {
		return err
	}
	return s.Scratch.Write(name, data)
}

func (s standing) Remove(name string) error {
	if err := s.check(name); err != nil {
		return err
	}
	return s.Scratch.Remove(name)
}
