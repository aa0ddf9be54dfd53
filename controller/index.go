package controller

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Indexes that only the cache itself asks.
const (
	indexKind   = "kind"   // value = a kind's plural: all its objects
	indexBroken = "broken" // value = "": all objects whose file cannot be read
)

// allTerms appends what e is to be found under.
func allTerms(to []graph.Term, e *entry) []graph.Term {
	if !e.known() {
		return to
	}
	to = append(to, graph.Term{Index: indexKind, Value: e.key.Kind})
	if e.problem != nil {
		to = append(to, graph.Term{Index: indexBroken})
	}
	if e.object == nil {
		return to
	}
	return observedTerms(graph.Terms(to, e.object), e)
}

// observedTerms appends the terms that follow from the status.
func observedTerms(to []graph.Term, e *entry) []graph.Term {
	t, ok := e.object.(*resources.Task)
	if !ok {
		return to
	}
	to = append(to, graph.Term{Index: IndexPlanPhase, Value: PlanPhaseValue(t.Spec.WorkPlan, e.phase)})
	if e.ready {
		to = append(to, graph.Term{Index: IndexPlanReady, Value: t.Spec.WorkPlan})
	}
	return to
}
