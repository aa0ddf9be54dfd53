package controller

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const (
	// leasePatience outlasts the hooks that ask, with a shared lock of a
	// microsecond, whether a controller lives.
	leasePatience = 200 * time.Millisecond
	leaseRetry    = 5 * time.Millisecond
)

// Holder is who holds the lease, as it says in .idumb/run/controller.lock.
type Holder struct {
	PID     int            `json:"pid"`
	Since   resources.Time `json:"since"`
	Version string         `json:"version,omitempty"`
}

// RunningError says that another controller runs in the repository. Its Holder
// is zero where the system does not let a locked file be read (Windows).
type RunningError struct{ Holder }

// Error names the process.
func (e *RunningError) Error() string {
	if e.PID == 0 {
		return "a controller is already running here"
	}
	return fmt.Sprintf("a controller is already running here (pid %d, since %s)", e.PID, e.Since.Local().Format(time.DateTime))
}

// Lease is the right to be the one controller of a repository: a lock that the
// system takes back when the process ends, however it ends.
type Lease struct {
	root layout.Root
	lock *flock.Flock
	self Holder
}

// Acquire takes the lease of the repository at root, or returns a *RunningError.
func Acquire(ctx context.Context, root, version string) (*Lease, error) {
	l := &Lease{root: layout.Root(root), self: Holder{os.Getpid(), resources.NewTime(time.Now()), version}}
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
	lock := flock.New(l.root.Abs(layout.ControllerLock), flock.SetFlag(os.O_CREATE|os.O_RDWR|lockFlags), flock.SetPermissions(0o600))
	patience, cancel := context.WithTimeout(ctx, leasePatience)
	defer cancel()
	ok, err := lock.TryLockContext(patience, leaseRetry)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded), err == nil && !ok:
		holder, _ := ReadHolder(string(l.root))
		return &RunningError{holder}
	case err != nil:
		return layout.Explain(layout.ControllerLock, err)
	}
	l.lock = lock
	l.sign()
	return nil
}

// sign writes into the lock file who holds it. Where that fails (a full disk,
// Windows, which locks the file against everybody) it costs a name in a message.
func (l *Lease) sign() {
	data, err := json.Marshal(l.self)
	if err != nil {
		return
	}
	if f, err := os.OpenFile(l.lock.Path(), os.O_WRONLY|os.O_TRUNC|lockFlags, 0); err == nil {
		f.Write(append(data, '\n'))
		f.Close()
	}
}

// Renew makes sure that the lock file of the lease is still the one in place:
// after .idumb was moved away and another one came, it is not. A *RunningError says
// that another controller was faster.
func (l *Lease) Renew(ctx context.Context) error {
	if l.Held() {
		return nil
	}
	return errors.Join(l.lock.Close(), l.take(ctx))
}

// Held reports whether the lock file of the lease is still the one in place. It may
// not be called while Renew runs.
func (l *Lease) Held() bool {
	held, heldErr := l.lock.Stat()
	placed, placedErr := os.Lstat(l.lock.Path())
	return heldErr == nil && placedErr == nil && os.SameFile(held, placed)
}

// Release gives the lease back. The file stays: to remove it would let two
// processes hold locks on two files of the same name.
func (l *Lease) Release() error { return l.lock.Close() }

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

// ReadHeartbeat returns what the repository's controller last wrote about itself;
// store.ErrNotFound if none ever ran.
func ReadHeartbeat(root string) (Heartbeat, error) {
	var h Heartbeat
	data, _, err := layout.Root(root).Read(layout.ControllerFile, layout.MaxSpec)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return Heartbeat{}, fmt.Errorf("%s: %w", layout.ControllerFile, err)
	}
	return h, nil
}
