package watch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// rearm replaces all watches and reports lost events. The rounds of Sync in
// flight fail. rearm is called at the start, after a folder was moved or
// removed, and after events were lost.
func (w *Watcher) rearm() {
	if system := w.fsnotifyWatcher(); system != nil {
		for _, folder := range system.WatchList() {
			system.Remove(folder) // the name may refer to another folder now
		}
	}
	w.mu.Lock()
	clear(w.folders)
	clear(w.unwatched)
	w.mu.Unlock()
	for _, path := range append(w.singleFiles(""), w.Root) {
		w.armFile(path)
	}
	w.armFolder(w.Root, false)
	w.removed.look(w.Removals)
	w.pending.loseEvents(time.Now())
	w.proofs.renew(w.fsnotifyWatcher(), w.comparable)
}

// intact reports whether the system still watches every folder; true while
// polling. A watch can be lost without an event. The check costs one lstat a
// folder, however many files there are.
func (w *Watcher) intact() bool {
	system := w.fsnotifyWatcher()
	if system == nil {
		return true
	}
	watched := system.WatchList()
	for _, path := range append(w.singleFiles(""), w.Root) {
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

// armFolder watches a folder and its subfolders. It lists each folder after the watch was added,
// because the system does not report files that were created before. If fresh is set, it reports
// the files that it lists.
func (w *Watcher) armFolder(folder string, fresh bool) {
	w.walk(folder, func(path string) {
		if fresh {
			w.pending.add(path, time.Now(), false)
		}
	}, func(folder string, info fs.FileInfo) bool {
		watched := w.watch(folder)
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(w.unwatched, folder); watched {
			w.folders[folder] = info
		} else {
			w.unwatched[folder] = true
		}
		return watched
	})
}

// walk calls file with every file to report in a folder and its subfolders. If enter is not nil,
// walk calls it with each folder before it lists the folder, and skips the folder if enter returns
// false.
func (w *Watcher) walk(folder string, file func(path string), enter func(folder string, info fs.FileInfo) bool) {
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
		if path := filepath.Join(folder, name); w.isFolder(path) {
			w.walk(path, file, enter)
		} else if w.accepts(path) {
			file(path)
		}
	}
}

// watch adds a watch on a folder and reports whether it succeeded. If the
// system grants no further watch, it switches to polling. If the folder does
// not exist, the watch on its parent reports its creation.
func (w *Watcher) watch(folder string) bool {
	system := w.fsnotifyWatcher()
	if system == nil {
		return false
	}
	err := system.Add(folder)
	if err != nil && isRefused(err) {
		w.giveUp(err)
	}
	return err == nil
}

// hasUnwatched reports whether the system watches some folders but not all.
func (w *Watcher) hasUnwatched() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.unwatched) > 0 && w.system != nil
}

// Add watches one more file, anywhere in the file system. The file need not
// exist. The first call reports it. Add may be called at any time, also before
// Run, and by several goroutines.
func (w *Watcher) Add(path string) {
	w.init()
	w.mu.Lock()
	known := w.files[path]
	w.files[path] = true
	for dir := filepath.Dir(path); !w.parents[dir]; dir = filepath.Dir(dir) {
		w.parents[dir] = true
	}
	w.mu.Unlock()
	if !known {
		w.armFile(path)
		w.pending.add(path, time.Now(), true)
	}
}

// singleFiles returns the single files in a folder and its subfolders; all of them if folder is "".
func (w *Watcher) singleFiles(folder string) (files []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for path := range w.files {
		if isUnder(path, folder) {
			files = append(files, path)
		}
	}
	return files
}

// armTries limits the retries of armFile when folders are created and deleted at the same time.
const armTries = 10

// armFile watches the folder of a file, or of Root. If the folder does not exist, it watches the
// nearest parent that exists, which reports the creation. It does not watch the file, because that
// watch is lost when an editor renames a new version over the file. It tries again if the nearest
// folder changed before the watch was added.
func (w *Watcher) armFile(path string) {
	for range armTries {
		dir := nearestFolder(filepath.Dir(path))
		w.watch(dir)
		if dir == nearestFolder(filepath.Dir(path)) {
			return
		}
	}
}

// nearestFolder returns dir, or its nearest parent that exists.
func nearestFolder(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
	}
	return dir
}
