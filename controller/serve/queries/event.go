package queries

import (
	"encoding/json"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// Types of watch events.
const (
	Added    = "ADDED"
	Modified = "MODIFIED"
	Deleted  = "DELETED"
	Bookmark = "BOOKMARK" // current version, without a change
	Failed   = "ERROR"    // end of the watch; the object is a Status
)

// InitialEventsEnd is the annotation of the bookmark after the initial objects.
const InitialEventsEnd = "k8s.io/initial-events-end"

// Event is one line of a watch.
type Event struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

// Names reports whether the answer may contain an object with that key.
func (f *Find) Names(key resources.Key) bool {
	return slices.Contains(f.Kinds, key.Kind) || slices.Contains(f.Keys, key)
}

// EventOf returns the event type of a cache step and its object, from the view
// of a client with that choice. It returns "" if the client sees no change. An
// object that starts to match is added; an object that no longer matches is
// deleted.
func (c *Cache) EventOf(step *controller.Step, choice *Choice) (what string, e *Entry) {
	taken := func(r *controller.Revision) *Entry {
		if !r.Exists() {
			return nil
		}
		if e := c.complete(c.cached.entry(r)); choice.Matches(e) {
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
	old.version, old.document = step.New.Version, nil // the version of the deletion
	return Deleted, old
}
