package controllerprocess

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"time"
)

const (
	// goneTimeout is the time between the loss of a repository and the end of its controller.
	goneTimeout = 5 * time.Second
	// maxAbsentInterval is the maximal time between two checks of a repository without its .idumb.
	maxAbsentInterval = time.Minute
)

// goneTimer checks a repository while its .idumb is missing. The loss of .idumb is an event. The
// loss of the repository is not, if a process keeps the directory open, for example as its working
// directory. So the timer polls with increasing delays.
type goneTimer struct {
	root           string
	was            *os.File // the repository's directory, kept open so that its inode is not reused; nil if it cannot be opened
	repositoryLost func()   // called when the repository is lost too

	mu    sync.Mutex
	timer *time.Timer
	wait  time.Duration
}

// begin starts the checks with the shortest delay. It is called each time .idumb is found missing.
func (a *goneTimer) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wait = goneTimeout
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = time.AfterFunc(a.wait, a.look)
}

// end stops the checks. It is called when .idumb is back, and when the controller ends.
func (a *goneTimer) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.timer.Stop()
	}
	a.timer = nil
}

// look calls repositoryLost if the repository was deleted or moved. Otherwise it schedules the next
// check, for example while git works.
func (a *goneTimer) look() {
	if _, err := os.Stat(a.root); errors.Is(err, fs.ErrNotExist) || a.replaced() {
		a.repositoryLost()
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.timer != nil {
		a.wait = min(2*a.wait, maxAbsentInterval)
		a.timer.Reset(a.wait)
	}
}

// replaced reports whether another directory has the path of the repository. The controller's state
// does not apply to it.
func (a *goneTimer) replaced() bool {
	now, err := os.Stat(a.root)
	if err != nil || a.was == nil {
		return false
	}
	was, err := a.was.Stat()
	return err == nil && !os.SameFile(was, now)
}
