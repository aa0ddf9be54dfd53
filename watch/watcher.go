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
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Defaults of a Watcher.
const (
	DefaultRescan = 10 * time.Minute // between two looks whether the system still watches
	DefaultPoll   = 2 * time.Second  // the same where the system reports nothing
)

// Watcher watches a folder, the folders in it that it is told to, and single
// files elsewhere. Fill in the fields, then call Run, once. Paths are absolute
// and clean.
type Watcher struct {
	Root   string                 // the folder; it need not exist, and may come and go
	Folder func(path string) bool // which folders below Root to look into; nil: none
	File   func(path string) bool // which files to report; nil: all
	// Removals is one more folder in Root, "" for none. Of the files in its folders it is reported
	// only that they were removed: on Linux, and not while polling. It need not exist.
	Removals string

	Rescan time.Duration // between two looks whether the system still watches; 0: DefaultRescan
	Poll   time.Duration // if set, compare this often and do not ask the system at all
	// Log is told, at most once for each of them, of the things that make the
	// watcher slower than it should be. nil: nobody is.
	Log func(message string)

	once, gaveUp sync.Once
	rescan, poll time.Duration // Rescan and Poll, or their defaults
	mount        func(path string) (foreign string)
	pending      *pending
	proofs       proofs        // of Sync
	removed      *removals     // nil while polling
	look         chan struct{} // asks for a comparison of everything
	comparable   bool          // a comparison of everything shows what changed

	mu      sync.Mutex
	system  *fsnotify.Watcher      // nil while polling
	folders map[string]fs.FileInfo // that are watched, Root and below, as they were then
	blind   map[string]bool        // folders that are there and that the system does not watch
	extra   map[string]bool        // single files
	above   map[string]bool        // every folder above one of them
}

func (w *Watcher) init() {
	w.once.Do(func() {
		w.pending = newPending()
		w.look = make(chan struct{}, 1)
		w.proofs.look = w.lookSoon
		w.folders, w.blind = map[string]fs.FileInfo{}, map[string]bool{}
		w.extra, w.above = map[string]bool{}, map[string]bool{}
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

// Run calls report, from one goroutine, with each path that may have changed,
// until ctx ends, which is not an error. The empty path means that history was
// lost: anything may have changed. The first report is an empty path, when it has
// begun to watch. report may take its time: nothing is missed meanwhile.
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
			others.Go(func() { removed.run(w.missed) })
		}
	}
	w.pending.lose(time.Now())
	others.Go(func() { w.compare(ctx) })
	w.pending.run(ctx.Done(), report)
	return nil
}

// start begins to watch; nil if the watcher has to poll.
func (w *Watcher) start() *fsnotify.Watcher {
	foreign := w.mount(w.Root)
	w.comparable = foreign == "" && (w.Poll == 0 || runtime.GOOS == "linux") // elsewhere nobody can tell mounts
	switch {
	case w.Poll > 0:
		w.giveUp(nil)
		return nil
	case foreign != "":
		w.giveUp(fmt.Errorf("%s lies on %s, and what another machine changes there is not told", w.Root, foreign))
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

// giveUp gives up on the system's reports; why is nil if that was asked for.
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
		w.lookSoon()
		if why != nil {
			w.say(fmt.Sprintf("the system does not report changes (%v); comparing all files every %s instead", why, w.poll))
		}
	})
}

// watching is the system's watcher; nil while polling.
func (w *Watcher) watching() *fsnotify.Watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.system
}

func (w *Watcher) say(message string) {
	if w.Log != nil {
		w.Log(message)
	}
}

// drain takes events from the system, until that is closed, and never waits for anybody.
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

// failed deals with an error of the system: whatever it was, something may have
// been missed.
func (w *Watcher) failed(err error) {
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		w.say(fmt.Sprintf("watching: %v", err))
	}
	w.rearm()
}

func (w *Watcher) handle(event fsnotify.Event) {
	if r, ours := w.proofs.cookieSeen(event.Name); ours {
		w.arrived(r)
		return
	}
	path, made, gone := event.Name, event.Has(fsnotify.Create), event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if made && path == w.Removals {
		w.removed.look(path)
	}
	switch {
	case gone && w.isFolder(path), (gone || made) && under(w.Root, path):
		w.rearm() // it took its watch along, or comes with anything in it
	case w.isFolder(path):
		if made || event.Has(fsnotify.Chmod) && w.anyBlind() {
			w.armFolder(path, true)
		}
	case w.accepts(path):
		w.pending.add(path, time.Now(), made && whole(path))
	}
	w.mu.Lock()
	above := w.above[path]
	w.mu.Unlock()
	if above && (gone || made) {
		for _, file := range w.singles(path) {
			w.armFile(file)
			w.pending.add(file, time.Now(), false)
		}
	}
}

// missed notes a file that was removed; "": some were, and nobody knows which.
func (w *Watcher) missed(path string) {
	switch {
	case path == "":
		w.pending.lose(time.Now())
	case w.accepts(path):
		w.pending.add(path, time.Now(), false)
	}
}

// isFolder reports whether a path is one of the folders that are watched, should
// it be a folder.
func (w *Watcher) isFolder(path string) bool {
	return path == w.Root || under(path, w.Root) && w.Folder(path)
}

func (w *Watcher) accepts(path string) bool {
	if under(path, w.Root) && w.File(path) {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.extra[path]
}

// under reports whether path is folder or stands below it; every path is under "".
func under(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || folder == "" || rest[0] == filepath.Separator)
}

// whole reports whether a new file has content: it was probably renamed into
// place, and there is nothing to wait for.
func whole(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() > 0
}

// refused reports whether an error says that the system will not watch any more.
func refused(err error) bool {
	for _, limit := range []error{syscall.ENOSPC, syscall.EMFILE, syscall.ENFILE, syscall.ENOSYS, syscall.ENOMEM} {
		if errors.Is(err, limit) {
			return true
		}
	}
	return false
}
