package watch

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// arm watches the parent of Root, Root and the folders in it.
func (w *Watcher) arm() {
	if !w.watch(filepath.Dir(w.Root)) {
		select {
		case w.adrift <- struct{}{}:
		default:
		}
	}
	w.armFolder(w.Root, false)
}

// rearm starts over after a folder was moved or removed, or events were lost.
func (w *Watcher) rearm() {
	w.mu.Lock()
	for folder := range w.folders {
		if w.system != nil {
			w.system.Remove(folder) // it may be another folder of that name by now
		}
	}
	clear(w.folders)
	clear(w.blind)
	w.mu.Unlock()
	w.arm()
	w.armExtras("")
	w.pending.lose(time.Now())
	w.proofs.renew(w.watching())
}

// armFolder watches a folder, then lists it: what was made in it before the watch
// stood is never reported by the system. fresh: report the files that it finds.
func (w *Watcher) armFolder(folder string, fresh bool) {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return
	}
	if !w.watch(folder) {
		w.setBlind(folder)
		return
	}
	w.mu.Lock()
	w.folders[folder] = info
	delete(w.blind, folder)
	w.mu.Unlock()
	now := time.Now()
	for _, name := range namesIn(folder) {
		path := filepath.Join(folder, name)
		if w.isFolder(path) {
			w.armFolder(path, fresh)
		} else if fresh && w.accepts(path) {
			w.pending.add(path, now, false)
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
		w.poll(err)
	}
	return err == nil
}

// setBlind notes a folder that is there, and that the system does not watch.
func (w *Watcher) setBlind(folder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.system != nil {
		w.blind[folder] = true
	}
}

func (w *Watcher) isBlind(folder string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.blind[folder]
}

// moved reports whether a watched folder is no longer the one that is watched, or
// a folder that should be is not. It is how a lost watch is found.
func (w *Watcher) moved(folder string, now fs.FileInfo) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	then, watched := w.folders[folder]
	return w.system != nil && (!watched || !os.SameFile(then, now))
}

func namesIn(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	return names
}

// under reports whether path is folder or stands below it; every path is under "".
func under(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || folder == "" || rest[0] == filepath.Separator)
}
