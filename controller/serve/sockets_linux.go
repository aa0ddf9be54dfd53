package serve

import (
	"os"
	"strconv"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// socketName returns a path of a file in an open directory. It is short enough
// for a socket (107 bytes), regardless of the directory's own path.
func socketName(dir *layout.OpenDir, name string) string {
	return "/proc/self/fd/" + strconv.Itoa(dir.Fd()) + "/" + name
}

// ownFolder restricts a directory to the current user.
func ownFolder(dir *layout.OpenDir) error {
	return os.NewSyscallError("fchmod", syscall.Fchmod(dir.Fd(), 0o700))
}
