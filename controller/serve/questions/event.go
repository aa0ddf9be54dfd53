package questions

import (
	"encoding/json"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// What happens to an object, as a watch says it.
const (
	Added    = "ADDED"
	Modified = "MODIFIED"
	Deleted  = "DELETED"
	Bookmark = "BOOKMARK" // nothing: how far the watch is
	Failed   = "ERROR"    // the watch ends; the object is a Status
)

// InitialEventsEnd is the annotation of the bookmark behind all that is there at the beginning.
const InitialEventsEnd = "k8s.io/initial-events-end"

// Event is one line of a watch.
type Event struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

// Names reports whether an object of that key may be in the answer.
func (f *Find) Names(key resources.Key) bool {
	return slices.Contains(f.Kinds, key.Kind) || slices.Contains(f.Keys, key)
}

// Happened says what a step of the cache is to somebody who sees what the choice takes, and to
// which object; "" for nothing. One that comes to be taken is added, one that ceases is deleted.
func (c *Cache) Happened(step *controller.Step, choice *Choice) (what string, e *Entry) {
	taken := func(r *controller.Revision) *Entry {
		if !r.Exists() {
			return nil
		}
		if e := c.complete(c.known.entry(r)); choice.Takes(e) {
			return e
		}
		return nil
	}
	choice.source = c.Source
	old, e := taken(&step.Old), taken(&step.New)
	switch {
	case old == nil && e != nil:
		return Added, e
	case e != nil:
		return Modified, e
	}
	if old == nil {
		return "", nil
	}
	old.version, old.document = step.New.Version, nil // that of its end
	return Deleted, old
}
