package daemon

import (
	"maps"
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// changeSet collects the shared objects that changed locally. It is safe for concurrent use.
type changeSet struct {
	mu    sync.Mutex
	since map[resources.Key]string // changes since the last exchange with their current revisions; empty for a deleted object
	fresh map[resources.Key]bool   // changes since the last call of noted
}

// add records a change. It ignores derived status, objects that are only checked again, and the
// first listing, because the first exchange compares all objects.
func (d *changeSet) add(c controller.Change) {
	if c.Initial || c.StatusOnly || c.Old == c.New || !slices.Contains(exchange.Kinds(), c.Key.Kind) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fresh == nil {
		d.fresh = map[resources.Key]bool{}
	}
	if d.since == nil {
		d.since = map[resources.Key]string{}
	}
	d.since[c.Key], d.fresh[c.Key] = "", true
	if c.New != nil {
		d.since[c.Key] = c.New.Source().Revision
	}
}

// exchanged returns the changes since its last call, with their revisions. Later changes belong to
// the next exchange.
func (d *changeSet) exchanged() map[resources.Key]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	since := d.since
	d.since, d.fresh = nil, nil
	return since
}

// noted returns the objects that changed since the last call of noted or exchanged.
func (d *changeSet) noted() []resources.Key {
	d.mu.Lock()
	defer d.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(d.fresh), resources.Key.Compare)
	d.fresh = nil
	return keys
}
