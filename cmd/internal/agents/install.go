package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Change is what Install or Uninstall did to a file, or would do.
type Change struct {
	File   string // from the repository's root
	Before []byte // nil: the file did not exist
	After  []byte // nil: it does not exist any more
	Backup string // from the repository's root; "" if none was needed
}

// Changed reports whether there is anything to do.
func (c Change) Changed() bool {
	return !bytes.Equal(c.Before, c.After) || (c.Before == nil) != (c.After == nil)
}

// State is how far our hooks are installed for an agent.
type State struct {
	File    string   // from the repository's root
	Events  []string // in which our hook stands
	Missing []string // in which it should stand and does not
}

// Installed reports whether every event has our hook.
func (s State) Installed() bool { return len(s.Missing) == 0 }

// Hosts lists the agents that Install knows.
func Hosts() []string { return []string{"claude"} }

// Install puts our hooks into a host's settings of the repository at root, an
// absolute path. Entries of ours that stand there are brought up to date; doing it
// twice changes nothing. The file as it was is kept below .idumb/run.
func Install(host, root string, c Command, dryRun bool) (Change, error) {
	return change(host, root, dryRun, func(before []byte) ([]byte, error) {
		if upToDate(before, c) {
			return before, nil
		}
		clean, err := removeClaude(before)
		if err != nil {
			return nil, err
		}
		return addClaude(clean, c)
	})
}

// Uninstall takes our hooks out of a host's settings. Where installing them was
// the only change, the file is as it was before, byte for byte; one that did not
// exist is gone again.
func Uninstall(host, root string, dryRun bool) (Change, error) {
	backup, existed, kept := readBackup(root)
	return change(host, root, dryRun, func(before []byte) ([]byte, error) {
		if before == nil {
			return nil, nil
		}
		after, err := removeClaude(before)
		if err != nil || !kept {
			return after, err
		}
		untouched := bytes.Equal(before, installed(backup, before))
		switch {
		case !existed && (untouched || emptyObject(after)):
			return nil, nil
		case untouched:
			return backup, nil
		}
		return after, nil
	})
}

// installed is what Install makes of a text, with the command that stands in
// another one.
func installed(text, with []byte) []byte {
	c, ok := commandIn(with)
	if !ok {
		return nil
	}
	after, err := addClaude(text, c)
	if err != nil {
		return nil
	}
	return after
}

// Status reads how far our hooks are installed.
func Status(host, root string) (State, error) {
	if err := known(host); err != nil {
		return State{}, err
	}
	s := State{File: claudeSettings}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(claudeSettings)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, fmt.Errorf("%s: %w", claudeSettings, err)
	}
	if s.Events, err = claudeEventsOf(text); err != nil {
		return s, fmt.Errorf("%s %w", claudeSettings, err)
	}
	for _, row := range claudeEvents {
		if !slices.Contains(s.Events, row.event) {
			s.Missing = append(s.Missing, row.event)
		}
	}
	return s, nil
}

func known(host string) error {
	if slices.Contains(Hosts(), host) {
		return nil
	}
	return fmt.Errorf("unknown agent %q; use one of: %s", host, strings.Join(Hosts(), ", "))
}

// change reads the settings, edits them, and writes what came out.
func change(host, root string, dryRun bool, edit func(before []byte) ([]byte, error)) (Change, error) {
	if err := known(host); err != nil {
		return Change{}, err
	}
	c := Change{File: claudeSettings}
	path, err := settingsPath(root)
	if err != nil {
		return c, err
	}
	if c.Before, err = os.ReadFile(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%s: %w", claudeSettings, err)
	}
	if c.After, err = edit(c.Before); err != nil {
		return c, fmt.Errorf("%s %w", claudeSettings, err)
	}
	if dryRun || !c.Changed() {
		return c, nil
	}
	if c.Backup, err = keepBackup(root, c); err != nil {
		return c, err
	}
	return c, write(path, c.After)
}

// settingsPath follows a link, as people have with settings kept elsewhere, but
// not out of the repository.
func settingsPath(root string) (string, error) {
	path := filepath.Join(root, filepath.FromSlash(claudeSettings))
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		folder, err := filepath.EvalSymlinks(filepath.Dir(path))
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		real = filepath.Join(folder, filepath.Base(path))
		if err != nil {
			return "", fmt.Errorf("%s: %w", claudeSettings, err)
		}
	} else if err != nil {
		return "", fmt.Errorf("%s: %w", claudeSettings, err)
	}
	realRoot, err := filepath.EvalSymlinks(root)
	if err != nil {
		return "", fmt.Errorf("%s: %w", root, err)
	}
	if rel, err := filepath.Rel(realRoot, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads out of the repository, to %s; put a file in its place, or install there", claudeSettings, real)
	}
	return real, nil
}

// write replaces a file in one step, or removes it; and its folder with it, if
// that is empty then.
func write(path string, text []byte) error {
	if text == nil {
		if err := os.Remove(path); err != nil {
			return err
		}
		_ = os.Remove(filepath.Dir(path)) // stays if anything else is in it
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".settings-*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	_, err = temp.Write(text)
	if err := errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}

// backupFile keeps the settings as they were before the last Install, and
// backupNone says that there were none. They are local, like all of .idumb/run.
const (
	backupFile = layout.RunDir + "/agents/claude-settings.json"
	backupNone = layout.RunDir + "/agents/claude-settings.none"
)

// keepBackup keeps what stood there without any entry of ours, once: updating our
// entries must not lose what was there before them.
func keepBackup(root string, c Change) (string, error) {
	r := layout.Root(root)
	if ours, err := claudeEventsOf(c.Before); err != nil || len(ours) > 0 {
		return "", nil
	}
	if c.Before == nil {
		return "", errors.Join(r.Remove(backupFile), r.Replace(backupNone, []byte("\n")))
	}
	return backupFile, errors.Join(r.Remove(backupNone), r.Replace(backupFile, c.Before))
}

// readBackup returns what keepBackup kept; existed is false if there was no file.
func readBackup(root string) (text []byte, existed, kept bool) {
	r := layout.Root(root)
	if text, _, err := r.Read(backupFile, layout.MaxSpec); err == nil {
		return text, true, true
	}
	_, _, err := r.Read(backupNone, layout.MaxSpec)
	return nil, false, err == nil
}
