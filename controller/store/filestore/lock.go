package filestore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// lockTimeout is the timeout for acquiring the write lock.
const lockTimeout = 10 * time.Second

// errLocked means that another process holds the write lock.
var errLocked = errors.New("another process is writing")

// writeLock is the acquired write lock of the store.
type writeLock struct {
	s     *Store
	lock  *flock.Flock
	note  *os.File // open lock file with the name of the holder
	dirty bool     // the previous holder died without releasing the lock
}

// lock acquires the lock, first among the goroutines of this process, then
// among processes. It fails after lockTimeout with the name of the holder.
func (s *Store) lock(ctx context.Context) (*writeLock, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lockTimeout, errLocked)
	defer cancel()
	select {
	case s.writeToken <- struct{}{}:
	case <-ctx.Done():
		return nil, s.lockError(ctx)
	}
	l, err := s.lockFile(ctx)
	if err != nil {
		<-s.writeToken
		return nil, err
	}
	return l, nil
}

// lockFile locks the file of the write lock. It retries until ctx ends.
func (s *Store) lockFile(ctx context.Context) (*writeLock, error) {
	run, err := s.root.Make(layout.RunDir) // also ensures that no directory is a link
	if err != nil {
		return nil, err
	}
	run.Close()
	file := flock.New(s.root.Abs(layout.WriteLock), flock.SetFlag(os.O_CREATE|os.O_RDWR|layout.NoFollow), flock.SetPermissions(0o600))
	for wait := time.Millisecond; ; wait = min(2*wait, 16*time.Millisecond) {
		ok, err := file.TryLock()
		if err != nil {
			return nil, layout.Explain(layout.WriteLock, err)
		}
		if ok {
			return s.locked(file)
		}
		select {
		case <-time.After(wait/2 + rand.N(wait)):
		case <-ctx.Done():
			return nil, s.lockError(ctx)
		}
	}
}

// locked writes the holder's name into the lock file. An existing name means
// that the previous holder died. If the name cannot be written (full disk,
// Windows), only an error message lacks it.
func (s *Store) locked(file *flock.Flock) (*writeLock, error) {
	note, err := os.OpenFile(file.Path(), os.O_RDWR|layout.NoFollow, 0)
	if err != nil {
		file.Unlock()
		return nil, layout.Explain(layout.WriteLock, err)
	}
	l := &writeLock{s: s, lock: file, note: note}
	if info, err := note.Stat(); err == nil && info.Size() > 0 {
		l.dirty = true
	}
	note.WriteAt([]byte(holder()), 0)
	return l, nil
}

// unlock releases the lock.
func (l *writeLock) unlock() {
	l.note.Truncate(0)
	l.note.Close()
	l.lock.Unlock()
	<-l.s.writeToken
}

// holder returns the name of this process for waiting processes.
func holder() string {
	command := append([]string{filepath.Base(os.Args[0])}, os.Args[1:min(3, len(os.Args))]...)
	text := strings.Join(command, " ")
	return fmt.Sprintf("%d %.80q\n", os.Getpid(), text)
}

// lockError returns the error for a lock that was not acquired. After the
// timeout it names the process that holds the lock.
func (s *Store) lockError(ctx context.Context) error {
	if cause := context.Cause(ctx); !errors.Is(cause, errLocked) {
		return cause
	}
	who := "a process that did not say who it is"
	if data, _, err := s.root.Read(layout.WriteLock, 4096); err == nil && len(data) > 0 {
		line, _, _ := strings.Cut(string(data), "\n")
		pid, command, _ := strings.Cut(line, " ")
		who = fmt.Sprintf("%s (process %s)", command, pid)
	}
	return fmt.Errorf("%s: %w: waited %s for %s; look at that process, then try again", layout.WriteLock, errLocked, lockTimeout, who)
}
