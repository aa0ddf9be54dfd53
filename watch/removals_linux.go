package watch

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// removals watches folders in which only the removal of files matters. The controller writes
// thousands of files there by rename and must not be woken for each. It uses inotify directly,
// because package fsnotify subscribes to all events.
type removals struct {
	file *os.File

	mu      sync.Mutex
	fd      int // -1 after close
	folders map[uint32]watchedFolder
}

// A watchedFolder is one folder with an inotify watch.
type watchedFolder struct {
	path   string
	parent bool // the parent of the other folders
}

// newRemovals returns nil if the system refuses another inotify instance.
func newRemovals() *removals {
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	return &removals{file: os.NewFile(uintptr(fd), "inotify"), fd: fd, folders: map[uint32]watchedFolder{}}
}

// look watches folder and its subfolders, also if they are created later. It
// skips folders that the system refuses to watch. It does nothing if r is nil
// or folder is "".
func (r *removals) look(folder string) {
	if r == nil || folder == "" {
		return
	}
	r.add(watchedFolder{folder, true}, unix.IN_CREATE)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if e.IsDir() {
			r.add(watchedFolder{filepath.Join(folder, e.Name()), false}, unix.IN_DELETE)
		}
	}
}

// add adds an inotify watch for the given events to a folder. It does nothing after close, and if
// the system refuses the watch.
func (r *removals) add(folder watchedFolder, events uint32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fd < 0 {
		return
	}
	if wd, err := unix.InotifyAddWatch(r.fd, folder.path, events|unix.IN_ONLYDIR|unix.IN_DONT_FOLLOW); err == nil {
		r.folders[uint32(wd)] = folder
	}
}

// close removes all watches and ends run.
func (r *removals) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fd = -1
	r.file.Close()
}

// run reports each removed file until close. It reports "" if events were lost.
func (r *removals) run(report func(path string)) {
	for buf := make([]byte, 16<<10); ; {
		n, err := r.file.Read(buf)
		if err != nil {
			return
		}
		for rest := buf[:n]; len(rest) >= unix.SizeofInotifyEvent; {
			end := unix.SizeofInotifyEvent + binary.NativeEndian.Uint32(rest[12:])
			name := string(bytes.TrimRight(rest[unix.SizeofInotifyEvent:end], "\x00"))
			r.handle(binary.NativeEndian.Uint32(rest), binary.NativeEndian.Uint32(rest[4:]), name, report)
			rest = rest[end:]
		}
	}
}

// handle handles one event of the folder with watch descriptor wd.
func (r *removals) handle(wd, events uint32, name string, report func(path string)) {
	r.mu.Lock()
	folder, known := r.folders[wd]
	if events&unix.IN_IGNORED != 0 {
		delete(r.folders, wd)
	}
	r.mu.Unlock()
	switch path := filepath.Join(folder.path, name); {
	case events&unix.IN_Q_OVERFLOW != 0:
		report("")
	case known && folder.parent && events&unix.IN_ISDIR != 0:
		r.add(watchedFolder{path, false}, unix.IN_DELETE)
	case known && events&unix.IN_DELETE != 0:
		report(path)
	}
}
