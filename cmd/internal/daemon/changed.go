package daemon

import (
	"maps"
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// changed are the shared objects that changed here. It may be used by many at once.
type changed struct {
	mu    sync.Mutex
	since map[resources.Key]string // the last exchange, with the revisions that they have now; "" for none
	fresh map[resources.Key]bool   // since they were noted last
}

// add hears of a change. What a reconciler derived is not shared, an object that is only looked at again
// did not change, and the first exchange looks at all that there is.
func (d *changed) add(c controller.Change) {
	if c.First || c.StatusOnly || c.Old == c.New || !slices.Contains(plans.Kinds(), c.Key.Kind) {
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

// exchanged are those that changed since it was asked last, with their revisions: what changes from now on
// is for the next exchange.
func (d *changed) exchanged() map[resources.Key]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	since := d.since
	d.since, d.fresh = nil, nil
	return since
}

// noted are those that changed since it, or an exchange, was asked last.
func (d *changed) noted() []resources.Key {
	d.mu.Lock()
	defer d.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(d.fresh), resources.Key.Compare)
	d.fresh = nil
	return keys
}
