package packer

import (
	"cmp"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// shares lists the percentage of the budget that sections may use before all others had their turn.
// An unused part goes to the other sections, except that code is never offered more than its own
// share. The plan and the task have one share. Reserved entries come first and do not count. The
// sum exceeds 100, because few packs fill all shares.
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

// shareOf returns the index in shares of a section.
func shareOf(s section) int {
	for i := range shares {
		if slices.Contains(shares[i].sections, s) {
			return i
		}
	}
	return 0
}

// queue is a part of a share whose entries are selected in order.
type queue struct {
	share int
	tier  tier
}

// queue returns the queue in which the entry waits for its turn.
func (c *candidate) queue() queue { return queue{shareOf(c.section), c.tier} }

// chooser fills a pack with whole entries until the budget is spent.
type chooser struct {
	budget           Budget
	all              candidates
	used             tokens.Size
	frames           frames
	ceilings         map[queue]Budget
	usedByQueue      map[queue]tokens.Size // used by entries that are not unlimited
	closedQueues     map[queue]bool        // an entry did not fit: later entries of the queue are not considered
	oldOnlyQueues    map[queue]bool        // a new entry did not fit: only entries of the last pack are considered
	knowledgePercent int                   // percent of the budget that entries of the last pack may fill
	reservedLost     int                   // number of reserved entries that did not fit
}

// choose selects the candidates: first reserved entries, then each section within its share, then
// the remaining entries in the same order. If an entry of the last pack finds no room, it selects
// again and lets mems and anchors use less of the budget, so that the next new line does not
// displace another one. tail is the size of the end of the pack and the notice of an overflow.
// choose returns the number of reserved entries that did not fit.
func choose(all candidates, order []int, budget Budget, tail tokens.Size) (lost int) {
	c := chooser{budget: budget, all: all, knowledgePercent: 100}
	if c.run(order, tail) {
		c = chooser{budget: budget, all: all, knowledgePercent: newPercent}
		c.run(order, tail)
	}
	return c.reservedLost
}

// run selects, and reports whether an entry of the last pack was dropped.
func (c *chooser) run(order []int, tail tokens.Size) (dropped bool) {
	c.used, c.frames, c.usedByQueue, c.closedQueues, c.oldOnlyQueues = tokens.Measure(opening+closing).Plus(tail), frames{}, map[queue]tokens.Size{}, map[queue]bool{}, map[queue]bool{}
	// Rules and facts are reserved as well, but only within their share, so that a long list does
	// not displace mems; beyond it they wait for a later round.
	var rest []int
	var beyond []int
	for _, i := range order {
		entry := &c.all[i]
		entry.in = false
		switch {
		case entry.tier != reserved:
			rest = append(rest, i)
		case !c.unlimited(entry) && !c.withinShare(entry, c.frames.cost(entry)):
			beyond = append(beyond, i)
		default:
			c.include(entry, "")
		}
	}
	c.share(rest)
	rest = c.round(rest, c.withinCeiling)
	beyond = append(beyond, c.round(rest, c.withinShare)...)
	c.closedQueues = map[queue]bool{}
	for _, i := range beyond {
		c.include(&c.all[i], fromOthers)
	}
	for _, i := range order {
		entry := &c.all[i]
		dropped = dropped || entry.chosen && entry.isSticky() && !entry.in
	}
	return dropped
}

// round selects the entries that are within bounds, and returns the others. After an entry that is
// not, later entries of its queue are returned too. Otherwise more room could let in one large
// entry and displace several small ones.
func (c *chooser) round(entries []int, within func(*candidate, tokens.Size) bool) (later []int) {
	c.closedQueues = map[queue]bool{}
	for _, i := range entries {
		entry := &c.all[i]
		if c.closedQueues[entry.queue()] {
			later = append(later, i)
			continue
		}
		if cost := c.frames.cost(entry); within(entry, cost) {
			c.include(entry, "")
		} else {
			c.close(entry, cost)
			later = append(later, i)
		}
	}
	return later
}

// unlimited reports whether an entry is selected whatever its size: the task, critical anchors, and
// the reserved entries of plan and delegations.
func (c *chooser) unlimited(entry *candidate) bool {
	return entry.tier == reserved && entry.section != rules && entry.section != project
}

// share divides the free budget among the queues, tier by tier: each section gets the size of
// its entries, up to its percentage of the whole budget. If the sum exceeds the rest, the
// queues of a tier are scaled down. An entry within its share therefore always fits, and a
// larger budget never makes a share smaller.
func (c *chooser) share(rest []int) {
	// The count stops for a queue that would take the whole budget.
	sums, wanted, seen := map[queue]tokens.Size{}, map[queue]Budget{}, maps.Clone(c.frames)
	for _, i := range rest {
		entry := &c.all[i]
		if q := entry.queue(); c.budget.least(wanted[q]) != c.budget {
			sums[q] = sums[q].Plus(seen.cost(entry))
			wanted[q] = c.budget.exactly(sums[q])
		}
		seen.open(entry)
	}
	free := c.budget.remainder(c.used)
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
			c.ceilings[q] = c.ceilings[q].share(free, sum)
			given[i] = given[i].add(c.ceilings[q])
		}
		free = free.minus(sum)
	}
}

// withinCeiling reports whether an entry fits into the ceiling of its queue.
func (c *chooser) withinCeiling(entry *candidate, cost tokens.Size) bool {
	q := entry.queue()
	return c.ceilings[q].fits(c.usedByQueue[q].Plus(cost), c.budget.Limit > 0)
}

// withinShare reports whether an entry fits into the percentage of its section.
func (c *chooser) withinShare(entry *candidate, cost tokens.Size) bool {
	i := shareOf(entry.section)
	for t := reserved; t <= learnt; t++ {
		cost = cost.Plus(c.usedByQueue[queue{i, t}])
	}
	return c.budget.part(shares[i].percent).fits(cost, c.budget.Limit > 0)
}

// close excludes later entries of a queue after one that did not fit. A
// reserved entry, and one of more than half of the section's share, exclude
// none.
func (c *chooser) close(entry *candidate, cost tokens.Size) {
	q := entry.queue()
	if half := c.budget.part(shares[q.share].percent / 2); entry.tier != reserved && half.fits(cost, c.budget.Limit > 0) {
		c.closedQueues[q] = true
	}
}

// include selects the entry if there is room and its queue is not closed. how is added to the
// reason.
func (c *chooser) include(entry *candidate, how string) {
	q := entry.queue()
	if c.closedQueues[q] || c.oldOnlyQueues[q] && c.isNew(entry) {
		entry.why = waits
		return
	}
	cost := c.frames.cost(entry)
	if !c.limit(entry).contains(c.used.Plus(cost)) {
		c.omit(entry, cost)
		return
	}
	if c.used, entry.in = c.used.Plus(cost), true; !c.unlimited(entry) {
		c.usedByQueue[q] = c.usedByQueue[q].Plus(cost)
	}
	c.frames.open(entry)
	if entry.previous > 0 && entry.isSticky() {
		how = fromPrevious + how
	}
	entry.why = "in: " + cmp.Or(entry.note, whyIn[entry.tier]) + how
}

// omit records why an entry does not enter. It counts a reserved entry as lost.
// For any other it excludes later entries of its queue, or only new ones if the
// entry would fit into the part kept for entries of the last pack.
func (c *chooser) omit(entry *candidate, cost tokens.Size) {
	switch entry.why = noRoom; {
	case entry.tier == reserved:
		c.reservedLost++
	case c.budget.contains(c.used.Plus(cost)):
		entry.why, c.oldOnlyQueues[entry.queue()] = noRoomAnew, true
	default:
		c.close(entry, cost)
	}
}

// isNew reports whether an entry may not use the part of the budget kept for entries of the last
// pack.
func (c *chooser) isNew(entry *candidate) bool {
	return entry.tier == learnt && !entry.linked && !entry.chosen
}

// Explanations of a selection.
const (
	fromOthers   = "; from the unused shares of other sections"
	fromPrevious = "; x1.5: the last pack had it"
	noRoom       = "out: it does not fit into the rest of the budget at its turn"
	noRoomAnew   = "out: it would fit, but a tenth of the budget is reserved for entries of the last pack"
	waits        = "out: one that has its turn before it in this section did not fit"
)

// limit returns the budget that the pack with the entry must not exceed.
func (c *chooser) limit(entry *candidate) Budget {
	switch {
	case c.isNew(entry):
		return c.budget.part(newPercent)
	case entry.tier == learnt && !entry.linked:
		return c.budget.part(c.knowledgePercent)
	}
	return c.budget
}

// frames is the set of open sections, with group "", and open groups.
type frames map[frameKey]bool

// frameKey identifies a frame: a group of a section, or the section itself if group is empty.
type frameKey struct {
	section section
	group   string
}

// open records that the section and the group of an entry are open.
func (f frames) open(entry *candidate) {
	f[frameKey{entry.section, ""}], f[frameKey{entry.section, entry.group}] = true, true
}

// cost returns the size of an entry with the frames that it needs.
func (f frames) cost(entry *candidate) tokens.Size {
	total := entry.renderedSize()
	if !f[frameKey{entry.section, ""}] {
		total = total.Plus(tokens.Measure(frame(entry.section.String())))
	}
	if entry.group != "" && !f[frameKey{entry.section, entry.group}] {
		total = total.Plus(tokens.Measure(frame(entry.group)))
	}
	return total
}

// whyIn explains, for each tier, why an entry without its own note is included.
var whyIn = [...]string{
	reserved:  "reserved, it has its turn before everything else",
	urgent:    "a warning, they come right after the reserved entries",
	falsePath: "a false path, they come before optional entries",
	chainTier: "it shows the progress of the plan",
	learnt:    "there was room at its turn",
}
