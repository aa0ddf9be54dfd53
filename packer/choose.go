package packer

import (
	"cmp"
	"maps"
	"slices"
)

// shares are how much of the budget each section may take before all others had their
// turn, in percent; what one leaves flows on to the others, but for code, of which no more is
// offered than its own. The plan shares one with the task. What is reserved comes
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
	{codePercent, []section{code}},
	{20, []section{plan, task}},
}

// shareOf returns the place in shares of a section.
func shareOf(s section) int {
	for i := range shares {
		if slices.Contains(shares[i].sections, s) {
			return i
		}
	}
	return 0
}

// queue is a part of a share whose entries have their turns one after the other.
type queue struct {
	share int
	tier  tier
}

func (c *candidate) queue() queue { return queue{shareOf(c.section), c.tier} }

// chooser fills a pack with whole entries until its budget is spent.
type chooser struct {
	budget   Budget
	all      candidates
	used     size
	frames   frames
	ceilings map[queue]Budget
	taken    map[queue]size // of what is not unlimited
	closed   map[queue]bool // one of them did not fit: those after it are not looked at
	old      map[queue]bool // one of them that is new did not fit: only those that were in are looked at
	least    int            // percent of the budget that what was in before may fill
	lost     int            // reserved entries that did not fit
}

// choose decides which candidates are in: first what is reserved, then each section within
// its share, then what is left goes to those that found none, in the same order. Where
// something that was in before finds no room, what was learnt is packed less tightly, so
// that the next line more does not push out the next one. tail is what the end of
// the pack and the notice of an overflow take; it reports how many reserved ones did not fit.
func choose(all candidates, order []int, budget Budget, tail size) (lost int) {
	c := chooser{budget: budget, all: all, least: 100}
	if c.run(order, tail) {
		c = chooser{budget: budget, all: all, least: newPercent}
		c.run(order, tail)
	}
	return c.lost
}

// run chooses, and reports whether something found no room that was in before.
func (c *chooser) run(order []int, tail size) (dropped bool) {
	c.used, c.frames, c.taken, c.closed, c.old = measure(opening+closing).plus(tail), frames{}, map[queue]size{}, map[queue]bool{}, map[queue]bool{}
	rest, beyond := c.reserve(order)
	c.share(rest)
	rest = c.round(rest, c.given)
	beyond = append(beyond, c.round(rest, c.withinShare)...)
	c.closed = map[queue]bool{}
	for _, i := range beyond {
		c.turn(&c.all[i], fromOthers)
	}
	for _, i := range order {
		entry := &c.all[i]
		dropped = dropped || entry.chosen && entry.sticky() && !entry.in
	}
	return dropped
}

// round gives those their turn that are within some bounds, and returns the others. Once one
// of a queue is not, those that have their turns after it wait with it: else more room could
// let in one large entry and push out several small ones.
func (c *chooser) round(entries []int, within func(*candidate, size) bool) (later []int) {
	c.closed = map[queue]bool{}
	for _, i := range entries {
		entry := &c.all[i]
		if c.closed[entry.queue()] {
			later = append(later, i)
			continue
		}
		if cost := c.frames.cost(entry); within(entry, cost) {
			c.turn(entry, "")
		} else {
			c.close(entry, cost)
			later = append(later, i)
		}
	}
	return later
}

// reserve takes in what must be in. Rules and facts are reserved as well, but a long list
// of them must not push out what was learnt: beyond their share they come again later.
func (c *chooser) reserve(order []int) (rest, beyond []int) {
	for _, i := range order {
		entry := &c.all[i]
		entry.in = false
		switch {
		case entry.tier != reserved:
			rest = append(rest, i)
		case !c.unlimited(entry) && !c.withinShare(entry, c.frames.cost(entry)):
			beyond = append(beyond, i)
		default:
			c.turn(entry, "")
		}
	}
	return rest, beyond
}

// unlimited reports what has its turn at once however much it is: the task, what the plan
// and delegations must tell, critical anchors.
func (c *chooser) unlimited(entry *candidate) bool {
	return entry.tier == reserved && entry.section != rules && entry.section != project
}

// share gives out what is free, tier by tier: to each section as much as its entries take,
// up to its percentage of the whole budget. Where that is more than is left, those of one
// tier get their part of it. So whoever is within its share finds room, however much the
// others want, and a greater budget never makes a share smaller.
func (c *chooser) share(rest []int) {
	wanted := c.wanted(rest)
	free := c.budget.without(c.used)
	c.ceilings = map[queue]Budget{}
	var given [len(shares)]Budget
	for t := urgent; t <= learnt; t++ {
		var sum Budget
		for i := range shares {
			q := queue{i, t}
			c.ceilings[q] = c.budget.part(shares[i].percent).minus(given[i]).least(wanted[q])
			sum = sum.add(c.ceilings[q])
		}
		for i := range shares {
			q := queue{i, t}
			c.ceilings[q] = c.ceilings[q].scaled(free, sum)
			given[i] = given[i].add(c.ceilings[q])
		}
		free = free.minus(sum)
	}
}

// wanted is what the entries of each queue take, frames and all. What would take the whole
// budget is not looked at to its end.
func (c *chooser) wanted(rest []int) map[queue]Budget {
	sums, wanted, seen := map[queue]size{}, map[queue]Budget{}, maps.Clone(c.frames)
	for _, i := range rest {
		entry := &c.all[i]
		if q := entry.queue(); c.budget.least(wanted[q]) != c.budget {
			sums[q] = sums[q].plus(seen.cost(entry))
			wanted[q] = c.budget.of(sums[q])
		}
		seen.open(entry)
	}
	return wanted
}

// given reports whether an entry fits into what its queue was given.
func (c *chooser) given(entry *candidate, cost size) bool {
	q := entry.queue()
	return c.ceilings[q].fits(c.taken[q].plus(cost), c.budget.Limit > 0)
}

// withinShare reports whether an entry fits into the percentage of its section.
func (c *chooser) withinShare(entry *candidate, cost size) bool {
	i := shareOf(entry.section)
	for t := reserved; t <= learnt; t++ {
		cost = cost.plus(c.taken[queue{i, t}])
	}
	return c.budget.part(shares[i].percent).fits(cost, c.budget.Limit > 0)
}

// close makes those wait that have their turns after an entry that did not fit. What would
// take more than half of its section's share stops nobody.
func (c *chooser) close(entry *candidate, cost size) {
	q := entry.queue()
	if half := c.budget.part(shares[q.share].percent / 2); entry.tier != reserved && half.fits(cost, c.budget.Limit > 0) {
		c.closed[q] = true
	}
}

// turn adds the entry if there is room.
func (c *chooser) turn(entry *candidate, how string) {
	q := entry.queue()
	if c.closed[q] || c.old[q] && c.isNew(entry) {
		entry.why = waits
		return
	}
	cost := c.frames.cost(entry)
	if !c.limit(entry).holds(c.used.plus(cost)) {
		c.noRoom(entry, cost)
		return
	}
	if c.used, entry.in = c.used.plus(cost), true; !c.unlimited(entry) {
		c.taken[q] = c.taken[q].plus(cost)
	}
	c.frames.open(entry)
	if entry.previous > 0 && entry.sticky() {
		how = fromPrevious + how
	}
	entry.why = "in: " + cmp.Or(entry.note, whyIn[entry.tier]) + how
}

// noRoom says why an entry does not enter, and makes others wait with it.
func (c *chooser) noRoom(entry *candidate, cost size) {
	switch entry.why = noRoom; {
	case entry.tier == reserved:
		c.lost++
	case c.budget.holds(c.used.plus(cost)):
		entry.why, c.old[entry.queue()] = noRoomAnew, true
	default:
		c.close(entry, cost)
	}
}

// isNew reports whether an entry may only use what is left for new ones.
func (c *chooser) isNew(entry *candidate) bool {
	return entry.tier == learnt && !entry.linked && !entry.chosen
}

// What is said of how an entry had its turn.
const (
	fromOthers   = "; from what others left of their shares"
	fromPrevious = "; x1.5: the last pack had it"
	noRoom       = "out: it does not fit into what the budget had left at its turn"
	noRoomAnew   = "out: it would fit, but a tenth of the budget is kept for what is in once"
	waits        = "out: one that has its turn before it in this section did not fit"
)

// limit is how full the pack may be with the entry.
func (c *chooser) limit(entry *candidate) Budget {
	switch {
	case c.isNew(entry):
		return c.budget.part(newPercent)
	case entry.tier == learnt && !entry.linked:
		return c.budget.part(c.least)
	}
	return c.budget
}

// frames are the sections, with "", and groups that are open.
type frames map[opened]bool

type opened struct {
	section section
	group   string
}

func (f frames) open(entry *candidate) {
	f[opened{entry.section, ""}], f[opened{entry.section, entry.group}] = true, true
}

// cost returns what the entry takes, with the frames that it needs.
func (f frames) cost(entry *candidate) size {
	total := entry.measured()
	if !f[opened{entry.section, ""}] {
		total = total.plus(measure(frame(entry.section.String())))
	}
	if entry.group != "" && !f[opened{entry.section, entry.group}] {
		total = total.plus(measure(frame(entry.group)))
	}
	return total
}

// whyIn says for each tier why an entry is in, where it has no note of its own.
var whyIn = [...]string{
	reserved:  "reserved, it has its turn before everything else",
	urgent:    "a warning, they come right after what is reserved",
	falsePath: "a false path, they come before what is merely useful",
	chainTier: "it tells where the plan stands",
	learnt:    "there was room at its turn",
}
