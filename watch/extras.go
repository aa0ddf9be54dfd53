package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// extras are the single files that are watched wherever they are.
type extras struct {
	mu        sync.RWMutex
	files     map[string]bool
	ancestors map[string]bool // every folder above one of them
}

func newExtras() *extras {
	return &extras{files: map[string]bool{}, ancestors: map[string]bool{}}
}

// add reports whether the file is new.
func (e *extras) add(path string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.files[path] {
		return false
	}
	e.files[path] = true
	for dir := filepath.Dir(path); !e.ancestors[dir]; dir = filepath.Dir(dir) {
		e.ancestors[dir] = true
	}
	return true
}

func (e *extras) has(path string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.files[path]
}

// above reports whether a path is a folder above one of the files.
func (e *extras) above(path string) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.ancestors[path]
}

func (e *extras) under(folder string) []string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var files []string
	for path := range e.files {
		if under(path, folder) {
			files = append(files, path)
		}
	}
	return files
}

// Add watches one more file, which need not exist, and reports it once. It may be
// called at any time, also before Run. A file that the system does not watch, for
// want of watches, is compared with the others every Rescan.
func (w *Watcher) Add(path string) {
	w.init()
	if w.extra.add(path) {
		w.armExtra(path)
		w.pending.add(path, time.Now(), true)
	}
}

// armExtras watches the files under a folder anew and reports them.
func (w *Watcher) armExtras(folder string) {
	for _, path := range w.extra.under(folder) {
		w.armExtra(path)
		if folder != "" {
			w.pending.add(path, time.Now(), false)
		}
	}
}

// armExtra watches the folder that a file is in, or, while there is none, the
// nearest one above, where it will appear. A watch on the file itself would be lost
// when an editor renames a new version over it. Folders may come and go before the
// watch stands: then it is the wrong one.
func (w *Watcher) armExtra(path string) {
	system := w.watching()
	if system == nil {
		return
	}
	for range armTries {
		dir := nearestFolder(filepath.Dir(path))
		err := system.Add(dir)
		if err != nil && refused(err) {
			w.setBlind(dir)
			w.warned.Do(func() {
				w.say(fmt.Sprintf("the system does not watch some single files (%v); they are compared every %s", err, w.rescan()))
			})
			return
		}
		if dir == nearestFolder(filepath.Dir(path)) {
			return
		}
	}
}

// armTries bounds how often armExtra runs after folders that come and go.
const armTries = 10

// nearestFolder is the folder itself, or the nearest one above it that is there.
func nearestFolder(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	return dir
}
