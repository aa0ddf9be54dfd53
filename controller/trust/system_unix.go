//go:build unix

package trust

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Owned returns an error, with a remedy, if the repository's .idumb belongs to
// another user than the current one, root included. A controller reads and
// writes there all the time and must not do that for another user. Users are
// named by number, because looking up their names would link much code into the
// hook.
func Owned(root layout.Root) error {
	dir := root.Abs(layout.Dir)
	var st syscall.Stat_t
	if err := syscall.Lstat(dir, &st); err != nil {
		return nil // a later access reports a better error
	}
	return ownedBy(dir, int(st.Uid), os.Geteuid())
}

// ownedBy returns an error with a remedy unless a directory's owner is the
// current user.
func ownedBy(dir string, owner, self int) error {
	if owner == self {
		return nil
	}
	return fmt.Errorf("%s belongs to user %d, and this is user %d: no controller is run in another user's tree; run it as user %[2]d (sudo -u '#%[2]d' idumb up), or take the tree over (chown -R %[3]d %[1]s)", dir, owner, self)
}

// ours reports whether a file belongs to the current user or to root, who could
// change this process's view anyway.
func ours(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && (int(st.Uid) == os.Geteuid() || st.Uid == 0)
}

// openPlain opens a file for reading without blocking on a pipe.
func openPlain(file string) (*os.File, error) {
	return os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
