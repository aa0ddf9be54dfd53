// Package lifecycle decides whether the controller of a repository may be started
// automatically. It must not start after a user stopped it, nor repeatedly if
// it does not keep running.
package lifecycle

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// MaxStarts is the maximum number of automatic starts within the period
// StartWindow.
const (
	MaxStarts   = 3
	StartWindow = 10 * time.Minute
)

// OneJobVariable has the value OneJob if a process works for one job of a build
// server with a temporary machine. The controller then ends with the last
// session.
const (
	OneJobVariable = "CI"
	OneJob         = "true"
)

var (
	// ErrRestartLimit means that a controller was started MaxStarts times and did not
	// keep running.
	ErrRestartLimit = fmt.Errorf("the controller was started %d times in %d minutes and did not stay", MaxStarts, StartWindow/time.Minute)
	// ErrStarting means that a started controller is running or about to run.
	ErrStarting = errors.New("a controller is being started")
)

// Stop records that the user wants no controller, until AllowStart.
func Stop(root layout.Root) error { return root.Replace(layout.StoppedFile, nil) }

// Stopped reports whether the user wants no controller.
func Stopped(root layout.Root) bool {
	_, err := os.Lstat(root.Abs(layout.StoppedFile))
	return err == nil
}

// AllowStart records that the user wants a controller. It removes all restrictions on
// starting.
func AllowStart(root layout.Root) error {
	err := root.Remove(layout.StoppedFile)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
		err = nil
	}
	return errors.Join(err, ResetStarts(root))
}

// ResetStarts records that the controller ended because it was not needed. Earlier
// starts no longer count.
func ResetStarts(root layout.Root) error {
	f, err := os.OpenFile(root.Abs(layout.StartsFile), os.O_WRONLY|os.O_TRUNC|layout.NoFollow, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	return f.Close()
}

// StartsSpent reports whether automatic starts are blocked by ErrRestartLimit.
func StartsSpent(root layout.Root, now time.Time) bool {
	data, _, err := root.Read(layout.StartsFile, layout.MaxSpec)
	return err == nil && len(recentStarts(string(data), now)) >= MaxStarts
}

// RecordStart records an automatic start. It returns a locked file, which the caller
// must pass on to the controller and close. It then stays locked while the
// controller runs. It returns ErrStarting or ErrRestartLimit.
func RecordStart(root layout.Root, now time.Time) (*os.File, error) {
	run, err := root.Make(layout.RunDir) // also ensures that no directory is a link
	if err != nil {
		return nil, err
	}
	run.Close()
	f, err := os.OpenFile(root.Abs(layout.StartsFile), os.O_RDWR|os.O_CREATE|layout.NoFollow, 0o600)
	if err != nil {
		return nil, layout.Explain(layout.StartsFile, err)
	}
	if err = lock(f); err == nil {
		err = addStart(f, now)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// addStart adds a time to the recent times in the file.
func addStart(f *os.File, now time.Time) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file; remove it", layout.StartsFile)
	}
	data := make([]byte, min(info.Size(), layout.MaxSpec))
	if _, err := f.ReadAt(data, 0); err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	times := recentStarts(string(data), now)
	if len(times) >= MaxStarts {
		return ErrRestartLimit
	}
	text := strings.Join(append(times, now.UTC().Format(time.RFC3339Nano)), "\n") + "\n"
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	return f.Truncate(int64(len(text)))
}

// recentStarts returns the recent times in the lines of a text. Times in the future
// are ignored, so that a wrong clock does not prevent starts.
func recentStarts(text string, now time.Time) []string {
	var times []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		at, err := time.Parse(time.RFC3339Nano, line)
		if err == nil && !at.After(now) && now.Sub(at) < StartWindow {
			times = append(times, line)
		}
	}
	return times
}

// Program returns the path of idumb-controller. It searches the folder of the running program, and
// then the search path. It does not return programs of the repository.
func Program(searchPath string, root layout.Root) (string, error) {
	var folders []string
	if self, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(self))
		if real, err := filepath.EvalSymlinks(self); err == nil && filepath.Dir(real) != folders[0] {
			folders = append(folders, filepath.Dir(real))
		}
	}
	for _, dir := range filepath.SplitList(searchPath) {
		if filepath.IsAbs(dir) && !strings.HasPrefix(filepath.Clean(dir)+"/", filepath.Clean(string(root))+"/") {
			folders = append(folders, dir)
		}
	}
	name := "idumb-controller"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range folders {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0) {
			return filepath.Join(dir, name), nil
		}
	}
	return "", errors.New("find idumb-controller: not beside this program and not on PATH; install all programs of iDumb there")
}
