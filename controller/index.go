package controller

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Indexes that only the cache itself asks.
const (
	indexKind      = "kind"      // value = a kind's plural: all its objects
	indexBroken    = "broken"    // value = "": all objects whose file cannot be read
	indexPlanState = "planState" // value = a state: the plans with that spec.state
)

// term is one value of one index under which an entry stands.
type term struct{ index, value string }

// allTerms appends what e is to be found under.
func allTerms(to []term, e *entry) []term {
	if !e.known() {
		return to
	}
	to = append(to, term{indexKind, e.key.Kind})
	if e.problem != nil {
		to = append(to, term{indexBroken, ""})
	}
	if e.object == nil {
		return to
	}
	refers := len(to)
	for _, r := range resources.References(e.object) {
		to = append(to, term{IndexRefers, r.Key.String()})
	}
	to = kindTerms(to, e)
	shareValues(to[refers:])
	return to
}

// shareValues makes equal values one string: an index keeps what it is given.
func shareValues(terms []term) {
	for i := range terms {
		for j := range i {
			if terms[j].value == terms[i].value {
				terms[i].value = terms[j].value
				break
			}
		}
	}
}

// kindTerms appends the terms that objects of only some kinds have.
func kindTerms(to []term, e *entry) []term {
	switch o := e.object.(type) {
	case *resources.Task:
		to = taskTerms(to, o, e)
	case *resources.WorkPlan:
		to = append(to, term{indexPlanState, orDefault(o.Spec.State, resources.PlanDraft)})
		to = keyTerms(to, IndexDependsOn, resources.WorkPlans, o.Spec.DependsOn...)
	case *resources.Mem:
		to = keyTerms(to, IndexParent, resources.Mems, o.Spec.Parent)
		to = valueTerm(to, IndexSupersedes, o.Spec.Supersedes)
		to = valueTerm(to, IndexTopic, memory.NormalTopic(o.Spec.TopicKey))
		to = citedTerms(to, o.Spec.Evidence)
	case *resources.Anchor:
		if o.Spec.Source != nil {
			to = valueTerm(to, IndexSource, o.Spec.Source.File)
		}
	}
	return to
}

// citedTerms are the files that a mem cites, each once.
func citedTerms(to []term, evidence []resources.MemEvidence) []term {
	for i, e := range evidence {
		if e.Path == "" || slices.ContainsFunc(evidence[:i], func(o resources.MemEvidence) bool { return o.Path == e.Path }) {
			continue
		}
		to = append(to, term{IndexSource, e.Path})
	}
	return to
}

func taskTerms(to []term, t *resources.Task, e *entry) []term {
	plan := t.Spec.WorkPlan
	to = append(to,
		term{IndexTaskState, orDefault(t.Spec.State, resources.TaskPlanned)},
		term{IndexPlan, plan})
	to = observedTerms(to, e)
	to = keyTerms(to, IndexParent, resources.Tasks, t.Spec.Parent)
	to = keyTerms(to, IndexDependsOn, resources.Tasks, t.Spec.DependsOn...)
	if t.Spec.TemporalGate != nil {
		to = keyTerms(to, IndexDependsOn, resources.Tasks, t.Spec.TemporalGate.After)
	}
	return to
}

// observedTerms are the terms that follow from the status.
func observedTerms(to []term, e *entry) []term {
	t, ok := e.object.(*resources.Task)
	if !ok {
		return to
	}
	to = append(to, term{IndexPlanPhase, PlanPhaseValue(t.Spec.WorkPlan, e.phase)})
	if e.ready {
		to = append(to, term{IndexPlanReady, t.Spec.WorkPlan})
	}
	return to
}

func keyTerms(to []term, index, kind string, names ...string) []term {
	for _, name := range names {
		if name != "" {
			to = append(to, term{index, resources.Key{Kind: kind, Name: name}.String()})
		}
	}
	return to
}

func valueTerm(to []term, index, value string) []term {
	if value == "" {
		return to
	}
	return append(to, term{index, value})
}

func orDefault(value, otherwise string) string {
	if value == "" {
		return otherwise
	}
	return value
}
