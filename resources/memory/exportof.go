package memory

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// ExportView is the data that an export is created from.
type ExportView interface {
	status.View
	PlanTasks(plan string) []string
	// Get returns the last valid version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the keys of all objects of a kind, sorted.
	List(kind string) []resources.Key
}

// AnchorView is the data that NameAnchors needs.
type AnchorView interface {
	ExportView
	status.WideView
}

// Limits of the lists in an export.
const (
	maxExportTasks = 50
	maxExportNamed = 50
)

// ExportOf returns an export of a session with the data of its record and of other objects.
// The caller adds the data that the hook recorded: calls, files, commands and messages.
func ExportOf(s *resources.Session, v ExportView, reason string) Export {
	spec := &s.Spec
	f := status.FiguresOf(s, v)
	e := Export{
		Schema: ExportSchema, Reason: reason, ExportedAt: resources.NewTime(v.Now()), StaleAfter: cmp.Or(v.Settings().SessionStaleAfter, "48h"),
		Host: spec.Host, Record: s.Metadata.Name, Agent: spec.Agent, Role: spec.Role, Parent: spec.Parent, Delegation: spec.Delegation,
		StartedAt: spec.StartedAt, LastSeenAt: spec.LastSeenAt, Counters: spec.Counters, Drift: f.Drift(), Health: f.Health(),
		Triggers: slices.Clone(spec.Raised), Complete: true,
	}
	if !spec.LastSeenAt.IsZero() {
		e.StalenessHours = max(0, int(v.Now().Sub(spec.LastSeenAt.Time)/time.Hour))
	}
	if t, ok := v.Task(spec.ActiveTask); ok {
		status, _ := status.DeriveTask(t, v)
		e.Task, e.Plan, e.TaskPhase, e.Chain = t.Metadata.Name, t.Spec.WorkPlan, status.Phase, chainTo(t, v)
		e.worked(t, v)
		e.Last = ownCheckpoints(v.Evidence(e.Task), e.Record)
	}
	e.missing(s, v)
	for _, key := range v.List(resources.Mems) {
		object, _ := v.Get(key)
		if m, ok := object.(*resources.Mem); ok && m.Metadata.Annotations[resources.AnnotationMadeBy] == e.Record && len(e.Mems) < maxExportNamed {
			e.Mems = append(e.Mems, key.Name)
		}
	}
	for _, key := range v.List(resources.Sessions) {
		object, _ := v.Get(key)
		if s, ok := object.(*resources.Session); ok && s.Spec.Parent == e.Record && len(e.Delegated) < maxExportNamed {
			e.Delegated = append(e.Delegated, ExportDelegated{Session: key.Name, Agent: s.Spec.Agent, Delegation: s.Spec.Delegation, Task: s.Spec.ActiveTask})
		}
	}
	return e
}

// ownCheckpoints returns the newest checkpoints of a task that a session recorded.
func ownCheckpoints(seen *status.Evidence, session string) (last []resources.Checkpoint) {
	for _, c := range seen.Last {
		if c.Session == session {
			last = append(last, c)
		}
	}
	return last
}

// chainTo returns the plan, the phase and the tasks that contain a task, outermost first, and the task itself last,
// each as kind/name.
func chainTo(t *resources.Task, v status.View) []string {
	var parts []string
	for at, n := t, 0; at != nil && n < maxExportTasks; n++ {
		parts = append(parts, "task/"+at.Metadata.Name)
		at, _ = v.Task(at.Spec.Parent)
	}
	if t.Spec.Phase != "" {
		parts = append(parts, "phase/"+t.Spec.Phase)
	}
	if t.Spec.WorkPlan != "" {
		parts = append(parts, "workplan/"+t.Spec.WorkPlan)
	}
	slices.Reverse(parts)
	return parts
}

// worked adds the tasks on which the session worked, and their open issues.
func (e *Export) worked(task *resources.Task, v ExportView) {
	e.addTask(task, v)
	for _, name := range v.PlanTasks(task.Spec.WorkPlan) {
		if name == task.Metadata.Name || len(e.Tasks) == maxExportTasks {
			continue
		}
		if t, ok := v.Task(name); ok && len(ownCheckpoints(v.Evidence(name), e.Record)) > 0 {
			e.addTask(t, v)
		}
	}
}

// addTask adds a task with its open issues: missing evidence, blockers and conditions.
func (e *Export) addTask(t *resources.Task, v status.View) {
	st, _ := status.DeriveTask(t, v)
	name := t.Metadata.Name
	e.Tasks = append(e.Tasks, ExportTask{Name: name, Parent: t.Spec.Parent, Stage: t.Spec.Phase, Phase: st.Phase})
	if st.Phase == resources.TaskCompleted {
		return
	}
	e.Complete = false
	for _, item := range status.MissingEvidence(t, v.Evidence(name)) {
		e.Issue("task %s: not seen: %s", name, item)
	}
	for _, by := range st.BlockedBy {
		e.Issue("task %s: blocked by %s", name, by)
	}
	for _, c := range st.Conditions {
		if c.Status == resources.True && (c.Type == resources.Stale || c.Type == resources.ChainBroken || c.Type == resources.Orphaned) {
			e.Issue("task %s: %s: %s", name, c.Type, c.Message)
		}
	}
}

// Issue adds an issue, without duplicates.
func (e *Export) Issue(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.Issues, text) {
		e.Issues = append(e.Issues, text)
	}
}

// missing adds issues for missing objects that the session's record refers to.
func (e *Export) missing(s *resources.Session, v status.View) {
	for _, ref := range [...]resources.Key{
		{Kind: resources.Tasks, Name: s.Spec.ActiveTask}, {Kind: resources.Delegations, Name: s.Spec.Delegation}, {Kind: resources.Roles, Name: s.Spec.Role},
	} {
		switch {
		case ref.Name == "" || v.Exists(ref):
		case v.Archived(ref):
			e.Issue("%s is archived", ref)
		default:
			e.Issue("%s no longer exists", ref)
		}
	}
}

// NameAnchors adds the valid anchors with critical or high priority. It adds an issue for
// each invalid one, and for each invalid anchor of the session's tasks.
func (e *Export) NameAnchors(v AnchorView) {
	for _, key := range v.List(resources.Anchors) {
		object, _ := v.Get(key)
		a, ok := object.(*resources.Anchor)
		if !ok || len(e.Anchors) == maxExportNamed {
			continue
		}
		st, _ := status.DeriveAnchor(a, v)
		switch weighs := a.Spec.Priority == "critical" || a.Spec.Priority == "high"; {
		case st.Phase == resources.Fresh && weighs:
			e.Anchors = append(e.Anchors, key.Name)
		case st.Phase != resources.Fresh && (weighs || e.tells(a.Spec.Source)):
			e.Issue("%s is %s", key, st.Phase)
		}
	}
}

// tells reports whether an export contains the source task of an anchor.
func (e *Export) tells(source *resources.AnchorSource) bool {
	return source != nil && slices.ContainsFunc(e.Tasks, func(t ExportTask) bool { return t.Name == source.Task })
}
