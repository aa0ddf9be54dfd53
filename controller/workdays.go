package controller

import (
	"context"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/githistory"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// workDays answers resources.WideView.WorkDays from the cache and from git, which is
// asked when HEAD has moved.
type workDays struct {
	root    layout.Root // "": there is no repository
	cache   *cache
	sources *sources

	mu      sync.Mutex
	days    resources.WorkDays
	seen    uint64    // of the cache
	head    string    // the commit that HEAD stood at
	looked  time.Time // when HEAD was looked at
	commits []int
	filled  bool
}

// headEvery is how long HEAD is believed to stand where it stood, where a move of it is not
// seen at once: in a linked work tree, or where git keeps no log of it.
const headEvery = 2 * time.Second

// get returns the days; the slice is shared and read-only.
func (w *workDays) get() resources.WorkDays {
	w.mu.Lock()
	defer w.mu.Unlock()
	moved := w.refreshCommits()
	if seen := w.cache.daysVersion(); moved || seen != w.seen || !w.filled {
		w.seen, w.filled = seen, true
		w.days = resources.NewWorkDays(append(w.cache.objectDays(), w.commits...))
	}
	return w.days
}

// refreshCommits looks where HEAD stands, and reports whether it moved.
func (w *workDays) refreshCommits() bool {
	if w.root == "" {
		return false
	}
	logged, _, watched := w.sources.get(githistory.Log)
	if w.filled && time.Since(w.looked) < headEvery && (!watched || !logged.After(w.looked)) {
		return false
	}
	w.looked = time.Now()
	head := githistory.Head(w.root)
	if w.filled && head == w.head {
		return false
	}
	w.head = head
	w.commits = githistory.Days(context.Background(), w.root)
	return true
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
		for _, day := range resources.ObjectDays(room[:0], before) {
			if c.days[day]--; c.days[day] == 0 {
				delete(c.days, day)
				c.daysSeen++
			}
		}
	}
	if after != nil {
		for _, day := range resources.ObjectDays(room[:0], after) {
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
