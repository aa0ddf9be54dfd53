package beads

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// facts contains the data that both formats have, in the notation of beads. It is zero for
// a missing object.
type facts struct {
	texts            map[string]string // by issue field; nil for a missing object
	parent           string
	labels, blockers []string
}

// factsOf returns the facts of an object. ids maps objects to issue IDs.
func factsOf(o resources.Object, ids map[resources.Key]string) facts {
	f := facts{}
	labels := o.Head().Metadata.Labels
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if !strings.HasPrefix(key, Prefix) {
			f.labels = append(f.labels, strings.TrimSuffix(key+":"+labels[key], ":"))
		}
	}
	called := func(kind, name string) string { return cmp.Or(ids[resources.Key{Kind: kind, Name: name}], name) }
	kind := o.Key().Kind
	var waitsFor []string
	switch o := o.(type) {
	case *resources.Task:
		spec := &o.Spec
		status, reason := taskStatus(spec)
		design, notes := designIn(spec.Notes)
		f.texts = map[string]string{
			"title": cmp.Or(spec.Title, o.Key().Name), "acceptance_criteria": spec.ExpectedOutput, "description": spec.Description,
			"design": design, "notes": notes, "assignee": spec.AssignedTo, "status": status, "close_reason": reason,
			"priority": fmt.Sprint(slices.Index(priorities[:], cmp.Or(spec.Priority, "normal"))),
		}
		waitsFor = resources.ComesFirst(o)
		if f.parent = called(kind, spec.Parent); spec.Parent == "" {
			f.parent = called(resources.WorkPlans, spec.WorkPlan)
		}
	case *resources.WorkPlan:
		spec := &o.Spec
		f.texts = map[string]string{
			"title": spec.Title, "assignee": spec.OwnedBy, "status": planStatus(spec.State),
			"acceptance_criteria": "- " + strings.Join(spec.Acceptance, "\n- "),
		}
		waitsFor = spec.DependsOn
	}
	for _, name := range waitsFor {
		f.blockers = append(f.blockers, called(kind, name))
	}
	slices.Sort(f.blockers)
	f.blockers = slices.Compact(f.blockers)
	return f
}

// notesOf combines an issue's design and notes.
func notesOf(design, notes string) string {
	return migrate.Markdown(migrate.Passage{Heading: designHeading, Text: design}, migrate.Passage{Heading: migrate.NotesHeading, Text: notes})
}

const designHeading = "Design"

// designIn splits notes that notesOf combined. Other texts are notes only.
func designIn(text string) (design, notes string) {
	rest, found := strings.CutPrefix(text, "## "+designHeading+"\n\n")
	if !found {
		return "", text
	}
	design, notes, _ = strings.Cut(rest, "\n\n## "+migrate.NotesHeading+"\n\n")
	return design, notes
}

// taskStatus returns a task's state and close reason in the notation of beads.
func taskStatus(spec *resources.TaskSpec) (status, reason string) {
	switch spec.State {
	case resources.TaskCompleted:
		if spec.Result != nil && spec.Result.Evidence != noReason {
			reason = spec.Result.Evidence
		}
		return closed, reason
	case resources.TaskFailed, resources.TaskAbandoned:
		return closed, spec.State + ": " + spec.Reason
	case resources.TaskActive, resources.TaskReview:
		return inProgress, ""
	}
	if spec.PlanAhead {
		return "deferred", ""
	}
	return open, ""
}

// planStatus returns the status of an issue for the state of a plan.
func planStatus(state string) string {
	switch state {
	case resources.PlanCompleted, resources.PlanArchived, resources.PlanAbandoned:
		return closed
	case resources.PlanActive:
		return open
	}
	return "deferred"
}
