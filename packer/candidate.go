package packer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/tokens"
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

// tier is the rank of a candidate; lower tiers are selected first.
type tier int

const (
	reserved tier = iota // must be included; otherwise the pack overflows
	urgent               // warnings
	falsePath
	chainTier // plan, chain, next
	learnt    // mems, and anchors that are not critical
)

// candidate is an entry that may enter a pack.
type candidate struct {
	section    section
	group      string // element inside the section, with its attributes; empty for none
	id         string
	tier       tier
	score      int
	previous   int    // its place in the last pack; 0 if it was not included
	chosen     bool   // included in the last round of the selection (markIncluded); at first, in the last pack
	linked     bool   // linked to the active tasks, or to a parent, dependency or plan of one
	ownTask    bool   // belongs to an active task
	irrelevant bool   // hardly relevant: enters if the last pack had it, or to fill up
	text       string // as rendered, with a final newline; empty if it cannot enter or is not rendered yet
	size       tokens.Size
	fact       *fact // its mem or anchor, if the text is rendered only when its turn comes
	in         bool
	note       string // the reason in its favor, for the why output
	why        string
	exclusion  string // why it is excluded from the insights, empty if it is not
}

// candidates holds the entries in the order of the pack.
type candidates []candidate

// add adds a candidate. Its text has no final newline, unless it has a fact.
func (cs *candidates) add(c candidate) {
	if c.fact == nil {
		c.text += "\n"
	}
	if c.text != "" {
		c.size = tokens.Measure(c.text)
	}
	c.chosen = c.previous > 0
	*cs = append(*cs, c)
}

// canEnter reports whether it may enter if there is room.
func (c *candidate) canEnter() bool { return c.text != "" || c.fact != nil }

// renderedSize returns the size of its text, and renders the text if necessary.
func (c *candidate) renderedSize() tokens.Size {
	if c.text == "" && c.fact != nil {
		if c.fact.text == "" {
			if c.fact.text = memText(c.fact.mem); c.fact.falsePath {
				c.fact.text = antiPatternText(c.fact.mem)
			}
			c.fact.text += "\n"
			c.fact.size = tokens.Measure(c.fact.text)
		}
		c.text, c.size = c.fact.text, c.fact.size
	}
	return c.size
}

// exclude adds a candidate that does not enter, whatever the budget, with the reason.
func (cs *candidates) exclude(s section, id string, score int, why string) {
	*cs = append(*cs, candidate{section: s, id: id, score: score, why: why})
}

// selectionOrder returns the indexes of the candidates that may enter, in the order of selection.
func (cs candidates) selectionOrder() []int {
	order := make([]int, 0, len(cs))
	for i := range cs {
		if cs[i].canEnter() {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &cs[i], &cs[j]
		if c := cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.effectiveScore(), a.effectiveScore())); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	return cs.limitMems(order)
}

// entries converts the candidates to Pack.Entries.
func (cs candidates) entries() []Entry {
	entries := make([]Entry, 0, len(cs))
	for _, c := range cs {
		c.chosen = c.previous > 0
		entries = append(entries, Entry{Section: c.section.String(), ID: c.id, Score: c.effectiveScore(), Tokens: tokens.Whole(c.renderedSize().Milli), In: c.in, Why: c.why})
	}
	return entries
}
