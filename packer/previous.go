package packer

import "cmp"

// PreviousIn returns the IDs (mems/NAME, anchors/NAME) of what stands among the anti-patterns,
// insights and anchors of a pack, each with its place, 1 for the first one; nothing for
// what is no pack.
func PreviousIn(pack []byte) map[string]int {
	if len(pack) == 0 {
		return nil
	}
	list, ok := statements(pack)
	if !ok {
		return nil
	}
	places := map[string]int{}
	for _, s := range list {
		if id := s.object(); id != "" && places[id] == 0 {
			places[id] = len(places) + 1
		}
	}
	return places
}

// previousPercent is what the score of a false path, a mem or an anchor is multiplied by that
// the last pack had, so that it does not come and go with every other word.
const previousPercent = 150

// newPercent is how much of the budget may be filled with what was learnt, is new in the
// pack, and that nothing links to the active tasks. The rest is for what was in before: it
// need not go when a line more is said about the task.
const newPercent = 90

// settle takes what is in now for what the last pack had, and reports whether that makes a
// difference: a pack that is made again from itself must be the same.
func (cs candidates) settle() (changed bool) {
	for i := range cs {
		if c := &cs[i]; c.sticky() && c.able() && c.chosen != c.in {
			c.chosen, changed = c.in, true
		}
	}
	return changed
}

// sticky reports whether it is of what a pack holds on to.
func (c *candidate) sticky() bool {
	return c.tier == falsePath || c.tier == learnt
}

// worth is the score with what counts for having been in.
func (c *candidate) worth() int {
	if c.chosen && c.sticky() {
		return c.score * previousPercent / 100
	}
	return c.score
}

// byPrevious orders what the last pack had by its place there, before what is new: what a
// reader has read already stays where it was.
func byPrevious(a, b int) int {
	if a == 0 || b == 0 {
		return cmp.Compare(b, a) // 0, which is new, comes last
	}
	return cmp.Compare(a, b)
}
