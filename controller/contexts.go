package controller

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// contexts writes the packed context for hooks to read: files below
// .idumb/context, replaced atomically and without fsync, because they can always
// be computed again.
type contexts struct {
	root layout.Root // "": there is no folder, and writing is an error
}

func (c contexts) write(name string, data []byte) error {
	if err := c.check(name); err != nil {
		return err
	}
	return c.root.Replace(layout.ContextPath(name), data)
}

// last is the pack that is there of a session, or of the repository.
func (c contexts) last(session string) []byte {
	if c.root == "" || c.check(layout.PackName(session)) != nil {
		return nil
	}
	return c.root.LastPack(session)
}

func (c contexts) remove(name string) error {
	if err := c.check(name); err != nil {
		return err
	}
	return c.root.Remove(layout.ContextPath(name))
}

func (c contexts) list(dir string) ([]string, error) {
	if err := c.check(dir); err != nil {
		return nil, err
	}
	folder, err := c.root.Open(layout.ContextPath(dir))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Names()
	slices.Sort(names)
	for i, name := range names {
		names[i] = path.Join(dir, name)
	}
	return names, err
}

// check keeps a name from leaving the folder.
func (c contexts) check(name string) error {
	switch {
	case c.root == "":
		return Terminal(fmt.Errorf("context file %q: this controller has no folder to write to", name))
	case name == "." || path.Clean(name) != name || strings.ContainsRune(name, '\\') || !filepath.IsLocal(filepath.FromSlash(name)):
		return Terminal(fmt.Errorf("context file %q: its name must be a clean path below .idumb/context", name))
	}
	return nil
}
