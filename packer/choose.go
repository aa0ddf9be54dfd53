package packer

import "cmp"

// chooser fills a pack with whole entries until its budget is spent.
type chooser struct {
	budget   Budget
	all      candidates
	used     size
	traps    size // what false paths take of it
	sections map[section]bool
	groups   map[string]bool // section and group
	lost     int             // reserved entries that did not fit
}

// choose decides which candidates are in. tail is what the end of the pack and
// the notice of an overflow take; it reports how many reserved ones did not fit.
func choose(all candidates, order []int, budget Budget, tail size) (lost int) {
	c := chooser{budget: budget, all: all, used: measure(opening + closing).plus(tail), sections: map[section]bool{}, groups: map[string]bool{}}
	var later []int
	for _, i := range order {
		all[i].in = false
		switch entry := &all[i]; {
		case entry.tier == falsePath && !budget.half().holds(c.traps.plus(entry.size)):
			later = append(later, i)
		case !c.take(entry) && entry.tier == reserved:
			c.lost++
		}
	}
	for _, i := range later {
		c.take(&all[i])
	}
	return c.lost
}

// take adds the entry if it fits.
func (c *chooser) take(entry *candidate) bool {
	size := c.with(entry)
	if !c.budget.holds(size) {
		entry.why = "out: it does not fit into what the budget had left at its turn"
		return false
	}
	c.used, entry.in = size, true
	if entry.tier == falsePath {
		c.traps = c.traps.plus(entry.size)
	}
	c.sections[entry.section] = true
	c.groups[entry.section.String()+entry.group] = true
	entry.why = "in: " + cmp.Or(entry.note, whyIn[entry.tier])
	return true
}

// with returns what would be used with the entry, and the frames that it needs.
func (c *chooser) with(entry *candidate) size {
	total := c.used.plus(entry.size)
	if !c.sections[entry.section] {
		total = total.plus(measure(frame(entry.section.String())))
	}
	if entry.group != "" && !c.groups[entry.section.String()+entry.group] {
		total = total.plus(measure(frame(entry.group)))
	}
	return total
}

// whyIn says for each tier why an entry is in, where it has no note of its own.
var whyIn = [...]string{
	reserved:  "reserved, it has its turn before everything else",
	urgent:    "a warning, they come right after what is reserved",
	falsePath: "a false path, they come before what is merely useful",
	chainTier: "the plan around the active tasks",
	learnt:    "there was room at its turn",
}
