package watch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// rearm watches everything anew, at the start and after a folder was moved or removed, or
// events were lost.
func (w *Watcher) rearm() {
	if system := w.watching(); system != nil {
		for _, folder := range system.WatchList() {
			system.Remove(folder) // it may be another folder of that name by now
		}
	}
	w.mu.Lock()
	clear(w.folders)
	clear(w.blind)
	w.mu.Unlock()
	for _, path := range append(w.singles(""), w.Root) {
		w.armFile(path)
	}
	w.armFolder(w.Root, false)
	w.removed.look(w.Removals)
	w.pending.lose(time.Now())
	w.proofs.renew(w.watching(), w.comparable)
}

// intact reports whether the system still watches all that it should: it may have stopped
// though nobody said so. There are few folders, however many files there are.
func (w *Watcher) intact() bool {
	system := w.watching()
	if system == nil {
		return true
	}
	watched := system.WatchList()
	for _, path := range append(w.singles(""), w.Root) {
		if !slices.Contains(watched, nearestFolder(filepath.Dir(path))) {
			return false
		}
	}
	w.mu.Lock()
	folders := maps.Clone(w.folders)
	w.mu.Unlock()
	for folder, then := range folders {
		if now, err := os.Lstat(folder); err != nil || !os.SameFile(then, now) || !slices.Contains(watched, folder) {
			return false
		}
	}
	return true
}

// armFolder watches a folder and those in it. It lists each after that: what was made in it
// before the watch stood is never reported by the system. fresh: report the files that it finds.
func (w *Watcher) armFolder(folder string, fresh bool) {
	w.each(folder, func(path string) {
		if fresh {
			w.pending.add(path, time.Now(), false)
		}
	}, func(folder string, info fs.FileInfo) bool {
		watched := w.watch(folder)
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(w.blind, folder); watched {
			w.folders[folder] = info
		} else {
			w.blind[folder] = true
		}
		return watched
	})
}

// each calls file with every file to report in a folder and in the folders below it to look
// into. enter, if any, is called with each of those folders before it is listed, and says
// whether to.
func (w *Watcher) each(folder string, file func(path string), enter func(folder string, info fs.FileInfo) bool) {
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() || enter != nil && !enter(folder, info) {
		return
	}
	f, err := os.Open(folder)
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1)
	f.Close()
	for _, name := range names {
		path := filepath.Join(folder, name)
		if w.isFolder(path) {
			w.each(path, file, enter)
		} else if w.accepts(path) {
			file(path)
		}
	}
}

// watch asks the system to report on a folder. A folder that is not there is
// reported by the one that it would be in.
func (w *Watcher) watch(folder string) bool {
	system := w.watching()
	if system == nil {
		return false
	}
	err := system.Add(folder)
	if err != nil && refused(err) {
		w.giveUp(err)
	}
	return err == nil
}

// anyBlind reports whether the system reports, but not on all folders.
func (w *Watcher) anyBlind() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.blind) > 0 && w.system != nil
}

// Add watches one more file, wherever it is. It need not exist, and is reported once. Add may
// be called at any time, also before Run.
func (w *Watcher) Add(path string) {
	w.init()
	w.mu.Lock()
	known := w.extra[path]
	w.extra[path] = true
	for dir := filepath.Dir(path); !w.above[dir]; dir = filepath.Dir(dir) {
		w.above[dir] = true
	}
	w.mu.Unlock()
	if !known {
		w.armFile(path)
		w.pending.add(path, time.Now(), true)
	}
}

// singles are the single files in a folder and below it; all of them for "".
func (w *Watcher) singles(folder string) (files []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path := range w.extra {
		if under(path, folder) {
			files = append(files, path)
		}
	}
	return files
}

// armTries bounds how often armFile runs after folders that come and go.
const armTries = 10

// armFile watches the folder that a file, or Root, is in, or, while there is none, the
// nearest one above, where it will appear. A watch on the file itself would be lost
// when an editor renames a new version over it. Folders may come and go before the
// watch stands: then it is the wrong one.
func (w *Watcher) armFile(path string) {
	for range armTries {
		dir := nearestFolder(filepath.Dir(path))
		w.watch(dir)
		if dir == nearestFolder(filepath.Dir(path)) {
			return
		}
	}
}

// nearestFolder is the folder itself, or the nearest one above it that is there.
func nearestFolder(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	return dir
}
