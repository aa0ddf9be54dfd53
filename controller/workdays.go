package controller

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// workDays answers status.WideView.WorkDays from the cache and from git, which is
// asked when HEAD has moved.
type workDays struct {
	store  store.Store
	cache  *cache
	onMove func() // HEAD turned out to have moved while somebody asked; it must be quick

	computing sync.Mutex // git may take its time; held before mu
	filled    bool
	days      status.WorkDays
	seen      uint64 // of the cache, when days were computed
	asked     uint64 // moves, when git was asked
	commits   []int

	mu      sync.Mutex
	watched map[string]bool // store.Repository.HeadFiles, those of former branches included
	head    string          // the commit that HEAD stood at
	looked  time.Time       // when HEAD was looked at; zero: never
	moves   uint64          // how often it was found to have moved
}

func newWorkDays(s store.Store, c *cache) *workDays { return &workDays{store: s, cache: c} }

// headEvery is how long HEAD is believed to stand where it stood, where a move of it is not
// seen at once: where the system does not watch files.
const headEvery = 2 * time.Second

// get returns the days; the slice is shared and read-only.
func (w *workDays) get() status.WorkDays {
	w.computing.Lock()
	defer w.computing.Unlock()
	moves, seen := w.standing(), w.cache.daysVersion()
	if w.filled && moves == w.asked && seen == w.seen {
		return w.days
	}
	if !w.filled || moves != w.asked {
		w.commits = w.store.CommitDays(context.Background())
	}
	w.filled, w.asked, w.seen = true, moves, seen
	w.days = status.NewWorkDays(append(w.cache.objectDays(), w.commits...))
	return w.days
}

// standing returns how often HEAD has moved. It looks where HEAD stands if that was not
// done for long, and tells if it has moved: who asked before has to ask again.
func (w *workDays) standing() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if (w.looked.IsZero() || time.Since(w.looked) >= headEvery) && w.look() {
		w.onMove()
	}
	return w.moves
}

// refresh looks where HEAD stands, because it may have moved, and returns how often it
// has. If nobody asked for the days, where it stands is none of our business.
func (w *workDays) refresh() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.looked.IsZero() {
		w.look()
	}
	return w.moves
}

// look looks where HEAD stands, and reports whether it has moved since it did so before.
// What is watched is watched before it is read, or a change in between is missed; a branch
// that HEAD came to in between is found when the change of HEAD is told.
func (w *workDays) look() bool {
	first := w.looked.IsZero()
	w.looked = time.Now()
	w.watch()
	before := w.head
	w.head = w.store.Head()
	if first || w.head == before {
		return false
	}
	w.moves++
	return true
}

func (w *workDays) watch() {
	for _, file := range w.store.HeadFiles() {
		if w.watched[file] {
			continue
		}
		if w.watched == nil {
			w.watched = map[string]bool{}
		}
		w.watched[file] = true
		w.store.WatchFile(file)
	}
}

// watches reports whether a change of that file may mean that HEAD has moved.
func (w *workDays) watches(file string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watched[file]
}

// countDays keeps count of the days on which objects show that there was work.
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
				c.daysSeen++
			}
		}
	}
	if after != nil {
		for _, day := range status.ObjectDays(room[:0], after) {
			if c.days[day]++; c.days[day] == 1 {
				c.daysSeen++
			}
		}
	}
}

// daysVersion is another number whenever a day came or went.
func (c *cache) daysVersion() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.daysSeen
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
