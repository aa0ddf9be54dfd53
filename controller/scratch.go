package controller

import (
	"github.com/idumb-dev/idumb/controller/store"
)

// Scratch returns the store's scratch files. Write and Remove fail while the
// store is unavailable.
func (w *world) Scratch() store.Scratch { return guardedScratch{w.store.Scratch(), w.isUnavailable} }

// guardedScratch is a Scratch whose Write and Remove fail while the store is
// unavailable. The other methods do not check that. An invalid name is a terminal
// error, because retrying cannot fix it.
type guardedScratch struct {
	store.Scratch
	isUnavailable func() bool
}

// check returns an error if the store is unavailable or the name is invalid.
func (s guardedScratch) check(name string) error {
	if s.isUnavailable() {
		return errGone
	}
	return Terminal(store.CheckName(name))
}

// Write writes a file, unless the store is unavailable.
func (s guardedScratch) Write(name string, data []byte) error {
	if err := s.check(name); err != nil {
		return err
	}
	return s.Scratch.Write(name, data)
}

// Remove removes a file, unless the store is unavailable.
func (s guardedScratch) Remove(name string) error {
	if err := s.check(name); err != nil {
		return err
	}
	return s.Scratch.Remove(name)
}
