package controller

import (
	"github.com/idumb-dev/idumb/controller/store"
)

// Scratch returns the store's scratch files. Writes fail while the store is
// gone.
func (w *world) Scratch() store.Scratch { return standing{w.store.Scratch(), w.gone} }

// standing is a Scratch that refuses writes while the store is unavailable. An invalid
// name is a terminal error, because retrying cannot fix it.
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
