package packer

import "cmp"

// PreviousIn returns the IDs (mems/NAME, anchors/NAME) among the anti-patterns, insights and
// anchors of a pack, with their places, starting at 1. It returns nil if pack is not a pack.
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

// previousPercent multiplies the score of a false path, a mem or an anchor of the last pack, so
// that it does not alternate with others.
const previousPercent = 150

// newPercent is the percentage of the budget for mems and anchors that are new in the pack and not
// linked to an active task. The rest is for entries of the last pack, so that one more line about
// the task does not displace them.
const newPercent = 90

// markIncluded marks the entries that are included now as those of the last pack, and reports whether
// that is a change. Building a pack again from itself must give the same pack.
func (cs candidates) markIncluded() (changed bool) {
	for i := range cs {
		if c := &cs[i]; c.isSticky() && c.canEnter() && c.chosen != c.in {
			c.chosen, changed = c.in, true
		}
	}
	return changed
}

// isSticky reports whether an entry gets a higher score if the last pack had it.
func (c *candidate) isSticky() bool {
	return c.tier == falsePath || c.tier == learnt
}

// effectiveScore returns the score, raised for a sticky entry that the last pack had.
func (c *candidate) effectiveScore() int {
	if c.chosen && c.isSticky() {
		return c.score * previousPercent / 100
	}
	return c.score
}

// byPrevious orders entries of the last pack by their place there, before new ones, so that entries
// that a reader already has keep their place.
func byPrevious(a, b int) int {
	if a == 0 || b == 0 {
		return cmp.Compare(b, a) // 0 means new and comes last
	}
	return cmp.Compare(a, b)
}
