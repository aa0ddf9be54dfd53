package serve

import (
	"os"
	"strconv"
	"syscall"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// socketName is a name of a file in an open folder that is short enough for a socket
// (107 bytes), however long the folder's own is.
func socketName(dir *layout.OpenDir, name string) string {
	return "/proc/self/fd/" + strconv.Itoa(dir.Fd()) + "/" + name
}

// ownFolder lets nobody else into a folder.
func ownFolder(dir *layout.OpenDir) error {
	return os.NewSyscallError("fchmod", syscall.Fchmod(dir.Fd(), 0o700))
}
