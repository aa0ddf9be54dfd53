package controller

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Indexes that only the cache itself asks.
const (
	indexKind   = "kind"   // value = a kind's plural: all its objects
	indexBroken = "broken" // value = "": all objects whose file cannot be read
	indexReady  = "ready"  // value = readyValue(plan, rank): its tasks of that priority whose status says ready
)

func readyValue(plan string, rank int) string { return plan + "\x00" + strconv.Itoa(rank) }

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
	if e.ready {
		to = append(to, graph.Term{Index: indexReady, Value: readyValue(t.Spec.WorkPlan, resources.PriorityRank(t.Spec.Priority))})
	}
	return to
}
