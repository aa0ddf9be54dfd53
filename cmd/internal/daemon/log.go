package daemon

import (
	"io"
	"os"
	"runtime/debug"
	"sync"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// rotated is the log of a controller in the background, which is set aside when it has become
// long. Several goroutines may write to it.
type rotated struct {
	root layout.Root

	mu   sync.Mutex
	file *os.File
	size int64
}

// backgroundLog is the log of the repository if w writes to it: what was started in the
// background got it as its standard output. Else it is w.
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

// Write appends to the log, and begins another one where this one has become long. A crash of
// the program is written to the one in use as well.
func (r *rotated) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size > layout.MaxControllerLog {
		if next, err := r.root.OpenControllerLog(); err == nil { // else this one goes on
			_ = debug.SetCrashOutput(next, debug.CrashOptions{})
			r.file.Close()
			r.file, r.size = next, 0
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, err
}
