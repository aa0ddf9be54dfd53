package daemon

import (
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// rotated is the log of a background controller with rotation by size. It is safe for concurrent
// use.
type rotated struct {
	root layout.Root

	mu   sync.Mutex
	file *os.File
	size int64
}

// backgroundLog returns a rotated log if w writes to the repository's log file, which is the
// standard output of a background controller. Otherwise it returns w.
func backgroundLog(root layout.Root, w io.Writer) io.Writer {
	file, ok := w.(*os.File)
	if !ok {
		return w
	}
	info, err := file.Stat()
	placed, placedErr := os.Lstat(root.Abs(logFile))
	if err != nil || placedErr != nil || !os.SameFile(info, placed) {
		return w
	}
	return &rotated{root: root, file: file, size: info.Size()}
}

// Write appends to the log. It rotates the log if it is too long, and redirects the output of
// crashes to the new file.
func (r *rotated) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size > layout.MaxControllerLog {
		if next, err := r.root.OpenControllerLog(); err == nil { // otherwise continue with this file
			_ = debug.SetCrashOutput(next, debug.CrashOptions{})
			r.file.Close()
			r.file, r.size = next, 0
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, err
}
