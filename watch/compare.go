package watch

import (
	"context"
	"time"
)

// racy is how recently a file may have changed for its identity to prove nothing:
// it may change again within one tick of the file system's clock, which is two
// seconds on FAT (git calls such an entry racily clean).
const racy = 2 * time.Second

// snapshot is what all files looked like. The zero identity is a file that was changed too
// recently to tell.
type snapshot map[string]identity

// compare looks, until ctx ends, whether the system still watches all that it should, and where
// it does not watch, or a comparison is asked for, at all files, and reports those that look
// different.
func (w *Watcher) compare(ctx context.Context) {
	var before snapshot // nil: all files are different
	if _, compares := w.proofs.comparison(); compares {
		before = w.snapshot()
	}
	for w.rest(ctx) {
		began := time.Now()
		asked, _ := w.proofs.comparison()
		if !w.intact() {
			w.rearm()
		}
		if asked == nil && w.watching() != nil && !w.anyBlind() {
			continue
		}
		after := w.snapshot()
		w.difference(before, after)
		before = after
		w.proofs.compared(time.Since(began))
		w.arrived(asked)
	}
}

// rest waits until it is time to compare, or somebody asks for it; false when ctx ends.
func (w *Watcher) rest(ctx context.Context) bool {
	timer := time.NewTimer(w.every())
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-w.look:
	}
	return true
}

// lookSoon asks for a comparison.
func (w *Watcher) lookSoon() {
	select {
	case w.look <- struct{}{}:
	default:
	}
}

// every is how long to rest.
func (w *Watcher) every() time.Duration {
	if w.watching() == nil {
		return w.poll
	}
	return w.rescan
}

// difference reports the paths that are not the same in both.
func (w *Watcher) difference(before, after snapshot) {
	now := time.Now()
	for path, id := range after {
		if then, known := before[path]; !known || id == (identity{}) || then != id {
			w.pending.add(path, now, false)
		}
	}
	for path := range before {
		if _, there := after[path]; !there {
			w.pending.add(path, now, false)
		}
	}
}

// snapshot looks at all files.
func (w *Watcher) snapshot() snapshot {
	files := snapshot{}
	add := func(path string) {
		id, modified, err := identify(path)
		if err == nil && time.Since(modified) < racy {
			id = identity{}
		}
		if err == nil {
			files[path] = id
		}
	}
	w.each(w.Root, add, nil)
	for _, path := range w.singles("") {
		add(path)
	}
	return files
}
