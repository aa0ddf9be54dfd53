package packer

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Bearing is what is to be known of a task by whoever starts it.
type Bearing struct {
	Known []string `json:"known,omitempty"` // decisions, false paths, anchors and mems, a line each, not escaped
	Waits []string `json:"waits,omitempty"` // live tasks that wait for it, by name
}

// maxBearing bounds each list of a Bearing.
const maxBearing = 10

// BearingOf tells what bears on a task: decisions, what a context for who works on it would tell of false
// paths, anchors and mems, and what waits for it.
func BearingOf(s Source, stock *Stock, task string) (b Bearing) {
	if stock == nil {
		stock = &Stock{}
	}
	stock.use.Lock()
	defer stock.use.Unlock()
	on := &resources.Session{}
	on.Spec.ActiveTask = task
	d := newPacking(gather(s, Reader{Session: on, Starts: true, Stock: stock, Terse: true}))
	d.known()
	d.pack()
	if t, ok := s.Task(task); ok {
		lines := decisionLines(s, t)
		b.Known = lines[:min(len(lines), maxBearing)]
	}
	anchors := d.stock.anchors()
	for i := range d.all {
		c := &d.all[i]
		if !c.in || len(b.Known) == maxBearing {
			continue
		}
		if at := slices.IndexFunc(anchors, func(a Anchor) bool { return anchorIDs+a.Object.Metadata.Name == c.id }); at >= 0 {
			b.Known = append(b.Known, knownLine(date(validated(anchors[at].Object.Metadata, anchors[at].Object.Created())), anchors[at].Object.Spec.Content, c.id))
		} else if c.fact != nil && c.fact.falsePath {
			b.Known = append(b.Known, knownLine("", warningOf(&c.fact.mem.Object.Spec), c.id))
		} else if c.fact != nil {
			b.Known = append(b.Known, knownLine(date(stoodFor(c.fact.mem)), c.fact.mem.Object.Spec.Content, c.id))
		}
	}
	for _, key := range s.Dependents(resources.Key{Kind: resources.Tasks, Name: task}) {
		if t, ok := s.Task(key.Name); ok && status.LiveTask(t) && len(b.Waits) < maxBearing {
			b.Waits = append(b.Waits, key.Name)
		}
	}
	return b
}

// knownLine is one thing that is known, in a line.
func knownLine(date, text, id string) string {
	if date != "" {
		date = "[" + date + "] "
	}
	return date + shortened(text, maxExcerpt) + " (" + id + ")"
}
