//go:build unix

package hooks

import (
	"os"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// lockSession lets one run at a time change a session's record: subagents and
// parallel calls have hooks that run at once.
func (r *repo) lockSession(name string) (unlock func(), err error) {
	dir, err := r.root.Make(layout.HookDir)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	path := r.root.Abs(layout.NotesPath(name, ".lock"))
	const flags = os.O_RDWR | os.O_CREATE | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
