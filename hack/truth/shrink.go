package main

import (
	"encoding/json"
	"slices"

	"github.com/idumb-dev/idumb/hack/drive"
)

// maxTrials bounds how often shrink plays a world.
var maxTrials = 40

// shrink removes pieces of a world as long as a fault of the same kind remains.
func shrink(bin drive.Bin, w *world, f fault) (*world, fault) {
	trials := 0
	for again := true; again && trials < maxTrials; {
		again = false
		for _, smaller := range w.smaller() {
			if trials++; trials > maxTrials {
				break
			}
			r, err := play(bin, smaller)
			if err != nil {
				continue
			}
			if i := slices.IndexFunc(r.faults, func(g fault) bool { return g.Kind == f.Kind }); i >= 0 {
				w, f, again = smaller, r.faults[i], true
				break
			}
		}
	}
	return w, f
}

// smaller lists copies of a world that lack one piece each, the largest pieces first.
func (w *world) smaller() []*world {
	var all []*world
	without := func(change func(c *world) bool) {
		if c := w.copy(); change(c) {
			all = append(all, c)
		}
	}
	without(func(c *world) bool { c.Snare = snare{}; return w.Snare.Trap != "" })
	for i, t := range w.Tasks {
		without(func(c *world) bool {
			c.Tasks = slices.Delete(c.Tasks, i, i+1)
			for _, o := range c.Tasks {
				o.After = slices.DeleteFunc(o.After, func(n string) bool { return n == t.Name })
				o.Parent, o.Gate = unless(o.Parent, t.Name), unless(o.Gate, t.Name)
			}
			c.Missing, c.Broken = unless(c.Missing, t.Name), unless(c.Broken, t.Name)
			c.Holds = slices.DeleteFunc(c.Holds, func(h hold) bool { return h.Task == t.Name })
			c.Handovers = slices.DeleteFunc(c.Handovers, func(h handover) bool { return h.Task == t.Name })
			return true
		})
	}
	for i, a := range w.Agents {
		if i > 0 {
			without(func(c *world) bool {
				c.Agents = slices.DeleteFunc(c.Agents, func(o *agent) bool { return o.Name == a.Name || o.Parent == a.Name })
				return true
			})
		}
	}
	for i := range w.Holds {
		without(func(c *world) bool { c.Holds = slices.Delete(c.Holds, i, i+1); return true })
	}
	for i := range w.Handovers {
		without(func(c *world) bool { c.Handovers = slices.Delete(c.Handovers, i, i+1); return true })
	}
	if len(w.Plans) > 1 && !slices.ContainsFunc(w.Tasks, func(t *task) bool { return t.Plan == "q" }) {
		without(func(c *world) bool { c.Plans, c.Plans[0].After = c.Plans[:1], nil; return true })
	}
	flags := []func(c *world) *bool{func(c *world) *bool { return &c.Controller }, func(c *world) *bool { return &c.Linked }, func(c *world) *bool { return &c.Undecided }, func(c *world) *bool { return &c.Clerk }}
	for i := range w.Tasks {
		flags = append(flags, func(c *world) *bool { return &c.Tasks[i].Decides }, func(c *world) *bool { return &c.Tasks[i].Ahead })
	}
	for _, field := range flags {
		without(func(c *world) bool { was := *field(c); *field(c) = false; return was })
	}
	texts := []func(c *world) *string{func(c *world) *string { return &c.Missing }, func(c *world) *string { return &c.Broken }, func(c *world) *string { return &c.Sync }}
	for i := range w.Tasks {
		texts = append(texts, func(c *world) *string { return &c.Tasks[i].Parent }, func(c *world) *string { return &c.Tasks[i].Gate }, func(c *world) *string { return &c.Tasks[i].Assigned }, func(c *world) *string { return &c.Tasks[i].Priority })
	}
	for _, field := range texts {
		without(func(c *world) bool { was := *field(c); *field(c) = ""; return was != "" })
	}
	for i := range w.Tasks {
		without(func(c *world) bool { t := c.Tasks[i]; was := t.Paths; t.Paths = nil; return was != nil })
		without(func(c *world) bool { t := c.Tasks[i]; was := t.Locks; t.Locks = nil; return was != nil })
		without(func(c *world) bool { t := c.Tasks[i]; was := t.After; t.After = nil; return len(was) > 0 })
	}
	return all
}

func (w *world) copy() *world {
	data, err := json.Marshal(w)
	must(err)
	c := &world{}
	must(json.Unmarshal(data, c))
	return c
}

func unless(value, removed string) string {
	if value == removed {
		return ""
	}
	return value
}
