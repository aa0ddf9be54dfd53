package queries

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ReviewAll returns all review items, most urgent first: the items of Review,
// and broken, waiting, dangling or stale files, plans, tasks, anchors and
// session exports.
func ReviewAll(s *Source) []ReviewItem {
	r := newReviewer(s)
	r.everything = true
	r.unreadable()
	r.plans()
	r.tasks()
	r.decisions()
	r.addOtherKinds()
	r.exports()
	r.artifacts()
	r.memory()
	return r.sorted()
}

// add adds an item about an object other than a mem.
func (r *reviewer) add(order int, key resources.Key, phase, reason, what, remedy string, answers ...Resolution) {
	r.concerns = append(r.concerns, ReviewItem{Key: key, Phase: phase, Reason: reason, What: what, Remedy: remedy, Answers: answers, order: order})
}

// unreadable adds items for unreadable files. If everything is reviewed, mems
// handles its own.
func (r *reviewer) unreadable() {
	reason := "Invalid"
	if r.everything {
		reason = "Unreadable"
	}
	for _, p := range r.source.Problems() {
		kind, known := resources.KindOf(p.Key.Kind)
		if !known || p.Key.Name == "" || r.everything && p.Key.Kind == resources.Mems {
			continue
		}
		ref := kind.Singular + "/" + p.Key.Name
		remedy, answers := cmp.Or(p.Remedy, "idumb edit "+ref), []Resolution{{Fix, "idumb edit " + ref}}
		switch {
		case p.Reason == store.RemovedReason: // there is no file to edit
			answers = []Resolution{{Keep, "idumb restore " + ref}, {Drop, "idumb delete " + ref}}
		case !r.editable(p):
			answers = nil
		}
		p.Remedy = ""
		r.add(0, p.Key, resources.PhaseInvalid, reason, p.Error(), remedy, answers...)
	}
	for _, kind := range resources.Kinds() {
		var p resources.Problem
		if errors.As(unreadableFolder(r.source.Root, kind.Plural), &p) { // no command repairs it
			remedy := p.Remedy
			p.Remedy = ""
			r.add(0, p.Key, resources.PhaseInvalid, reason, p.Error(), remedy)
		}
	}
}

// editable reports whether idumb edit can open an unreadable file: it has a valid name and is a
// regular file of a permitted size.
func (r *reviewer) editable(p resources.Problem) bool {
	_, _, err := r.source.Root.Read(p.File, layout.MaxSpec)
	return !errors.Is(err, store.ErrUnreadable) && resources.CheckName(p.Key.Name) == nil
}

// plans adds items for plans that wait for the user, have a broken chain or
// have no workers.
func (r *reviewer) plans() {
	for _, state := range [...]string{resources.PlanActive, resources.PlanDraft} {
		for _, name := range r.source.PlansInState(state) {
			key := resources.Key{Kind: resources.WorkPlans, Name: name}
			if st, known := r.source.Derived(key).(*resources.WorkPlanStatus); known {
				r.plan(key, st)
			}
		}
	}
}

// plan adds the items of one plan: open criteria, its document, and conditions that need the user.
func (r *reviewer) plan(key resources.Key, st *resources.WorkPlanStatus) {
	if st.Phase == resources.PlanReview {
		message := resources.FindCondition(st.Conditions, resources.Ready).Message
		step := strings.LastIndex(message, "; ") // a criterion may contain any text
		r.add(3, key, st.Phase, "CriteriaOpen", message[:step], message[step+2:], Resolution{Keep, "idumb complete workplan/" + key.Name + " --met NUMBER --evidence \"...\""}, Resolution{Drop, "idumb complete workplan/" + key.Name})
	}
	r.document(key, st)
	drop := Resolution{Drop, "idumb abandon workplan/" + key.Name + " --reason \"...\""}
	r.noteConditions(key, st.Phase, st.Conditions, map[string][]Resolution{
		resources.ChainBroken: {{Fix, "idumb edit workplan " + key.Name}, drop},
		resources.Orphaned:    {{Fix, "idumb edit workplan " + key.Name}},
		resources.Stale:       {{Keep, "idumb confirm workplan/" + key.Name}, drop},
	})
}

// document adds an item for a plan with a missing document.
func (r *reviewer) document(key resources.Key, st *resources.WorkPlanStatus) {
	p, ok := r.source.Plan(key.Name)
	if !ok || p.Spec.SOTDocument == "" {
		return
	}
	if _, _, exists := r.source.SourceFile(p.Spec.SOTDocument); !exists {
		r.add(1, key, st.Phase, "Gone", fmt.Sprintf("its document %q no longer exists", p.Spec.SOTDocument), "", Resolution{Fix, "idumb edit workplan " + key.Name})
	}
}

// reviewConditions lists the conditions of a live object that need the user, with their
// urgency.
var reviewConditions = [...]struct {
	condition string
	order     int
}{{resources.ChainBroken, 1}, {resources.Orphaned, 1}, {resources.Conflict, 1}, {resources.DelegateGone, 4}, {resources.Stale, 5}}

// noteConditions adds an item for each of reviewConditions that is true, with its answers by
// condition type. It reports a cycle for one member only.
func (r *reviewer) noteConditions(key resources.Key, phase string, conditions []resources.Condition, answers map[string][]Resolution) {
	for _, row := range reviewConditions {
		c := resources.FindCondition(conditions, row.condition)
		if c == nil || c.Status != resources.True {
			continue
		}
		if circle := r.source.Circle(key); row.condition == resources.ChainBroken && len(circle) > 0 && circle[0] != key {
			continue // report each cycle once
		}
		what, remedy, _ := strings.Cut(c.Message, "; ")
		said := answers[row.condition]
		if said == nil {
			said = []Resolution{{Fix, cmp.Or(remedy, "idumb edit "+objectName(key))}}
		}
		r.add(row.order, key, phase, c.Type, what, remedy, said...)
	}
}

// tasks adds items for tasks that wait for the user or have a problem.
func (r *reviewer) tasks() {
	for _, key := range r.source.List(resources.Tasks) {
		task, found := r.source.Task(key.Name)
		st, known := r.source.Derived(key).(*resources.TaskStatus)
		if !found || !known {
			continue
		}
		r.noteWaiting(task, st)
		r.addUndelivered(task)
		if !status.LiveTask(task) {
			continue
		}
		edit, drop := Resolution{Fix, "idumb edit task " + key.Name}, Resolution{Drop, "idumb abandon " + key.Name + " --reason \"...\""}
		var free []Resolution
		if c := resources.FindCondition(st.Conditions, resources.DelegateGone); c != nil && c.Reason != "SessionEnded" {
			free = []Resolution{{Fix, "idumb start " + key.Name}}
		}
		r.noteConditions(key, st.Phase, st.Conditions, map[string][]Resolution{
			resources.DelegateGone: free,
			resources.ChainBroken:  {edit, drop},
			resources.Orphaned:     {edit, drop},
			resources.Stale:        {{Keep, "idumb confirm task/" + key.Name}, {Drop, "idumb fail " + key.Name + " --reason \"...\""}},
		})
	}
}

// addUndelivered adds an item for a comment that holds a task that ended before any
// session received the comment.
func (r *reviewer) addUndelivered(task *resources.Task) {
	if status.LiveTask(task) {
		return
	}
	c := status.HeldBy(task.Key(), r.source)
	if c == nil || len(r.source.Evidence(c.Metadata.Name).Comment.Deliveries) > 0 {
		return
	}
	what := fmt.Sprintf("task/%s is %s, and no session received this: %s", task.Metadata.Name, task.Spec.State, c.Spec.Body)
	r.add(3, c.Key(), resources.CommentOpen, "Untold", what, "", Resolution{Drop, "idumb comment --resolve " + c.Metadata.Name})
}

// noteWaiting adds an item for a task that blocks others or that needs the user's
// confirmation.
func (r *reviewer) noteWaiting(task *resources.Task, st *resources.TaskStatus) {
	name, key, state := task.Metadata.Name, task.Key(), resources.TaskState(task)
	complete := Resolution{Keep, "idumb complete " + name}
	switch {
	case state == resources.TaskFailed:
		if waiting := len(r.source.Dependents(key)); waiting > 0 {
			what := fmt.Sprintf("%s, and holds back %d", status.WithReason("failed", task.Spec.Reason), waiting)
			r.add(2, key, st.Phase, "Failed", what, "idumb start "+name, Resolution{Keep, "idumb start " + name}, Resolution{Drop, "idumb abandon " + name + " --reason \"...\""})
		}
	case st.Phase == resources.TaskReview && state == resources.TaskActive:
		r.add(3, key, st.Phase, "Review", "all of its evidence was recorded", "", complete)
	case st.Phase == resources.TaskReview && state == resources.TaskReview:
		what := "handed in for review"
		if missing := status.MissingEvidence(task, r.source.Evidence(name)); len(missing) > 0 {
			what += ", not seen yet: " + status.ListedEvidence(missing)
			complete = Resolution{Fix, status.EvidenceCommand(missing, name)}
		}
		r.add(3, key, st.Phase, "Review", what, "", complete, Resolution{Drop, "idumb fail " + name + " --reason ..."})
	case st.Phase == resources.TaskReview:
		if c := resources.FindCondition(st.Conditions, resources.EvidenceMissing); c != nil {
			what, remedy, _ := strings.Cut(c.Message, "; ")
			r.add(3, key, st.Phase, c.Type, what, remedy, Resolution{Fix, remedy})
		}
	}
}

// addOtherKinds adds items for dangling or contradictory objects of the remaining
// kinds. Ended sessions need no attention. A missing delegate is reported with
// its task.
func (r *reviewer) addOtherKinds() {
	for _, kind := range resources.Kinds() {
		switch kind.Plural {
		case resources.Tasks, resources.WorkPlans, resources.Mems, resources.Sessions:
			continue
		}
		for _, key := range r.source.List(kind.Plural) {
			if common := resources.CommonOf(r.source.Derived(key)); common != nil && kind.Plural != resources.Anchors {
				r.noteConditions(key, common.Phase, withoutType(common.Conditions, resources.DelegateGone), nil)
			} else if common != nil {
				r.noteConditions(key, common.Phase, withoutType(common.Conditions, resources.Stale), map[string][]Resolution{
					resources.Orphaned: {{Fix, "idumb edit anchor " + key.Name}, {Drop, "idumb archive anchor/" + key.Name}},
				})
			}
		}
	}
}

// withoutType returns the conditions except those of one type.
func withoutType(conditions []resources.Condition, conditionType string) (rest []resources.Condition) {
	for _, c := range conditions {
		if c.Type != conditionType {
			rest = append(rest, c)
		}
	}
	return rest
}

// exports adds items for unreadable session exports.
func (r *reviewer) exports() {
	names, _ := r.source.Root.Names(layout.ExportsDir)
	for _, name := range names {
		if strings.HasPrefix(name, layout.TempPrefix) {
			continue
		}
		if _, err := hooks.ReadExport(r.source.Root, name); err != nil {
			key := resources.Key{Kind: resources.Sessions, Name: strings.TrimSuffix(name, ".json")}
			r.add(7, key, resources.PhaseInvalid, "Unreadable", layout.ExportsDir+"/"+name+": "+err.Error(), "it is removed once it is as old as config.sessionCollectAfter", removalAnswer(name)...)
		}
	}
}

// removalAnswer returns the answer that removes an export. It returns nil if the
// name is not safe in a shell.
func removalAnswer(name string) []Resolution {
	if resources.CheckName(name) != nil {
		return nil
	}
	return []Resolution{{Drop, "rm " + layout.ExportsDir + "/" + name}}
}

// commentState describes the state of a comment: its readers, its answers or its
// resolution.
func commentState(st *resources.CommentStatus) string {
	if st.Phase == resources.CommentResolved {
		return "resolved by " + st.SettledBy
	}
	var parts []string
	for _, t := range st.ToldTo {
		parts = append(parts, fmt.Sprintf("delivered to %s, turn %d", t.Session, t.Turn))
	}
	if len(st.AnsweredBy) > 0 {
		parts = append(parts, "answered by "+strings.Join(st.AnsweredBy, ", "))
	}
	if len(parts) == 0 {
		return "not delivered yet"
	}
	return strings.Join(parts, "; ")
}
