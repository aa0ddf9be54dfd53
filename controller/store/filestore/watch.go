package filestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/watch"
)

// WatchOptions configures Watch. With the zero value it uses the system's file
// notifications, and compares all files only if they are not available.
type WatchOptions struct {
	Poll time.Duration  // interval for comparing all files instead of using notifications; 0 uses notifications
	Log  func(m string) // receives, once, the reason for a slower watch; may be nil
	// WriteLost reports whether the right to write was lost. It is called when the
	// controller's lock file changes; if it returns true, changes may have been
	// missed. It may be nil.
	WriteLost func() bool
}

// SetWatchOptions sets the options. It must be called before the first Watch.
func (s *Store) SetWatchOptions(o WatchOptions) { s.options = o }

// Watch hints keys that may have changed. See store.Store. A change in the
// archive or in quarantine is a hint for the object's key. For statuses only
// removals are hinted, because only the controller writes them. The removal of
// a whole directory means that changes may have been missed.
func (s *Store) Watch(ctx context.Context, hint func(resources.Key)) error {
	folders, lost := foldersToWatch(), s.options.WriteLost
	folders[layout.RunDir] = lost != nil
	w := &watch.Watcher{
		Poll:     s.options.Poll,
		Log:      s.options.Log,
		Root:     s.root.Abs(layout.Dir),
		Folder:   func(abs string) bool { return folders[s.rel(abs)] },
		Removals: s.root.Abs(layout.StatusDir),
		File: func(abs string) bool {
			rel := s.rel(abs)
			_, ok := keyOf(rel)
			return ok || statusOf(rel) != "" || isControllerPath(rel) || lost != nil && rel == layout.ControllerLock
		},
	}
	var sweeping sync.WaitGroup
	defer sweeping.Wait()
	sweeping.Go(func() { s.sweepAll(ctx) })
	defer s.sources.attach(w)()
	return w.Run(ctx, func(abs string) {
		if s.rel(abs) == layout.ControllerLock {
			if lost() {
				hint(resources.Key{})
			}
			return
		}
		if abs == "" || isControllerPath(s.rel(abs)) && missing(abs) {
			hint(resources.Key{})
			return
		}
		if key, ok := keyOf(s.rel(abs)); ok {
			hint(key)
		}
		if name := statusOf(s.rel(abs)); name != "" && missing(abs) {
			hint(resources.Key{Kind: store.StatusKind, Name: name})
		}
		for _, name := range s.sources.names(abs) {
			hint(resources.Key{Kind: store.FilesKind, Name: name})
		}
	})
}

// isControllerPath reports whether a path is a directory of files that the controller
// writes, which git clean -x removes.
func isControllerPath(p string) bool {
	return p == layout.StatusDir || p == layout.ContextDir || p == layout.RunDir || p == layout.QuarantineDir || p == layout.DerivedDir
}

// missing reports whether nothing exists at an absolute path.
func missing(abs string) bool {
	_, err := os.Lstat(abs)
	return errors.Is(err, fs.ErrNotExist)
}

// rel returns an absolute path relative to the repository's root, with slashes.
// Paths outside stay absolute.
func (s *Store) rel(abs string) string {
	rel, _ := strings.CutPrefix(abs, string(s.root)+string(filepath.Separator))
	return filepath.ToSlash(rel)
}

// foldersToWatch returns the directories whose files Watch hints.
func foldersToWatch() map[string]bool {
	folders := map[string]bool{layout.CheckpointsDir: true, layout.ArchiveDir: true, layout.QuarantineDir: true, layout.DerivedDir: true}
	for _, kind := range resources.Kinds() {
		folders[layout.QuarantineDir+"/"+kind.Plural] = true
		if !kind.Single {
			folders[layout.Folder(kind.Plural)] = true
			folders[layout.ArchiveDir+"/"+kind.Plural] = true
			folders[layout.DerivedFolder(kind.Plural)] = true
		}
	}
	delete(folders, "") // for kinds without derived objects
	return folders
}

// keyOf returns the key that a change at a path hints. It returns false if the
// path is not that of an object. A listing names files with invalid names as well.
func keyOf(p string) (resources.Key, bool) {
	if key, ok := layout.ClaimedKeyOf(p); ok {
		return key, true
	}
	if rest, archived := strings.CutPrefix(p, layout.ArchiveDir+"/"); archived {
		p = layout.Dir + "/" + rest
	}
	if rest, marked := strings.CutPrefix(p, layout.QuarantineDir+"/"); marked {
		kind, file := path.Split(rest)
		p = layout.Folder(path.Clean(kind)) + "/" + file
	}
	return layout.KeyOf(p)
}

// statusOf returns the object whose status is at a path, in the format of
// Key.String, or "".
func statusOf(p string) string {
	rest, _ := strings.CutPrefix(p, layout.StatusDir+"/")
	kind, file := path.Split(rest)
	if name, ok := layout.ObjectName(file); ok && rest != p && kind != "" {
		return kind + name
	}
	return ""
}

// sources holds the repository files that Watch reports besides objects.
type sources struct {
	mu        sync.Mutex
	requested map[string][]string // absolute path -> requested names
	watcher   *watch.Watcher      // nil without a watch
}

// WatchFile makes Watch hint a repository file or a file of git. See store.Store.
func (s *Store) WatchFile(name string) {
	abs := filepath.FromSlash(name)
	switch {
	case filepath.IsLocal(abs):
		abs = s.root.Abs(path.Clean(name))
	case !slices.Contains(githistory.Files(s.root), name):
		return
	}
	f := &s.sources
	f.mu.Lock()
	defer f.mu.Unlock()
	if slices.Contains(f.requested[abs], name) {
		return
	}
	if f.requested == nil {
		f.requested = map[string][]string{}
	}
	f.requested[abs] = append(f.requested[abs], name)
	if f.watcher != nil {
		f.watcher.Add(abs)
	}
}

// names returns the names under which callers requested the file at an absolute
// path.
func (f *sources) names(abs string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.requested[abs]
}

// attach sets the watcher that receives new files. detach removes it.
func (f *sources) attach(w *watch.Watcher) (detach func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for abs := range f.requested {
		w.Add(abs)
	}
	f.watcher = w
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.watcher == w {
			f.watcher = nil
		}
	}
}

// WaitSynced waits until all earlier writes were hinted. See store.Syncer.
func (s *Store) WaitSynced(ctx context.Context) error {
	s.sources.mu.Lock()
	w := s.sources.watcher
	s.sources.mu.Unlock()
	if w == nil {
		return fmt.Errorf("%w: nobody watches %s", store.ErrNotSynced, layout.Dir)
	}
	err := w.Sync(ctx)
	if errors.Is(err, watch.ErrUnproven) {
		return fmt.Errorf("%w: %w", store.ErrNotSynced, err)
	}
	return err
}
