// Package life says whether the controller of a repository may be started by something else
// than a person: not after a person stopped it, and not again and again where it does not stay.
package life

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// MostStarts is how many times within Within a controller is started that no person asked for.
const (
	MostStarts = 3
	Within     = 10 * time.Minute
)

// OneJobVariable is OneJob where a process works for one job of a build server, whose machine is
// thrown away afterwards: the controller then ends with the last session.
const (
	OneJobVariable = "CI"
	OneJob         = "true"
)

var (
	// ErrSpent says that a controller was started MostStarts times and did not stay.
	ErrSpent = fmt.Errorf("the controller was started %d times in %d minutes and did not stay", MostStarts, Within/time.Minute)
	// ErrUnderWay says that a controller that somebody started lives, or is about to.
	ErrUnderWay = errors.New("a controller is being started")
)

// Stop notes that a person wants no controller, until Want.
func Stop(root layout.Root) error { return root.Replace(layout.StoppedFile, nil) }

// Stopped reports whether a person wants no controller.
func Stopped(root layout.Root) bool {
	_, err := os.Lstat(root.Abs(layout.StoppedFile))
	return err == nil
}

// Want notes that a person wants a controller: what kept it from starting is over.
func Want(root layout.Root) error {
	err := root.Remove(layout.StoppedFile)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrGone) {
		err = nil
	}
	return errors.Join(err, Rest(root))
}

// Rest notes that the controller ended because nobody needs it: that it was started before
// does not count any more.
func Rest(root layout.Root) error {
	f, err := os.OpenFile(root.Abs(layout.StartsFile), os.O_WRONLY|os.O_TRUNC|layout.NoFollow, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	return f.Close()
}

// Spent reports whether nobody starts a controller for now, because of ErrSpent.
func Spent(root layout.Root, now time.Time) bool {
	data, _, err := root.Read(layout.StartsFile, layout.MaxSpec)
	return err == nil && len(recent(string(data), now)) >= MostStarts
}

// Begin notes a start that no person asked for. The file that it returns is held locked: whoever
// starts the controller hands it on and closes it, so that it stays locked while the controller
// lives. ErrUnderWay, ErrSpent.
func Begin(root layout.Root, now time.Time) (*os.File, error) {
	run, err := root.Make(layout.RunDir) // also makes sure that no folder is a link
	if err != nil {
		return nil, err
	}
	run.Close()
	f, err := os.OpenFile(root.Abs(layout.StartsFile), os.O_RDWR|os.O_CREATE|layout.NoFollow, 0o600)
	if err != nil {
		return nil, layout.Explain(layout.StartsFile, err)
	}
	if err = lock(f); err == nil {
		err = note(f, now)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// note adds a time to those in the file that still count.
func note(f *os.File, now time.Time) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file; remove it", layout.StartsFile)
	}
	data := make([]byte, min(info.Size(), layout.MaxSpec))
	if _, err := f.ReadAt(data, 0); err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	times := recent(string(data), now)
	if len(times) >= MostStarts {
		return ErrSpent
	}
	text := strings.Join(append(times, now.UTC().Format(time.RFC3339Nano)), "\n") + "\n"
	if _, err := f.WriteAt([]byte(text), 0); err != nil {
		return layout.Explain(layout.StartsFile, err)
	}
	return f.Truncate(int64(len(text)))
}

// recent are the times of a file's lines that still count. One that is yet to come does not:
// a clock that was wrong must not keep the controller from starting.
func recent(text string, now time.Time) []string {
	var times []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		at, err := time.Parse(time.RFC3339Nano, line)
		if err == nil && !at.After(now) && now.Sub(at) < Within {
			times = append(times, line)
		}
	}
	return times
}
