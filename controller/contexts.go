package controller

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

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

func (c contexts) remove(name string) error {
	if err := c.check(name); err != nil {
		return err
	}
	return c.root.Remove(layout.ContextPath(name))
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
