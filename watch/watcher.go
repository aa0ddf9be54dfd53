package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Defaults of a Watcher.
const (
	DefaultRescan = 10 * time.Minute // between two checks of the watches
	DefaultPoll   = 2 * time.Second  // between two comparisons while polling
)

// A Watcher watches a folder, selected subfolders, and single files elsewhere. Set the fields, then
// call Run once. Paths are absolute and clean.
type Watcher struct {
	Root   string                 // the folder; it need not exist, and may be created and deleted later
	Folder func(path string) bool // selects subfolders of Root; nil selects none
	File   func(path string) bool // selects the files to report; nil selects all
	// Removals is one more folder in Root, or "". In its subfolders only the removal of files is
	// reported, on Linux, and not while polling. It need not exist.
	Removals string

	Rescan time.Duration // between two checks of the watches; 0 means DefaultRescan
	Poll   time.Duration // if set, compares all files at this interval and does not use the system's events
	// Log, if not nil, receives a message when the watcher has to poll, and for
	// each error of the system's events.
	Log func(message string)

	once, gaveUp       sync.Once
	rescan, poll       time.Duration // Rescan and Poll, or their defaults
	mount              func(path string) (foreign string)
	pending            *pending
	proofs             proofs        // state of Sync
	removed            *removals     // nil while polling
	comparisonRequests chan struct{} // requests a comparison of all files
	comparable         bool          // a comparison detects every change

	mu        sync.Mutex
	system    *fsnotify.Watcher      // nil while polling
	folders   map[string]fs.FileInfo // watched folders, as they were when the watch was added
	unwatched map[string]bool        // existing folders that the system does not watch
	files     map[string]bool        // single files
	parents   map[string]bool        // every parent folder of a single file
}

// init sets the unexported fields and the defaults of the exported ones, at the first call. Run,
// Sync and Add call it.
func (w *Watcher) init() {
	w.once.Do(func() {
		w.pending = newPending()
		w.comparisonRequests = make(chan struct{}, 1)
		w.proofs.requestComparison = w.requestComparison
		w.folders, w.unwatched = map[string]fs.FileInfo{}, map[string]bool{}
		w.files, w.parents = map[string]bool{}, map[string]bool{}
		w.rescan, w.poll = cmp.Or(w.Rescan, DefaultRescan), cmp.Or(w.Poll, DefaultPoll)
		if w.Folder == nil {
			w.Folder = func(string) bool { return false }
		}
		if w.File == nil {
			w.File = func(string) bool { return true }
		}
		if w.mount == nil {
			w.mount = foreignMount
		}
	})
}

// Run watches until ctx ends and then returns nil. It calls report, from one goroutine, with each
// path that may have changed. The empty path means that events were lost and any file may have
// changed; it is the first report, after the watches were added. report may block: changes are
// recorded while it runs.
func (w *Watcher) Run(ctx context.Context, report func(path string)) error {
	w.init()
	ctx, stop := context.WithCancel(ctx)
	var others sync.WaitGroup
	defer w.proofs.renew(nil, false)
	defer others.Wait()
	defer stop()
	if system := w.start(); system != nil {
		defer system.Close()
		others.Go(func() { w.drain(ctx, system) })
		if removed := w.removed; removed != nil {
			defer removed.close()
			others.Go(func() { removed.run(w.recordRemoval) })
		}
	}
	w.pending.loseEvents(time.Now())
	others.Go(func() { w.compare(ctx) })
	w.pending.run(ctx.Done(), report)
	return nil
}

// start adds the watches. It returns nil if the watcher has to poll from the
// start.
func (w *Watcher) start() *fsnotify.Watcher {
	foreign := w.mount(w.Root)
	w.comparable = foreign == "" && (w.Poll == 0 || runtime.GOOS == "linux") // mounts are recognized on Linux only
	switch {
	case w.Poll > 0:
		w.giveUp(nil)
		return nil
	case foreign != "":
		w.giveUp(fmt.Errorf("%s is on %s, which does not report changes by other machines", w.Root, foreign))
		return nil
	}
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.giveUp(err)
		return nil
	}
	w.mu.Lock()
	w.system = system
	w.mu.Unlock()
	w.removed = newRemovals()
	w.rearm()
	return system
}

// giveUp switches to polling, at the first call. why is the reason to log, nil
// if polling was requested.
func (w *Watcher) giveUp(why error) {
	w.gaveUp.Do(func() {
		w.mu.Lock()
		system := w.system
		w.system = nil
		w.mu.Unlock()
		w.proofs.renew(nil, w.comparable)
		if system != nil {
			system.Close()
		}
		w.requestComparison()
		if why != nil {
			w.log(fmt.Sprintf("the system does not report changes (%v); comparing all files every %s instead", why, w.poll))
		}
	})
}

// fsnotifyWatcher returns the fsnotify watcher, nil while polling.
func (w *Watcher) fsnotifyWatcher() *fsnotify.Watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.system
}

// log calls Log with a message, if Log is set.
func (w *Watcher) log(message string) {
	if w.Log != nil {
		w.Log(message)
	}
}

// drain reads events until system is closed or ctx ends. It never blocks on the
// reporter.
func (w *Watcher) drain(ctx context.Context, system *fsnotify.Watcher) {
	for {
		select {
		case event, ok := <-system.Events:
			if !ok {
				return
			}
			w.handle(event)
		case err, ok := <-system.Errors:
			if !ok {
				return
			}
			w.failed(err)
		case <-ctx.Done():
			return
		}
	}
}

// failed handles an error of the system. Any error may mean lost events, so it renews all watches.
func (w *Watcher) failed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.log(fmt.Sprintf("watching: %v", err))
	}
	w.rearm()
}

// handle handles one event of fsnotify: it ends the round of a cookie, records the path of a file
// to report, and adds watches if a folder was created, moved or removed.
func (w *Watcher) handle(event fsnotify.Event) {
	if r, ours := w.proofs.roundOfCookie(event.Name); ours {
		w.arrived(r)
		return
	}
	path, made, gone := event.Name, event.Has(fsnotify.Create), event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if made && path == w.Removals {
		w.removed.look(path)
	}
	switch {
	case gone && w.isFolder(path), (gone || made) && isUnder(w.Root, path):
		w.rearm() // a moved folder keeps its watch; a new one may contain files
	case w.isFolder(path):
		if made || event.Has(fsnotify.Chmod) && w.hasUnwatched() {
			w.armFolder(path, true)
		}
	case w.accepts(path):
		w.pending.add(path, time.Now(), made && isComplete(path))
	}
	w.mu.Lock()
	above := w.parents[path]
	w.mu.Unlock()
	if above && (gone || made) {
		for _, file := range w.singleFiles(path) {
			w.armFile(file)
			w.pending.add(file, time.Now(), false)
		}
	}
}

// recordRemoval records the removal of a file; "" means that removals were lost.
func (w *Watcher) recordRemoval(path string) {
	switch {
	case path == "":
		w.pending.loseEvents(time.Now())
	case w.accepts(path):
		w.pending.add(path, time.Now(), false)
	}
}

// isFolder reports whether path would be watched if it is a folder.
func (w *Watcher) isFolder(path string) bool {
	return path == w.Root || isUnder(path, w.Root) && w.Folder(path)
}

// accepts reports whether path is a file to report: one in Root that File selects, or one that was
// passed to Add.
func (w *Watcher) accepts(path string) bool {
	if isUnder(path, w.Root) && w.File(path) {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.files[path]
}

// isUnder reports whether path is folder or is below it. Every path is under "".
func isUnder(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || folder == "" || rest[0] == filepath.Separator)
}

// isComplete reports whether a new file has content. Such a file was probably renamed into place and is
// complete.
func isComplete(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// isRefused reports whether an error means that the system grants no further watch.
func isRefused(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOSYS, syscall.ENOMEM}, func(limit error) bool {
		return errors.Is(err, limit)
	})
}
