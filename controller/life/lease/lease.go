// Package lease is the right to be the one controller of a repository: a lock on a file
// that the system takes back when the process ends, however it ends.
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
	// leasePatience is for a controller that is about to end.
	leasePatience = 200 * time.Millisecond
	// askedPatience is for hooks that ask, with a shared lock of a microsecond, whether a
	// controller lives: on a machine that is short of time they may hold it for long.
	askedPatience = 10 * time.Second
	// endPatience is for a controller whose lock file was removed, and that ends once it finds another one's.
	endPatience = 10 * time.Second
	leaseRetry  = 5 * time.Millisecond
)

// Holder is who holds the lease, as it says in .idumb/run/controller.lock.
type Holder struct {
	PID          int            `json:"pid"`
	PIDNamespace uint64         `json:"pidNamespace,omitempty"` // in which PID counts
	Since        resources.Time `json:"since"`
	Version      string         `json:"version,omitempty"`
	Started      uint64         `json:"started,omitempty"` // of the process, as resources.Process has it; 0 if unknown
}

// Ended reports whether the process that the lock file names has ended: another one has its number,
// or none has. Whoever holds the lock then is unknown.
func (h Holder) Ended() bool {
	_, known := process.Of(os.Getpid())
	if h.PID == 0 || !known || h.PIDNamespace != process.Namespace() {
		return h.PID == 0 && known // else this system does not tell
	}
	now, runs := process.Of(h.PID)
	return !runs || h.Started != 0 && now.Started != h.Started
}

// Process names the holder for people. The number of a process in another PID namespace, as
// a container has, means nothing here, and says so.
func (h Holder) Process() string {
	if h.PIDNamespace != 0 && h.PIDNamespace != process.Namespace() {
		return fmt.Sprintf("pid %d in another PID namespace, as of a container", h.PID)
	}
	return fmt.Sprintf("pid %d", h.PID)
}

// RunningError says that another controller runs in the repository. Its Holder
// is zero where the system does not let a locked file be read (Windows), or where the folder is locked.
type RunningError struct {
	Holder
	Folder bool // .idumb is locked, by a controller that has not ended or by another program
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

// Lease is the right to be the one controller of a repository: two locks that the
// system takes back when the process ends, however it ends. The file, which everyone asks for,
// goes with a removed .idumb/run; the folder .idumb stays locked, so that the next controller waits
// until the one that lost its file has ended.
type Lease struct {
	root layout.Root
	self Holder

	mu     sync.Mutex // held while the locks change hands
	lock   *flock.Flock
	folder *flock.Flock // nil: this system, or this file system, locks no folders
}

// Acquire takes the lease of the repository at root, or returns a *RunningError.
func Acquire(ctx context.Context, root, version string) (*Lease, error) {
	self, _ := process.Of(os.Getpid())
	l := &Lease{root: layout.Root(root), self: Holder{os.Getpid(), process.Namespace(), resources.NewTime(time.Now()), version, self.Started}}
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *Lease) take(ctx context.Context) error {
	run, err := l.root.Make(layout.RunDir) // also makes sure that no folder is a link
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
	l.sign()
	return nil
}

// takeFolder locks .idumb unless it is locked already, or returns a *RunningError.
func (l *Lease) takeFolder(ctx context.Context) error {
	if l.folder != nil && isPlaced(l.folder) {
		return nil
	}
	folder := flock.New(l.root.Abs(layout.Dir), flock.SetFlag(os.O_RDONLY|layout.NoFollow))
	ctx, cancel := context.WithTimeout(ctx, endPatience)
	defer cancel()
	switch ok, err := folder.TryLockContext(ctx, leaseRetry); {
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

// waitFor locks the file, or returns a *RunningError. That it is locked does not mean that a
// controller lives: whoever asks for one locks it as well. Only what is seen to be locked
// against others counts, at the end of the patience and not only somewhere within it: a
// process may get to run but once in all that time.
func (l *Lease) waitFor(ctx context.Context, lock *flock.Flock) error {
	began := time.Now()
	for {
		ok, err := lock.TryLock()
		switch {
		case err != nil:
			return layout.Explain(layout.ControllerLock, err)
		case ok:
			return nil
		}
		late := time.Since(began)
		if late > askedPatience || late > leasePatience && l.root.ControllerAlive() {
			holder, _ := ReadHolder(string(l.root))
			return &RunningError{Holder: holder}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(leaseRetry):
		}
	}
}

// sign writes into the lock file who holds it. Where that fails (a full disk,
// Windows, which locks the file against everybody) it costs a name in a message.
func (l *Lease) sign() {
	data, err := json.Marshal(l.self)
	if err != nil {
		return
	}
	if f, err := os.OpenFile(l.lock.Path(), os.O_WRONLY|os.O_TRUNC|layout.NoFollow, 0); err == nil {
		f.Write(append(data, '\n'))
		f.Close()
	}
}

// Renew makes sure that the lock file of the lease is still the one in place:
// after .idumb was moved away and another one came, it is not. A *RunningError says
// that another controller was faster.
func (l *Lease) Renew(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held() {
		return nil
	}
	return errors.Join(l.lock.Close(), l.take(ctx))
}

// Held reports whether the lock file of the lease is still the one in place. It may be
// called by several goroutines.
func (l *Lease) Held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held()
}

func (l *Lease) held() bool { return isPlaced(l.lock) }

// isPlaced reports whether a locked file is still the one at its path.
func isPlaced(lock *flock.Flock) bool {
	held, heldErr := lock.Stat()
	placed, placedErr := os.Lstat(lock.Path())
	return heldErr == nil && placedErr == nil && os.SameFile(held, placed)
}

// Release gives the lease back. The file stays: to remove it would let two
// processes hold locks on two files of the same name.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.lock.Close()
	if l.folder != nil {
		err = errors.Join(err, l.folder.Close())
	}
	return err
}

// ReadHolder returns who holds the lease of the repository, or held it last.
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
