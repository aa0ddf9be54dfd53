package status_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

const (
	accepted = resources.DecisionAccepted
	proposed = resources.DecisionProposed
	rejected = resources.DecisionRejected
)

func decision(name, state string, more ...func(*resources.DecisionSpec)) *resources.Decision {
	spec := resources.DecisionSpec{Title: name, State: state}
	for _, change := range more {
		change(&spec)
	}
	return graphtest.Decision(name, spec)
}

func after(names ...string) func(*resources.DecisionSpec) {
	return func(s *resources.DecisionSpec) { s.DependsOn = names }
}

func replacing(name string) func(*resources.DecisionSpec) {
	return func(s *resources.DecisionSpec) { s.Supersedes = name }
}

func on(day int) func(*resources.DecisionSpec) {
	return func(s *resources.DecisionSpec) {
		s.DecidedAt = resources.NewTime(graphtest.Noon.Add(time.Duration(day) * 24 * time.Hour))
	}
}

// remedies contains the steps for the cases of TestDecisionPhases in which another decision than d leads out.
var remedies = map[string]string{
	"proposed":                    "ask the user to decide: `idumb decide accept d`, or `idumb decide reject d --reason \"...\"`",
	"depends on what is proposed": "ask the user to decide: `idumb decide accept a`, or `idumb decide reject a --reason \"...\"`",
	"its head waits":              "ask the user to decide: `idumb decide accept a`, or `idumb decide reject a --reason \"...\"`",
	"its head was given up":       "ask the user to link another decision, or take decision/d out of spec.decisions: `idumb edit task t`",
}

// The phases of decisions, and what a task that hangs on the first of them is told.
func TestDecisionPhases(t *testing.T) {
	for _, test := range []struct {
		name   string
		all    []resources.Object // the first is d
		phase  string
		head   string
		reason string // what the task is told, "" for nothing
	}{
		{"none", nil, "", "", `waits for "decision/d" (missing; link another one, or take it out of spec.decisions)`},
		{"proposed", []resources.Object{decision("d", "")}, "unresolved", "", `waits for "decision/d" (proposed; a user accepts it: idumb decide accept d)`},
		{"accepted", []resources.Object{decision("d", accepted)}, "resolved", "", ""},
		{"rejected", []resources.Object{decision("d", rejected)}, "rejected", "", `waits for "decision/d" (rejected; link another one, or take it out of spec.decisions)`},
		{"deprecated", []resources.Object{decision("d", resources.DecisionDeprecated)}, "rejected", "", `waits for "decision/d" (deprecated; link another one, or take it out of spec.decisions)`},
		{"depends on what is accepted", []resources.Object{decision("d", accepted, after("a")), decision("a", accepted)}, "resolved", "", ""},
		{"depends on what is proposed", []resources.Object{decision("d", accepted, after("decisions/a")), decision("a", proposed)}, "unresolved", "", `waits for "decision/d" (waiting for decision/a)`},
		{"depends on it farther up", []resources.Object{decision("d", accepted, after("a")), decision("a", accepted, after("b")), decision("b", proposed)}, "unresolved", "", `waits for "decision/d" (waiting for decision/a)`},
		{"depends on nothing that is there", []resources.Object{decision("d", accepted, after("a"))}, "unresolved", "", `waits for "decision/d" (waiting for decision/a)`},
		{"depends on a section", []resources.Object{decision("d", accepted, after("artifacts/prd#Auth"))}, "resolved", "", ""},
		{"a circle of accepted ones", []resources.Object{decision("d", accepted, after("a")), decision("a", accepted, after("d"))}, "resolved", "", ""},
		{"a proposal takes nothing's place", []resources.Object{decision("d", accepted), decision("e", proposed, replacing("d"))}, "resolved", "", ""},
		{"replaced by an accepted one", []resources.Object{decision("d", accepted), decision("e", accepted, replacing("d"))}, "superseded", "e", ""},
		{"replaced twice", []resources.Object{decision("d", accepted), decision("e", accepted, replacing("d")), decision("f", accepted, replacing("e"))}, "superseded", "f", ""},
		{"the later of two", []resources.Object{decision("d", accepted), decision("e", accepted, replacing("d"), on(2)), decision("f", accepted, replacing("d"), on(1))}, "superseded", "e", ""},
		{"its head was given up", []resources.Object{decision("d", accepted), decision("e", resources.DecisionDeprecated, replacing("d"))}, "superseded", "e", `waits for "decision/d" (e, which replaced it, is deprecated; link another one, or take it out of spec.decisions)`},
		{"its head waits", []resources.Object{decision("d", accepted), decision("e", accepted, replacing("d"), after("a")), decision("a", proposed)}, "superseded", "e", `waits for "decision/d" (e, which replaced it, is waiting for decision/a)`},
		{"depends on one whose head holds", []resources.Object{decision("d", accepted, after("a")), decision("a", rejected), decision("b", accepted, replacing("a"))}, "resolved", "", ""},
		{"each replaces the other", []resources.Object{decision("d", accepted, replacing("e")), decision("e", accepted, replacing("d"))}, "resolved", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			task := graphtest.Task("t", resources.TaskSpec{WorkPlan: "p", Decisions: []string{"d"}})
			s := graphtest.SnapshotOf(append(slices.Clone(test.all), task, graphtest.Plan("p", resources.WorkPlanSpec{Title: "p", State: resources.PlanActive}))...)
			if len(test.all) > 0 {
				st := status.DeriveDecision(test.all[0].(*resources.Decision), s)
				assert.Equal(t, test.phase, st.Phase)
				assert.Equal(t, test.head, st.Head)
				assert.Equal(t, test.phase, status.DecisionPhase(test.all[0].(*resources.Decision), s))
			}
			st, _ := status.DeriveTask(task, s)
			c := resources.FindCondition(st.Conditions, resources.Blocked)
			if test.reason == "" {
				assert.Equal(t, resources.TaskPlanned, st.Phase)
				assert.Nil(t, c)
				return
			}
			assert.Equal(t, resources.TaskBlocked, st.Phase)
			assert.Equal(t, []string{"decision/d"}, st.BlockedBy)
			assert.Equal(t, "DecisionUnresolved", c.Reason)
			assert.Equal(t, test.reason, c.Message)
			remedy := status.DecisionRemedy("t", st.BlockedBy, s)
			assert.NotEmpty(t, remedy)
			if want, known := remedies[test.name]; known {
				assert.Equal(t, want, remedy)
			}
		})
	}
}

// A task waits for tasks before decisions, and its parts wait with it.
func TestDecisionsAmongBlockers(t *testing.T) {
	s := graphtest.SnapshotOf(
		graphtest.Plan("p", resources.WorkPlanSpec{Title: "p", State: resources.PlanActive}), decision("d", proposed),
		graphtest.Task("first", resources.TaskSpec{WorkPlan: "p"}),
		graphtest.Task("whole", resources.TaskSpec{WorkPlan: "p", DependsOn: []string{"first"}, Decisions: []string{"d"}}),
		graphtest.Task("part", resources.TaskSpec{WorkPlan: "p", Parent: "other"}), graphtest.Task("other", resources.TaskSpec{WorkPlan: "p", Decisions: []string{"d"}}),
	)
	whole := *s.Derived(resources.Key{Kind: resources.Tasks, Name: "whole"}).(*resources.TaskStatus)
	assert.Equal(t, []string{"first", "decision/d"}, whole.BlockedBy)
	assert.Equal(t, "DependencyNotCompleted", resources.FindCondition(whole.Conditions, resources.Blocked).Reason)
	part := *s.Derived(resources.Key{Kind: resources.Tasks, Name: "part"}).(*resources.TaskStatus)
	assert.Equal(t, []string{"other"}, part.BlockedBy)
}

// A long chain, and a fan, cost a look at each.
func TestDecisionsInNumbers(t *testing.T) {
	var all []resources.Object
	const n = 3000
	for i := range n {
		all = append(all, decision(fmt.Sprintf("d-%d", i), accepted, after(fmt.Sprintf("d-%d", i+1))))
	}
	all = append(all, decision(fmt.Sprintf("d-%d", n), proposed))
	s := graphtest.SnapshotOf(all...)
	begun := time.Now()
	assert.Equal(t, "unresolved", status.DecisionPhase(all[0].(*resources.Decision), s))
	assert.Less(t, time.Since(begun), 10*time.Second)
}

// What a decision cites is watched as that of mems is, and takes nothing from what it decides.
func TestASuspectDecisionHolds(t *testing.T) {
	d := decision("d", accepted, func(s *resources.DecisionSpec) {
		s.Evidence = []resources.MemEvidence{{Path: "docs/adr.md", SHA256: "00"}, {Note: "said so"}}
	})
	st, _ := memory.DeriveDecision(d, graphtest.SnapshotOf(d))
	assert.Equal(t, "resolved", st.Phase)
	assert.Equal(t, []string{"docs/adr.md is gone"}, st.Suspect)
	assert.Equal(t, "EvidenceGone", resources.FindCondition(st.Conditions, resources.Suspect).Reason)
}
