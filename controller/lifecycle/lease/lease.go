// Package lease implements the right to be the only controller of a repository:
// a file lock that the system releases when the process ends.
package lease

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// leaseTimeout is the timeout for a controller that is about to end.
	leaseTimeout = 200 * time.Millisecond
	// testTimeout is the timeout for hooks that test the lock with a shared
	// lock for a microsecond. On a busy machine they may hold it for longer.
	testTimeout = 10 * time.Second
	// endTimeout is the timeout for a controller whose lock file was removed.
	// It ends once it finds another one.
	endTimeout    = 10 * time.Second
	retryInterval = 5 * time.Millisecond
)

// Holder identifies the holder of the lease in .idumb/run/controller.lock.
type Holder struct {
	PID          int            `json:"pid"`
	PIDNamespace uint64         `json:"pidNamespace,omitempty"` // namespace of PID
	Since        resources.Time `json:"since"`
	Version      string         `json:"version,omitempty"`
	Started      uint64         `json:"started,omitempty"` // start time of the process, see resources.Process; 0 if unknown
}

// Ended reports whether the process named in the lock file has ended: its PID
// is unused or belongs to another process. The holder of the lock is then
// unknown.
func (h Holder) Ended() bool {
	_, known := process.Lookup(os.Getpid())
	if h.PID == 0 || !known || h.PIDNamespace != process.Namespace() {
		return h.PID == 0 && known // otherwise this system does not report it
	}
	now, runs := process.Lookup(h.PID)
	return !runs || h.Started != 0 && now.Started != h.Started
}

// Process describes the holder for users. The PID of another namespace, such as
// a container, is marked as such, because it is meaningless here.
func (h Holder) Process() string {
	if h.PIDNamespace != 0 && h.PIDNamespace != process.Namespace() {
		return fmt.Sprintf("pid %d in another PID namespace, as of a container", h.PID)
	}
	return fmt.Sprintf("pid %d", h.PID)
}

// RunningError means that another controller runs in the repository. Its Holder
// is zero if the system does not allow reading a locked file (Windows), or if
// the directory is locked.
type RunningError struct {
	Holder
	Folder bool // .idumb is locked by a controller that has not ended or by another program
}

// Error names the process.
func (e *RunningError) Error() string {
	if e.Folder {
		return "another process keeps the folder " + layout.Dir + " locked: a controller that has not ended yet, or another program; fuser " + layout.Dir + " names it"
	}
	if e.PID == 0 {
		return "a controller is already running here"
	}
	return fmt.Sprintf("a controller is already running here (%s, since %s)", e.Process(), e.Since.Local().Format(time.DateTime))
}

// Lease is the right to be the only controller of a repository. It consists of
// two locks that the system releases when the process ends. The lock file,
// which other processes test, disappears with a removed .idumb/run. The
// directory .idumb stays locked, so that the next controller waits until the
// one that lost its file has ended.
type Lease struct {
	root layout.Root
	self Holder

	mu     sync.Mutex // held while the locks are replaced
	lock   *flock.Flock
	folder *flock.Flock // nil if directories cannot be locked
}

// Acquire acquires the lease of the repository at root. It returns a
// *RunningError if another controller holds it.
func Acquire(ctx context.Context, root, version string) (*Lease, error) {
	self, _ := process.Lookup(os.Getpid())
	l := &Lease{root: layout.Root(root), self: Holder{os.Getpid(), process.Namespace(), resources.NewTime(time.Now()), version, self.Started}}
	if err := l.acquire(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

// acquire takes both locks and writes the holder. On failure it releases the
// lock of the file.
func (l *Lease) acquire(ctx context.Context) error {
	run, err := l.root.Make(layout.RunDir) // also ensures that no directory is a link
	if err != nil {
		return err
	}
	run.Close()
	lock := flock.New(l.root.Abs(layout.ControllerLock), flock.SetFlag(os.O_CREATE|os.O_RDWR|layout.NoFollow), flock.SetPermissions(0o600))
	if err := l.waitFor(ctx, lock); err != nil {
		return errors.Join(err, lock.Close())
	}
	if err := l.takeFolder(ctx); err != nil {
		return errors.Join(err, lock.Close())
	}
	l.lock = lock
	l.writeHolder()
	return nil
}

// takeFolder locks .idumb unless it is already locked. It returns a
// *RunningError if another process holds the lock.
func (l *Lease) takeFolder(ctx context.Context) error {
	if l.folder != nil && isPlaced(l.folder) {
		return nil
	}
	folder := flock.New(l.root.Abs(layout.Dir), flock.SetFlag(os.O_RDONLY|layout.NoFollow))
	ctx, cancel := context.WithTimeout(ctx, endTimeout)
	defer cancel()
	switch ok, err := folder.TryLockContext(ctx, retryInterval); {
	case errors.Is(err, context.DeadlineExceeded):
		return &RunningError{Folder: true}
	case errors.Is(err, context.Canceled):
		return err
	case ok:
		if l.folder != nil {
			l.folder.Close()
		}
		l.folder = folder
	}
	return nil
}

// waitFor locks the file or returns a *RunningError. A locked file does not
// prove a running controller, because hooks lock it too for a test. Only an
// exclusive lock at the end of the timeout counts, because a process may run
// only once during the timeout.
func (l *Lease) waitFor(ctx context.Context, lock *flock.Flock) error {
	began := time.Now()
	for {
		switch ok, err := lock.TryLock(); {
		case err != nil:
			return layout.Explain(layout.ControllerLock, err)
		case ok:
			return nil
		}
		late := time.Since(began)
		if late > testTimeout || late > leaseTimeout && l.root.ControllerAlive() {
			holder, _ := ReadHolder(string(l.root))
			return &RunningError{Holder: holder}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(retryInterval):
		}
	}
}

// writeHolder writes the holder into the lock file. If that fails (full disk, or
// Windows, which locks the file for all readers), only an error message lacks
// the name.
func (l *Lease) writeHolder() {
	data, err := json.Marshal(l.self)
	if err != nil {
		return
	}
	if f, err := os.OpenFile(l.lock.Path(), os.O_WRONLY|os.O_TRUNC|layout.NoFollow, 0); err == nil {
		f.Write(append(data, '\n'))
		f.Close()
	}
}

// Renew ensures that the lease's lock file is in place. It reacquires the lease
// if .idumb was moved or replaced. It returns a *RunningError if another
// controller was faster.
func (l *Lease) Renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isHeld() {
		return nil
	}
	return errors.Join(l.lock.Close(), l.acquire(ctx))
}

// IsHeld reports whether the lease's lock file is in place. It is safe for
// concurrent use.
func (l *Lease) IsHeld() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isHeld()
}

// isHeld is IsHeld for a caller that holds the lock.
func (l *Lease) isHeld() bool { return isPlaced(l.lock) }

// isPlaced reports whether a locked file is still the one at its path.
func isPlaced(lock *flock.Flock) bool {
	held, heldErr := lock.Stat()
	placed, placedErr := os.Lstat(lock.Path())
	return heldErr == nil && placedErr == nil && os.SameFile(held, placed)
}

// Release releases the lease. The file stays, because removing it would let two
// processes lock two files of the same name.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.lock.Close()
	if l.folder != nil {
		err = errors.Join(err, l.folder.Close())
	}
	return err
}

// ReadHolder returns the current or last holder of the lease of a repository.
func ReadHolder(root string) (Holder, error) {
	var h Holder
	data, _, err := layout.Root(root).Read(layout.ControllerLock, layout.MaxSpec)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return Holder{}, fmt.Errorf("%s: %w", layout.ControllerLock, err)
	}
	return h, nil
}
