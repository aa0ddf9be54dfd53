package packer

import (
	"cmp"
	"slices"
	"strings"
)

// section is one part of a pack, in the order of the pack.
type section int

const (
	rules section = iota
	project
	antiPatterns
	anchors
	insights
	code
	plan
	task
)

var sectionNames = [...]string{"rules", "project", "anti_patterns", "anchors", "insights", "code", "plan", "task"}

func (s section) String() string { return sectionNames[s] }

// tier is when a candidate has its turn; the lower, the earlier.
type tier int

const (
	reserved tier = iota // must be in; if it does not fit, that is an overflow
	urgent               // warnings
	falsePath
	chainTier // plan, chain, next
	learnt    // mems, and anchors that are not critical
)

// candidate is one entry that could be in a pack.
type candidate struct {
	section  section
	group    string // element inside the section, with its attributes; "" for none
	id       string
	tier     tier
	score    int
	previous int    // its place in the last pack; 0: it was not in
	chosen   bool   // it was in, the last time that somebody chose (settle)
	linked   bool   // it is linked to the active tasks or what they are part of
	own      bool   // it belongs to an active task itself
	loose    bool   // it has little to do with the reader: it enters if the last pack had it, or to fill up
	text     string // as rendered, ending with a newline; "" if it cannot enter, or nobody asked yet
	size     size
	fact     *fact // what it tells, where that is rendered only once it has its turn
	in       bool
	note     string // what speaks for it, for why
	why      string
	passed   string // why it has no turn among the insights, "" if it has
}

// candidates collects the entries in the order of the pack.
type candidates []candidate

// offer adds a candidate; text has no final newline yet.
func (cs *candidates) offer(c candidate) {
	if c.fact == nil {
		c.text += "\n"
	}
	if c.text != "" {
		c.size = measure(c.text)
	}
	c.chosen = c.previous > 0
	*cs = append(*cs, c)
}

// able reports whether it may enter, if there is room.
func (c *candidate) able() bool { return c.text != "" || c.fact != nil }

// measured is the size of its text, which is rendered now if it was not before.
func (c *candidate) measured() size {
	if c.text == "" && c.fact != nil {
		c.text, c.size = c.fact.rendered()
	}
	return c.size
}

// refuse adds a candidate that does not enter, whatever the budget, with the reason.
func (cs *candidates) refuse(s section, id string, score int, why string) {
	*cs = append(*cs, candidate{section: s, id: id, score: score, why: why})
}

// turns returns the indexes of the candidates that may enter, in the order in
// which they have their turn.
func (cs candidates) turns() []int {
	order := make([]int, 0, len(cs))
	for i := range cs {
		if cs[i].able() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &cs[i], &cs[j]
		if c := cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.worth(), a.worth())); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	return cs.fewMems(order)
}

// entries returns what Pack tells about the candidates.
func (cs candidates) entries() []Entry {
	entries := make([]Entry, 0, len(cs))
	for _, c := range cs {
		c.chosen = c.previous > 0
		entries = append(entries, Entry{Section: c.section.String(), ID: c.id, Score: c.worth(), Tokens: wholeTokens(c.measured().milli), In: c.in, Why: c.why})
	}
	return entries
}
