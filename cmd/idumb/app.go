package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// app is what every verb is given: the streams, the folder to work in, the clock.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string   // -C; "" is the working directory
	verbs          []string // names of all commands
}

// now is the one clock of commands.
func (a *app) now() time.Time { return time.Now() }

// folder is the folder the command works in, absolute.
func (a *app) folder() (string, error) {
	dir, err := filepath.Abs(a.dir) // "" gives the working directory
	if err != nil {
		return "", fmt.Errorf("the working directory is gone: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("-C %s: %w", a.dir, err)
	} else if !info.IsDir() {
		return "", fmt.Errorf("-C %s: not a folder", a.dir)
	}
	return dir, nil
}

// outf prints data.
func (a *app) outf(format string, args ...any) { fmt.Fprintf(a.stdout, format, args...) }

// errf prints what is not data: notices, progress.
func (a *app) errf(format string, args ...any) { fmt.Fprintf(a.stderr, format, args...) }
