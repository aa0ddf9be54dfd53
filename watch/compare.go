package watch

import (
	"context"
	"time"
)

// racyWindow is an interval in time. A file that was modified more recently can change again without a
// change of its identity, within one tick of the file system's clock. The longest tick is two
// seconds, on FAT. Git calls such an index entry racily clean.
const racyWindow = 2 * time.Second

// A snapshot maps each file to its identity. A file that was modified within racyWindow has the
// zero identity.
type snapshot map[string]identity

// compare runs until ctx ends. At each interval, and on request, it checks that the system still
// watches every folder. If the system does not watch some or all folders, or if a caller of Sync
// needs a comparison, it compares all files with the previous snapshot and reports the differences.
func (w *Watcher) compare(ctx context.Context) {
	var before snapshot // nil until the first comparison, so that every file differs
	if _, compares := w.proofs.comparison(); compares {
		before = w.snapshot()
	}
	for w.rest(ctx) {
		began := time.Now()
		asked, _ := w.proofs.comparison()
		if !w.intact() {
			w.rearm()
		}
		if asked == nil && w.fsnotifyWatcher() != nil && !w.hasUnwatched() {
			continue
		}
		after := w.snapshot()
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
		before = after
		w.proofs.recordComparison(time.Since(began))
		w.arrived(asked)
	}
}

// rest waits until the next comparison is due or requested. It returns false when ctx ends.
func (w *Watcher) rest(ctx context.Context) bool {
	timer := time.NewTimer(w.interval())
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-w.comparisonRequests:
	}
	return true
}

// requestComparison requests a comparison. It does not block.
func (w *Watcher) requestComparison() {
	select {
	case w.comparisonRequests <- struct{}{}:
	default:
	}
}

// interval returns the interval between two comparisons.
func (w *Watcher) interval() time.Duration {
	if w.fsnotifyWatcher() == nil {
		return w.poll
	}
	return w.rescan
}

// snapshot returns the identities of all files.
func (w *Watcher) snapshot() snapshot {
	files := snapshot{}
	add := func(path string) {
		id, modified, err := identify(path)
		if err == nil && time.Since(modified) < racyWindow {
			id = identity{}
		}
		if err == nil {
			files[path] = id
		}
	}
	w.walk(w.Root, add, nil)
	for _, path := range w.singleFiles("") {
		add(path)
	}
	return files
}
