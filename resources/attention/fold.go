package attention

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// A single mistake can affect ten thousand objects: a stage that was removed from a plan is
// missing in each of its tasks. Their rows would hide all others, although one correction
// fixes them all. Many needs with the same cause are therefore merged into one row.
const (
	fewFaults    = 3  // limit of separate rows with the same cause
	fewDecisions = 20 // limit if each row requires a separate decision
)

// flood is the common cause of several needs.
type flood struct {
	reason, cause, kind, plan string
}

// fold merges the needs of each cause above its limit. The merged row is at the position of
// the first one. It contains the number of needs and an action that lists them.
func (f *finder) fold() {
	groups, sizes := make([]flood, len(f.needs)), map[flood]int{}
	for i := range f.needs {
		groups[i] = f.flood(&f.needs[i])
		sizes[groups[i]]++
	}
	kept, told := f.needs[:0], map[flood]bool{}
	for i, n := range f.needs {
		if g := groups[i]; g.reason == "" || sizes[g] <= reasonRanks[rowOf(g.reason)].few {
			kept = append(kept, n)
		} else if !told[g] {
			told[g] = true
			kept = append(kept, g.row(n, sizes[g]))
		}
	}
	f.needs = kept
}

// flood returns the group of a need. The reason is empty if the need is never merged.
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

// cause returns the text of a need up to its first name or number, in the form of a name:
// "spec-phase-names". All unreadable files share one cause, because their messages differ.
func cause(n *Need) string {
	if n.Reason == "Invalid" {
		return "unreadable"
	}
	text := strings.ToLower(n.Text)
	if rest, begins := strings.CutPrefix(text, `"`); begins { // including the first name
		_, text, _ = strings.Cut(rest, `"`)
	}
	if at := strings.IndexAny(text, `"0123456789:([/`); at >= 0 {
		text = text[:at]
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	slug := strings.Join(words, "-")
	return cmp.Or(strings.Trim(slug[:min(len(slug), maxCause)], "-"), "all")
}

// maxCause limits the length of a cause, which is part of a name.
const maxCause = 60

// row returns the merged row. first is the most urgent need.
func (g flood) row(first Need, size int) Need {
	n := first
	n.Name = strings.Join([]string{strings.ToLower(g.reason), g.cause, g.kind}, ".")
	n.Subject, n.Object, n.Do = g.kind, "", nil
	if g.plan != "" {
		n.Name += "." + g.plan
		n.Object = "workplan/" + g.plan
		n.Subject = n.Object
	}
	n.Text = line(fmt.Sprintf("%s and %d more: %s", first.Subject, size-1, first.Text))
	if a, ok := ActionOf(g.list()); ok {
		n.Do = []Action{a}
	}
	return n
}

// list returns the command that lists the objects of these needs. It may list other objects
// in the same state.
func (g flood) list() string {
	fields := g.field()
	if g.plan != "" {
		fields += ",spec.workPlan=" + g.plan
	}
	return program + "get " + g.kind + ` --field-selector "` + fields + `"` // the quotes prevent globbing of [*] in a shell
}

// field returns the field selector for this cause. The selector of Gone depends on the
// kind. No field indicates a missing document of a plan.
func (g flood) field() string {
	switch {
	case g.reason != "Gone":
		return reasonRanks[rowOf(g.reason)].field
	case g.kind == resources.Mems:
		return "status.phase=" + resources.GonePhase
	case g.kind == resources.Anchors:
		return "status.phase=" + resources.StalePhase
	}
	return "spec.sotDocument!="
}
