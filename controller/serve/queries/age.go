package queries

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// Age formats the time since t like kubectl's AGE column: 119s, 2m5s, 179m,
// 3h5m, 47h, 2d3h, 729d, 2y3d. It returns <unknown> for the zero time and
// <invalid> for a time more than a second in the future.
func Age(t, now time.Time) string {
	if t.IsZero() {
		return "<unknown>"
	}
	return HumanDuration(now.Sub(t))
}

// HumanDuration formats a duration with one or two units, like
// k8s.io/apimachinery/pkg/util/duration.
func HumanDuration(d time.Duration) string {
	switch seconds := int(d.Seconds()); {
	case seconds < -1:
		return "<invalid>"
	case seconds < 0:
		return "0s"
	case seconds < 60*2:
		return unit(seconds, "s")
	}
	switch minutes := int(d / time.Minute); {
	case minutes < 10:
		return twoUnits(minutes, "m", int(d/time.Second)%60, "s")
	case minutes < 60*3:
		return unit(minutes, "m")
	}
	return longDuration(d)
}

// longDuration formats a duration of at least three hours in hours, days or years.
func longDuration(d time.Duration) string {
	hours := int(d / time.Hour)
	switch {
	case hours < 8:
		return twoUnits(hours, "h", int(d/time.Minute)%60, "m")
	case hours < 48:
		return unit(hours, "h")
	case hours < 24*8:
		return twoUnits(hours/24, "d", hours%24, "h")
	case hours < 24*365*2:
		return unit(hours/24, "d")
	case hours < 24*365*8:
		return twoUnits(hours/24/365, "y", (hours/24)%365, "d")
	}
	return unit(hours/24/365, "y")
}

// unit returns a number with its unit.
func unit(n int, name string) string { return strconv.Itoa(n) + name }

// twoUnits returns a number with its unit and a number of smaller units, which it omits if it is
// zero.
func twoUnits(n int, name string, m int, small string) string {
	if m == 0 {
		return unit(n, name)
	}
	return unit(n, name) + unit(m, small)
}

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
