package needs

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// One thing that is wrong can be wrong with ten thousand objects: a stage taken out of a plan is missing in each
// of its tasks. So many rows hide all others, and what mends one mends all. Those of one cause are one row.
const (
	fewFaults    = 3  // needs of one cause are a row each up to so many
	fewDecisions = 20 // and up to so many where each wants a decision of its own
)

// flood is what needs of one cause have in common.
type flood struct {
	reason, cause, kind, plan string
}

// fold makes one row of the needs of each cause that are more than a few: it stands where the first of them
// stood, says how many there are, and its one action lists them.
func (f *finder) fold() {
	groups, sizes := make([]flood, len(f.found)), map[flood]int{}
	for i := range f.found {
		groups[i] = f.flood(&f.found[i])
		sizes[groups[i]]++
	}
	kept, told := f.found[:0], map[flood]bool{}
	for i, n := range f.found {
		g := groups[i]
		if g.reason == "" || sizes[g] <= reasonRanks[rowOf(g.reason)].few {
			kept = append(kept, n)
		} else if !told[g] {
			told[g] = true
			kept = append(kept, g.row(n, sizes[g]))
		}
	}
	f.found = kept
}

// flood says with which others a need is one; it has no reason where with none.
func (f *finder) flood(n *Need) flood {
	key, of := f.concerned[n.Name]
	if !of {
		return flood{}
	}
	g := flood{reason: n.Reason, cause: cause(n), kind: key.Kind}
	if t, ok := f.View.Task(key.Name); ok && key.Kind == resources.Tasks && resources.CheckName(t.Spec.WorkPlan) == nil {
		g.plan = t.Spec.WorkPlan
	}
	return g
}

// cause is what a need says before it names something, as words that may stand in a name: "spec-phase-names"
// of a text that goes on with a stage. A file that cannot be read has its own words: that it cannot is the cause.
func cause(n *Need) string {
	if n.Reason == "Invalid" {
		return "unreadable"
	}
	text := strings.ToLower(n.What)
	if rest, begins := strings.CutPrefix(text, `"`); begins { // with what it names
		_, text, _ = strings.Cut(rest, `"`)
	}
	if at := strings.IndexAny(text, `"0123456789:([/`); at >= 0 {
		text = text[:at]
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	slug := strings.Join(words, "-")
	return cmp.Or(strings.Trim(slug[:min(len(slug), maxCause)], "-"), "all")
}

// maxCause is how much of a cause is looked at, so that a name is not too long.
const maxCause = 60

// row is the one of all these needs, of which first is the most urgent.
func (g flood) row(first Need, size int) Need {
	n := first
	n.Name = strings.Join([]string{strings.ToLower(g.reason), g.cause, g.kind}, ".")
	n.Who, n.About, n.Do = g.kind, "", nil
	if g.plan != "" {
		n.Name += "." + g.plan
		n.About = "workplan/" + g.plan
		n.Who = n.About
	}
	n.What = line(fmt.Sprintf("%s and %d more: %s", first.Who, size-1, first.What))
	if a, ok := ActionOf(g.list()); ok {
		n.Do = []Action{a}
	}
	return n
}

// list is the command that lists the objects that these needs are about, and those that share their state.
func (g flood) list() string {
	fields := g.field()
	if g.plan != "" {
		fields += ",spec.workPlan=" + g.plan
	}
	return program + "get " + g.kind + ` --field-selector "` + fields + `"` // a shell takes [*] for files
}

// field selects what has this need: what is gone says so by its kind, and of a plan whose document is gone
// nothing does.
func (g flood) field() string {
	switch {
	case g.reason != "Gone":
		return reasonRanks[rowOf(g.reason)].field
	case g.kind == resources.Mems:
		return "status.phase=" + resources.Gone
	case g.kind == resources.Anchors:
		return "status.phase=" + resources.StalePhase
	}
	return "spec.sotDocument!="
}
