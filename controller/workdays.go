package controller

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// workDays implements status.WideView.WorkDays from the cache and from git. It
// queries git only after HEAD moved.
type workDays struct {
	store  store.Store
	cache  *cache
	onMove func() // called when a query finds that HEAD moved; must return quickly

	computeMu    sync.Mutex // held while git runs; acquired before mu
	filled       bool
	days         status.WorkDays
	cacheVersion uint64 // the cache's day version when days was computed
	queriedMoves uint64 // moves when git was queried
	commits      []int

	mu        sync.Mutex
	headFiles map[string]bool // store.Repository.HeadFiles, including those of former branches
	head      string          // commit of HEAD
	lastLook  time.Time       // when HEAD was last read; zero if never
	moves     uint64          // number of detected moves
}

// headInterval is the time for which a read of HEAD is trusted if the system does not watch
// files.
const headInterval = 2 * time.Second

// get returns the days. The slice is shared and read-only.
func (w *workDays) get() status.WorkDays {
	w.computeMu.Lock()
	defer w.computeMu.Unlock()
	moves, seen := w.headMoves(), w.cache.daysVersion()
	if w.filled && moves == w.queriedMoves && seen == w.cacheVersion {
		return w.days
	}
	if !w.filled || moves != w.queriedMoves {
		w.commits = w.store.CommitDays(context.Background())
	}
	w.filled, w.queriedMoves, w.cacheVersion = true, moves, seen
	w.days = status.NewWorkDays(append(w.cache.objectDays(), w.commits...))
	return w.days
}

// headMoves returns how often HEAD moved. It reads HEAD if the last read is
// older than headInterval. If HEAD moved, it calls onMove, so that earlier callers
// ask again.
func (w *workDays) headMoves() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if (w.lastLook.IsZero() || time.Since(w.lastLook) >= headInterval) && w.readHead() {
		w.onMove()
	}
	return w.moves
}

// refresh reads HEAD, because it may have moved, and returns how often it
// moved. It does not read HEAD if the days were never requested.
func (w *workDays) refresh() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.lastLook.IsZero() {
		w.readHead()
	}
	return w.moves
}

// readHead reads HEAD and reports whether it moved since the last read. It watches
// the files before it reads them, so that no change is missed. If HEAD switches
// to another branch in between, the change of HEAD itself is reported.
func (w *workDays) readHead() bool {
	first := w.lastLook.IsZero()
	w.lastLook = time.Now()
	w.watch()
	before := w.head
	w.head = w.store.Head()
	if first || w.head == before {
		return false
	}
	w.moves++
	return true
}

// watch watches the files that change when HEAD moves.
func (w *workDays) watch() {
	for _, file := range w.store.HeadFiles() {
		if w.headFiles[file] {
			continue
		}
		if w.headFiles == nil {
			w.headFiles = map[string]bool{}
		}
		w.headFiles[file] = true
		w.store.WatchFile(file)
	}
}

// isHeadFile reports whether a change of that file may mean that HEAD moved.
func (w *workDays) isHeadFile(file string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.headFiles[file]
}

// countDays updates the days on which objects prove work.
func (c *cache) countDays(before, after resources.Object) {
	if before == after {
		return
	}
	if c.days == nil {
		c.days = map[int]int{}
	}
	var room [4]int
	if before != nil {
		for _, day := range status.ObjectDays(room[:0], before) {
			if c.days[day]--; c.days[day] == 0 {
				delete(c.days, day)
				c.dayVersion++
			}
		}
	}
	if after != nil {
		for _, day := range status.ObjectDays(room[:0], after) {
			if c.days[day]++; c.days[day] == 1 {
				c.dayVersion++
			}
		}
	}
}

// daysVersion returns a number that changes whenever a day is added or removed.
func (c *cache) daysVersion() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.dayVersion
}

// objectDays returns the days, in no particular order.
func (c *cache) objectDays() []int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	days := make([]int, 0, len(c.days))
	for day := range c.days {
		days = append(days, day)
	}
	return days
}
