package watch

import (
	"context"
	"hash/maphash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// racy is how recently a file may have changed for its signature to prove nothing:
// it may change again within one tick of the file system's clock, which is two
// seconds on FAT (git calls such an entry racily clean).
const racy = 2 * time.Second

// snapshot is what all files looked like: a hash of size, times and inode by path.
// 0 is a file that was changed too recently to tell.
type snapshot map[string]uint64

func (w *Watcher) rescan() time.Duration {
	if w.Rescan > 0 {
		return w.Rescan
	}
	return DefaultRescan
}

// compare looks, until ctx ends, whether the system still watches all that it should, and where
// it does not watch, or a comparison is asked for, at all files, and reports those that look
// different.
func (w *Watcher) compare(ctx context.Context) {
	scan := scanner{w: w, seed: maphash.MakeSeed()}
	var before snapshot // nil: all files are different
	if !w.proofs.byCookie() {
		before = scan.all()
	}
	for w.rest(ctx) {
		began, asked := time.Now(), w.proofs.comparison()
		if asked == nil && w.watching() != nil && !w.anyBlind() {
			w.rewatch()
			continue
		}
		after := scan.all()
		w.difference(before, after)
		before = after
		w.proofs.compared(time.Since(began))
		if asked != nil {
			w.arrived(asked)
		}
	}
}

// rewatch watches again, and reports all that is in them, the folders that the system does not
// watch any more though nobody said so. There are few of them, however many files there are.
func (w *Watcher) rewatch() {
	watched := map[string]bool{}
	if system := w.watching(); system != nil {
		for _, path := range system.WatchList() {
			watched[path] = true
		}
	}
	w.watch(filepath.Dir(w.Root))
	w.mu.Lock()
	folders := append(slices.Collect(maps.Keys(w.folders)), w.Root)
	w.mu.Unlock()
	for _, folder := range folders {
		switch info, err := os.Lstat(folder); {
		case err == nil && info.IsDir() && (!watched[folder] || w.moved(folder, info)):
			w.armFolder(folder, true)
		case err != nil && folder != w.Root:
			w.rearm()
			return
		}
	}
	for _, path := range w.extra.under("") {
		if !watched[nearestFolder(filepath.Dir(path))] {
			w.armExtra(path)
			w.pending.add(path, time.Now(), false)
		}
	}
}

// rest waits until it is time to compare; false when ctx ends. While not even the
// folder is there that Root would be in, there is nothing to watch, only to look.
func (w *Watcher) rest(ctx context.Context) bool {
	timer := time.NewTimer(w.every())
	defer timer.Stop()
	polling := w.polling
	for {
		select {
		case <-ctx.Done():
			return false
		case <-timer.C:
			return true
		case <-w.proofs.look:
			return true
		case <-polling:
			polling = nil // told once is enough
		case <-w.adrift:
		}
		timer.Reset(w.every())
	}
}

func (w *Watcher) every() time.Duration {
	select {
	case <-w.polling:
		return w.interval()
	default:
	}
	if _, err := os.Lstat(filepath.Dir(w.Root)); err != nil {
		return w.interval()
	}
	return w.rescan()
}

// difference reports the paths that are not the same in both.
func (w *Watcher) difference(before, after snapshot) {
	now := time.Now()
	for path, hash := range after {
		if then, known := before[path]; !known || hash == 0 || then != hash {
			w.pending.add(path, now, false)
		}
	}
	for path := range before {
		if _, there := after[path]; !there {
			w.pending.add(path, now, false)
		}
	}
}

// scanner makes snapshots that can be compared.
type scanner struct {
	w    *Watcher
	seed maphash.Seed
}

func (s scanner) all() snapshot {
	files := snapshot{}
	s.w.watch(filepath.Dir(s.w.Root))
	s.folder(s.w.Root, files)
	for _, path := range s.w.extra.under("") {
		s.file(path, files)
	}
	return files
}

// folder adds what is in a folder. It is also where a watch is found that was lost.
func (s scanner) folder(folder string, files snapshot) {
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return
	}
	if s.w.moved(folder, info) {
		s.w.armFolder(folder, true)
	}
	for _, name := range namesIn(folder) {
		path := filepath.Join(folder, name)
		if s.w.isFolder(path) {
			s.folder(path, files)
		} else if s.w.accepts(path) {
			s.file(path, files)
		}
	}
}

func (s scanner) file(path string, files snapshot) {
	info, err := os.Lstat(path)
	if err != nil {
		return
	}
	if time.Since(info.ModTime()) < racy {
		files[path] = 0
		return
	}
	files[path] = maphash.Comparable(s.seed, identify(info)) | 1
}
