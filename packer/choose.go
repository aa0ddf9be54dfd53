package packer

import "cmp"

// shares are how much of the budget each section may take before all others had their
// turn, in percent; what one leaves flows on to the others. Anchors stand for the share
// of facts about code, and the plan shares one with the task. What is reserved comes
// first and counts in no share. They add up to more than 100: few packs fill all of them.
var shares = [...]struct {
	percent  int
	sections []section
}{
	{15, []section{rules}},
	{10, []section{project}},
	{15, []section{antiPatterns}},
	{35, []section{insights}},
	{15, []section{anchors}},
	{20, []section{plan, task}},
}

// shareOf returns the place in shares of a section.
func shareOf(s section) int {
	for i := range shares {
		for _, own := range shares[i].sections {
			if own == s {
				return i
			}
		}
	}
	return 0
}

// chooser fills a pack with whole entries until its budget is spent.
type chooser struct {
	budget   Budget
	all      candidates
	used     size
	taken    [len(shares)]size // by share, of what is not unlimited
	sections map[section]bool
	groups   map[string]bool // section and group
	lost     int             // reserved entries that did not fit
}

// choose decides which candidates are in: first each section within its share, then
// what is left goes to those that found none, in the same order. tail is what the end of
// the pack and the notice of an overflow take; it reports how many reserved ones did not fit.
func choose(all candidates, order []int, budget Budget, tail size) (lost int) {
	c := chooser{budget: budget, all: all, used: measure(opening + closing).plus(tail), sections: map[section]bool{}, groups: map[string]bool{}}
	var later []int
	for _, i := range order {
		all[i].in = false
		if entry := &all[i]; !c.unlimited(entry) && !c.withinShare(entry) {
			later = append(later, i)
			continue
		}
		c.turn(&all[i], "")
	}
	for _, i := range later {
		c.turn(&all[i], "; from what others left of their shares")
	}
	return c.lost
}

// unlimited reports what has its turn at once however much it is: the task, what the plan
// and delegations must tell, critical anchors. Rules and facts are reserved as well, but a
// long list of them must not push out what was learnt.
func (c *chooser) unlimited(entry *candidate) bool {
	return entry.tier == reserved && entry.section != rules && entry.section != project
}

// withinShare reports whether the entry fits into the share of its section.
func (c *chooser) withinShare(entry *candidate) bool {
	i := shareOf(entry.section)
	return c.budget.part(shares[i].percent).holds(c.taken[i].plus(c.cost(entry)))
}

// turn adds the entry if there is room.
func (c *chooser) turn(entry *candidate, how string) {
	cost := c.cost(entry)
	if total := c.used.plus(cost); !c.budget.holds(total) {
		entry.why = "out: it does not fit into what the budget had left at its turn"
		if entry.tier == reserved {
			c.lost++
		}
		return
	}
	if c.used, entry.in = c.used.plus(cost), true; !c.unlimited(entry) {
		i := shareOf(entry.section)
		c.taken[i] = c.taken[i].plus(cost)
	}
	c.sections[entry.section] = true
	c.groups[entry.section.String()+entry.group] = true
	entry.why = "in: " + cmp.Or(entry.note, whyIn[entry.tier]) + how
}

// cost returns what the entry takes, with the frames that it needs.
func (c *chooser) cost(entry *candidate) size {
	total := entry.size
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
