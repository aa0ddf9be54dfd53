package packer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// tangled is a repository of every sort of entry, some of them more than there is room for.
func tangled(r *rand.Rand) Input {
	in := entangled(r)
	in.Mems = append(in.Mems, crowded(r).Mems[len(userAuth().Mems):]...)
	phases := []string{resources.Fresh, resources.Fresh, resources.StalePhase, resources.Purged, resources.PhaseInvalid}
	for i := range r.IntN(12) {
		priority := []string{"critical", "high", "medium", "normal"}[r.IntN(4)]
		a := anchorOf(fmt.Sprintf("w-%02d", i), 1+i, phases[r.IntN(len(phases))], resources.AnchorSpec{Type: "decision", Priority: priority, Content: fmt.Sprint("session ", i, strings.Repeat(" token", r.IntN(30)))})
		if r.IntN(4) == 0 {
			a.Status.Phase, a.Status.Conditions = resources.StalePhase, []resources.Condition{{Type: resources.Suspect, Status: resources.True}}
		}
		in.Anchors = append(in.Anchors, a)
		in.Previous["anchors/"+a.Object.Metadata.Name] = max(0, r.IntN(100)-50)
		if r.IntN(2) == 0 {
			fed := memory.OfAnchor(a.Object)
			in.Mems = append(in.Mems, memOf(fed.Metadata.Name, 3, 80, resources.Fresh, fed.Spec))
		}
	}
	for i := range r.IntN(9) {
		name := fmt.Sprintf("also-%d", i)
		in.Tasks = append(in.Tasks, taskOf(name, 4, resources.TaskActive, resources.TaskSpec{WorkPlan: "user-auth", Priority: "low", Title: "Another " + name}))
		in.Active = append(in.Active, name)
	}
	if r.IntN(6) == 0 {
		in.Plan.Object.Spec.Acceptance = append(slices.Clone(in.Plan.Object.Spec.Acceptance), strings.Repeat("long ", 100))
	}
	return in
}

// account is what an entry's reasons are checked against.
type account struct {
	t       *testing.T
	in      Input
	packing *packing
	pack    Pack
	plain   map[string]int // scores where no last pack counts
	e       Entry
	c       *candidate
}

// reasons are all that is ever said of an entry but of a mem's words (explain_test.go), each
// with what must be so.
var reasons = map[string]func(a account) bool{
	"reserved, it has its turn before everything else": func(a account) bool {
		reserved := a.e.Section == "rules" || a.e.Section == "project" || a.e.ID == "today" || a.e.ID == "none" ||
			a.e.ID == "trajectory intent" || strings.HasPrefix(a.e.ID, "delegations/") ||
			a.e.ID == "workplans/user-auth" || a.e.ID == "workplans/user-auth progress" || a.e.Section == "task" && a.among(reservedTasks)
		return reserved && a.c.tier == reservedTier
	},
	"reserved, a critical anchor":                                          func(a account) bool { return a.anchor().Object.Spec.Priority == "critical" },
	"a warning, they come right after the reserved entries":                func(a account) bool { return a.e.Section == "plan" && a.c.group == "warnings" },
	"a false path, they come before optional entries":                      func(a account) bool { return a.mem().Object.Spec.Type == resources.FalsePath },
	"it shows the progress of the plan":                                    func(a account) bool { return a.e.Section == "plan" && a.in.Plan != nil },
	"an active task, but 5 other tasks go before it":                       func(a account) bool { return a.e.Section == "task" && !a.among(reservedTasks) },
	"a valid anchor, by priority and relevance":                            func(a account) bool { return a.anchor().Status.Phase == resources.Fresh },
	"critical: it goes before optional entries":                            func(a account) bool { return a.mem().Object.Spec.Critical },
	"an anchor whose file has changed, by priority and half its relevance": func(a account) bool { return suspectAnchor(a.anchor()) },
	"x1.5: the last pack had it": func(a account) bool {
		return a.in.Previous[a.e.ID] > 0 && a.e.Score == a.plain[a.e.Section+a.e.ID]*150/100
	},
	"from the unused shares of other sections": func(a account) bool { return a.beyondItsShare() },
	"it does not fit into the rest of the budget at its turn": func(a account) bool {
		return !a.pack.Budget.contains(a.total())
	},
	"it would fit, but a tenth of the budget is reserved for entries of the last pack": func(a account) bool {
		return (a.e.Section == "insights" || a.e.Section == "anchors") && !a.pack.Budget.part(90).contains(a.total())
	},
	"one that has its turn before it in this section did not fit": func(a account) bool { return a.another() },
	"it is stale": func(a account) bool {
		return a.anchor().Status.Phase == resources.StalePhase && !suspectAnchor(a.anchor())
	},
	"there are ten that have more to do with the active tasks": func(a account) bool { return a.before() >= maxMems },
	"it is purged":                       func(a account) bool { return a.phase() == resources.Purged },
	"it is invalid":                      func(a account) bool { return a.phase() == resources.PhaseInvalid },
	"it is ended":                        func(a account) bool { return a.phase() == resources.Ended },
	"it is pending":                      func(a account) bool { return a.phase() == resources.Pending },
	"another mem replaced it":            func(a account) bool { return a.phase() == resources.Superseded },
	"all of its sources no longer exist": func(a account) bool { return a.phase() == resources.GonePhase },
	"the anchor that it was made of is valid and has the same content": func(a account) bool {
		name := strings.TrimPrefix(a.mem().Object.Spec.Source, "anchor/")
		i := slices.IndexFunc(a.in.Anchors, func(o Anchor) bool { return o.Object.Metadata.Name == name })
		return i >= 0 && !anchorHidden(&a.in.Anchors[i]) && a.in.Anchors[i].Object.Spec.Content == a.mem().Object.Spec.Content
	},
}

const reservedTier = reserved

// byWords are the beginnings of reasons that explain_test.go checks.
var byWords = []string{
	"linked to ", "its words have too little in common", "it repeats another entry", "it shares no word with", "it is stale and not linked", "if it is still valid", "no task, plan or intent",
}

func (a account) mem() *Mem {
	i := slices.IndexFunc(a.in.Mems, func(m Mem) bool { return "mems/"+m.Object.Metadata.Name == a.e.ID })
	require.GreaterOrEqual(a.t, i, 0, "%+v", a.e)
	return &a.in.Mems[i]
}

func (a account) anchor() *Anchor {
	i := slices.IndexFunc(a.in.Anchors, func(o Anchor) bool { return "anchors/"+o.Object.Metadata.Name == a.e.ID })
	require.GreaterOrEqual(a.t, i, 0, "%+v", a.e)
	return &a.in.Anchors[i]
}

func (a account) phase() string {
	if a.e.Section == "anchors" {
		return a.anchor().Status.Phase
	}
	return a.mem().Status.Phase
}

// among reports whether an entry is of the n most important active tasks.
func (a account) among(n int) bool {
	for i, t := range a.packing.active {
		if name := "tasks/" + t.Object.Metadata.Name; a.e.ID == name || strings.HasPrefix(a.e.ID, name+" ") {
			return i < n
		}
	}
	return false
}

// total is what the pack would take with the entry: all that is in, the room that is kept for
// naming what is not, frames.
func (a account) total() tokens.Size {
	sum, open := tokens.Measure(opening+closing).Plus(a.end()), frames{}
	for i := range a.packing.candidates {
		if c := &a.packing.candidates[i]; c.in {
			sum = sum.Plus(open.cost(c))
			open.open(c)
		}
	}
	return sum.Plus(open.cost(a.c))
}

// end is the room that was kept for names.
func (a account) end() tokens.Size {
	end := endReserve()
	if a.pack.Overflow != "" {
		end = end.Plus(tokens.Measure(noticeText(9999999, a.packing.budget)))
	}
	return end
}

// beyondItsShare: what is within its share there leaves no room for it, or it is not looked at
// because another one of its section had none; or it is of those that must be in.
func (a account) beyondItsShare() bool {
	s := shareOf(a.c.section)
	sum, open := tokens.Size{}, frames{}
	for i := range a.packing.candidates {
		c := &a.packing.candidates[i]
		if shareOf(c.section) != s || c == a.c {
			continue
		}
		if strings.HasSuffix(c.why, fromOthers) || !c.in {
			if c.queue() == a.c.queue() && before(c, a.c) {
				return true
			}
			continue
		}
		if c.tier != reserved || c.section == rules || c.section == project {
			sum = sum.Plus(open.cost(c))
			open.open(c)
		}
	}
	return !a.pack.Budget.part(shares[s].percent).fits(sum.Plus(open.cost(a.c)), a.pack.Budget.Limit > 0)
}

// before is how many mems of the section of a mem are in that do not belong to the task itself.
func (a account) before() (n int) {
	for i := range a.packing.candidates {
		if c := &a.packing.candidates[i]; c.section == a.c.section && !c.ownTask && c.tier == a.c.tier && c.exclusion == "" && c.canEnter() {
			n++
		}
	}
	return n
}

// another reports whether one of the same section that goes before it is out for want of room.
func (a account) another() bool {
	for i := range a.packing.candidates {
		if c := &a.packing.candidates[i]; c.queue() == a.c.queue() && before(c, a.c) && (c.why == noRoom || c.why == noRoomAnew) {
			return true
		}
	}
	return false
}

// before reports whether a candidate has its turn before another one.
func before(a, b *candidate) bool {
	return a.tier < b.tier || a.tier == b.tier && (a.effectiveScore() > b.effectiveScore() || a.effectiveScore() == b.effectiveScore() && a.id <= b.id)
}

// TestEveryReasonIsTrue recomputes each part of what is said of each entry, over random
// stores; what is said must be known here, and each of it must have been said.
func TestEveryReasonIsTrue(t *testing.T) {
	t.Parallel()
	said := map[string]int{}
	for seed := range uint64(70) { // in a short run as well: some reasons are seldom
		in := tangled(rand.New(rand.NewPCG(seed, 51)))
		plain := in
		plain.Previous = nil
		a := account{t: t, in: in, pack: Build(in), packing: newPacking(in), plain: map[string]int{}}
		for _, e := range Build(plain).Entries {
			a.plain[e.Section+e.ID] = e.Score
		}
		a.packing.offer()
		a.packing.pack()
		require.Len(t, a.packing.candidates, len(a.pack.Entries))
		a.statements()
		for i, e := range a.pack.Entries {
			a.e, a.c = e, &a.packing.candidates[i]
			a.reasons(said)
			held := strings.Contains(e.Why, "x1.5")
			if want := a.plain[e.Section+e.ID]; !held && e.In && (e.Section == "insights" || e.Section == "anti_patterns" || e.Section == "anchors") {
				require.Equal(t, want, e.Score, "%+v", e)
			}
		}
	}
	for reason := range reasons {
		assert.Positive(t, said[reason], "never said: %s", reason)
	}
	t.Log(said)
}

// reasons checks each part of what is said of an entry.
func (a account) reasons(said map[string]int) {
	_, why, _ := strings.Cut(a.e.Why, ": ")
	words := false
	for part := range strings.SplitSeq(why, "; ") {
		check, known := reasons[part]
		words = words || strings.HasPrefix(part, "its words match ") // and what follows is of them
		if !known && (words || slices.ContainsFunc(byWords, func(beginning string) bool { return strings.HasPrefix(part, beginning) })) {
			continue
		}
		require.True(a.t, known, "nobody checks %q of %+v", part, a.e)
		require.True(a.t, check(a), "%q is not true of %+v", part, a.e)
		said[part]++
	}
}

// statements: what is said to be in is told, in its section and with the tokens that it is
// said to take, and nothing else is.
func (a account) statements() {
	list, ok := statements(a.pack.Bytes)
	require.True(a.t, ok)
	told, claimed := map[string]int{}, map[string]int{}
	for _, s := range list {
		if s.position.section != "" && s.position.section != omittedSection {
			told[fmt.Sprint(s.position.section, tokens.Estimate(s.text+"\n"))]++
		}
	}
	seen := map[string]bool{} // statements come without repetitions
	for i, e := range a.pack.Entries {
		if c := &a.packing.candidates[i]; e.In && !seen[e.Section+c.group+c.text] {
			seen[e.Section+c.group+c.text] = true
			claimed[fmt.Sprint(e.Section, e.Tokens)]++
		}
	}
	require.Equal(a.t, told, claimed)
}
