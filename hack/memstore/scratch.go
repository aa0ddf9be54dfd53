package memstore

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// Scratch is a store.Scratch in memory. The zero value is empty. It is safe for concurrent use.
type Scratch struct {
	mu     sync.Mutex
	texts  map[string][]byte
	locked map[string]bool
}

// Read returns a text. See store.Scratch.
func (s *Scratch) Read(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, there := s.texts[name]
	if !there {
		return nil, fmt.Errorf("%s: %w", name, store.ErrNotFound)
	}
	return bytes.Clone(data), nil
}

// Write replaces a text.
func (s *Scratch) Write(name string, data []byte) error {
	return s.change(name, func() { s.texts[name] = slices.Concat([]byte{}, data) })
}

// WriteDurably is Write, because there is no disk.
func (s *Scratch) WriteDurably(name string, data []byte) error { return s.Write(name, data) }

// Append adds all of data to the end of a text.
func (s *Scratch) Append(name string, data ...[]byte) error {
	return s.change(name, func() { s.texts[name] = append(s.texts[name], slices.Concat(data...)...) })
}

// Remove removes a text. A missing text is not an error.
func (s *Scratch) Remove(name string) error {
	return s.change(name, func() { delete(s.texts, name) })
}

func (s *Scratch) change(name string, f func()) error {
	if err := store.CheckName(name); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts == nil {
		s.texts, s.locked = map[string][]byte{}, map[string]bool{}
	}
	f()
	return nil
}

// List returns the names of the texts in a directory, sorted.
func (s *Scratch) List(folder string) (names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.texts {
		if below, in := strings.CutPrefix(name, folder+"/"); in {
			first, _, _ := strings.Cut(below, "/")
			names = append(names, folder+"/"+first)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), store.CheckName(folder)
}

// Lock waits for the lock of a name. See store.Scratch.
func (s *Scratch) Lock(name string, patience time.Duration) (unlock func(), err error) {
	const pause = time.Millisecond
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		took := false
		err := s.change(name, func() {
			took = !s.locked[name]
			s.locked[name] = true
		})
		switch {
		case err != nil:
			return nil, err
		case took:
			return func() { _ = s.change(name, func() { delete(s.locked, name) }) }, nil
		case !time.Now().Before(end):
			return nil, fmt.Errorf("%s: %w", name, os.ErrDeadlineExceeded)
		}
	}
}
