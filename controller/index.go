package controller

import (
	"strconv"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
)

// Indexes for the cache's own use.
const (
	indexKind   = "kind"   // value = a kind's plural: all objects of the kind
	indexBroken = "broken" // value = "": all objects with unreadable files
	indexReady  = "ready"  // value = readyValue(plan, rank): ready tasks of that plan and priority
)

// readyValue returns the index value for the ready tasks of a plan with a
// priority rank.
func readyValue(plan string, rank int) string { return plan + "\x00" + strconv.Itoa(rank) }

// allTerms appends all index terms of e.
func allTerms(to []graph.Term, e *entry) []graph.Term {
	if !e.exists() {
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

// observedTerms appends the index terms that depend on the status.
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
