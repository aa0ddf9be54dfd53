package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

	Rescan time.Duration // between two looks whether the system still watches; 0: DefaultRescan
	Poll   time.Duration // if set, compare this often and do not ask the system at all
	// Log is told, at most once for each of them, of the things that make the
	// watcher slower than it should be. nil: nobody is.
	Log func(message string)

	once    sync.Once
	pending *pending
	polling chan struct{} // closed when the system's reports are given up
	giveUp  sync.Once
	warned  sync.Once

	extra  *extras
	adrift chan struct{} // told that even Root's parent may be gone
	proofs proofs        // of Sync
	mount  func(path string) (foreign string)

	mu      sync.Mutex
	system  *fsnotify.Watcher      // nil while polling
	folders map[string]fs.FileInfo // that are watched, Root and below, as they were then
	blind   map[string]bool        // folders that are there and that the system does not watch
}

func (w *Watcher) init() {
	w.once.Do(func() {
		w.pending = newPending()
		w.polling = make(chan struct{})
		w.folders = map[string]fs.FileInfo{}
		w.blind = map[string]bool{}
		w.proofs.look = make(chan struct{}, 1)
		w.extra = newExtras()
		w.adrift = make(chan struct{}, 1)
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
	defer stop()
	var others sync.WaitGroup
	defer w.proofs.end()
	defer others.Wait()
	defer stop()
	if system := w.start(); system != nil {
		defer system.Close()
		others.Go(func() { w.drain(ctx, system) })
	}
	w.pending.lose(time.Now())
	others.Go(func() { w.compare(ctx) })
	w.pending.run(ctx.Done(), report)
	return nil
}

// start begins to watch; nil if the watcher has to poll.
func (w *Watcher) start() *fsnotify.Watcher {
	foreign := w.mount(w.Root)
	w.proofs.begin(foreign == "" && (w.Poll == 0 || mountsKnown))
	if w.Poll > 0 {
		w.poll(nil)
		return nil
	}
	if foreign != "" {
		w.poll(fmt.Errorf("%s lies on %s, and what another machine changes there is not told", w.Root, foreign))
		return nil
	}
	system, err := fsnotify.NewWatcher()
	if err != nil {
		w.poll(err)
		return nil
	}
	w.mu.Lock()
	w.system = system
	w.mu.Unlock()
	w.arm()
	w.armExtras("")
	w.proofs.renew(w.watching())
	return system
}

// poll gives up on the system's reports; why is nil if that was asked for.
func (w *Watcher) poll(why error) {
	w.giveUp.Do(func() {
		w.mu.Lock()
		w.system = nil
		w.mu.Unlock()
		w.proofs.renew(nil)
		close(w.polling)
		if why != nil {
			w.say(fmt.Sprintf("the system does not report changes (%v); comparing all files every %s instead", why, w.interval()))
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

// interval is how often to compare while polling.
func (w *Watcher) interval() time.Duration {
	if w.Poll > 0 {
		return w.Poll
	}
	return DefaultPoll
}

// drain takes events from the system and never waits for anybody.
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
		case <-w.polling:
			system.Close()
			return
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
	if w.proofs.isCookie(event.Name) {
		w.arrived(nil)
		return
	}
	path, gone := event.Name, event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	switch {
	case gone && path == filepath.Dir(w.Root):
		w.rearm()
	case w.isFolder(path):
		if gone || path == w.Root && event.Has(fsnotify.Create) {
			w.rearm() // it took its watch along, or comes with anything in it
		} else if event.Has(fsnotify.Create) || event.Has(fsnotify.Chmod) && w.isBlind(path) {
			w.armFolder(path, true)
		}
	case w.accepts(path):
		w.pending.add(path, time.Now(), event.Has(fsnotify.Create) && whole(path))
	}
	if w.extra.above(path) && (gone || event.Has(fsnotify.Create)) {
		w.armExtras(path)
	}
}

// isFolder reports whether a path is one of the folders that are watched, should
// it be a folder.
func (w *Watcher) isFolder(path string) bool {
	return path == w.Root || w.below(path) && w.Folder(path)
}

func (w *Watcher) accepts(path string) bool {
	return w.below(path) && w.File(path) || w.extra.has(path)
}

func (w *Watcher) below(path string) bool {
	n := len(w.Root)
	return len(path) > n && path[n] == filepath.Separator && path[:n] == w.Root
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
