package daemon

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

const (
	// goneFor is how long a repository has to be away before its controller ends.
	goneFor = 5 * time.Second
	// mostAbsent is how long at most nobody looks after a repository without its .idumb.
	mostAbsent = time.Minute
)

// goneTimer looks after a repository whose .idumb is gone, until that is back. The folder
// going is an event; that the repository follows is none where somebody holds it open, as
// a process that works in it does: so this looks, ever more seldom.
type goneTimer struct {
	root string
	was  *os.File // the repository's folder, held open so that no other one gets its number; nil: nobody could open it
	gone func()   // is called once the repository is gone as well

	mu    sync.Mutex
	timer *time.Timer
	wait  time.Duration
}

// begin is called each time that .idumb is found to be gone; it looks soon again.
func (a *goneTimer) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wait = goneFor
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(a.wait, a.look)
}

// end is called when .idumb is back, and when the controller ends.
func (a *goneTimer) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = nil
}

// look ends the wait where the repository was deleted or moved. One that has only lost
// its .idumb, as while git works, waits for it.
func (a *goneTimer) look() {
	if _, err := os.Stat(a.root); errors.Is(err, fs.ErrNotExist) || a.replaced() {
		a.gone()
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.wait = min(2*a.wait, mostAbsent)
		a.timer.Reset(a.wait)
	}
}

// replaced reports whether another folder stands where the repository stood: what is known of the
// one says nothing about the other.
func (a *goneTimer) replaced() bool {
	now, err := os.Stat(a.root)
	if err != nil || a.was == nil {
		return false
	}
	was, err := a.was.Stat()
	return err == nil && !os.SameFile(was, now)
}
