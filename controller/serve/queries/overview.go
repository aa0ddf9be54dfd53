package queries

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/attention"
	"github.com/idumb-dev/idumb/resources/status"
)

// Overview is the state of the work.
type Overview struct {
	Mode          string           `json:"mode"` // enforce, log or off
	Plans         []PlanProgress   `json:"plans"`
	Working       []ActiveTask     `json:"working"`
	Needs         []attention.Need `json:"needs"`           // items that wait for the user, most urgent first
	Next          []NextDocument   `json:"next"`            // best first, maxProposed at most
	Ready         int              `json:"ready,omitempty"` // number of ready tasks if Next has maxProposed, whoever may start them
	NoReadyReason string           `json:"stuck,omitempty"`
	Todos         []TodoRecord     `json:"todos,omitempty"` // to-do lists of agents that are in use or were left open
	// Owners maps tasks that the client may not start to their owners.
	Owners       map[string]string `json:"taken,omitempty"`
	HiddenReason string            `json:"unseen,omitempty"` // reason why plans are not visible in this clone
	Follow       string            `json:"follow,omitempty"` // command that makes them visible
}

// PlanProgress is the progress of a plan.
type PlanProgress struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Phase   string         `json:"phase"`
	Focus   bool           `json:"focus,omitempty"` // the plan is the focus of contexts
	Total   int            `json:"total"`
	ByPhase map[string]int `json:"byPhase,omitempty"` // number of tasks
}

// ActiveTask is a task in progress.
type ActiveTask struct {
	Task    string                `json:"task"`
	Title   string                `json:"title,omitempty"`
	Phase   string                `json:"phase"`
	Workers []string              `json:"by,omitempty"`   // sessions with their hosts, the assignee or the user who owns it
	Held    string                `json:"held,omitempty"` // see status.HoldNote
	Last    *resources.Checkpoint `json:"last,omitempty"`
}

// maxProposed is the maximum number of tasks that an overview proposes.
const maxProposed = 5

// OverviewOf returns the state of the work for the client (WithSession).
func OverviewOf(s *Source, v url.Values) (Overview, error) {
	o := Overview{Mode: hooks.ModeIn(s.Root, environment(v), s.Now()), Plans: planProgress(s), Working: activeTasks(s), Needs: s.needs(v), Next: nextDocuments(s.startable(v, "", maxProposed)), Todos: s.shownTodos()}
	o.Owners = s.taken(s.rights(v))
	sharing := s.sharing(v)
	o.HiddenReason, o.Follow = sharing.Clause(), ""
	if o.HiddenReason != "" {
		o.Follow = sharing.FollowCommand()
	}
	if len(o.Next) == maxProposed {
		o.Ready = status.CountReady("", s)
	}
	if len(o.Next) == 0 && len(s.List(resources.Tasks)) > 0 {
		why, more, _ := strings.Cut(explainNoReady(s, s.rights(v), "", sharing), "\n")
		if more != "" {
			why += "; idumb next shows the reason"
		}
		o.NoReadyReason = why
	}
	return o, nil
}

// taken maps owned tasks to their owners, if the client may not start them.
func (s *Source) taken(rights admission.Rights) map[string]string {
	var taken map[string]string
	for _, name := range s.roll().Tasks() {
		t, found := s.Task(name)
		if !found {
			continue
		}
		if b := rights.Bar(admission.Start, t); b != nil {
			if taken == nil {
				taken = map[string]string{}
			}
			taken[name] = b.Brief()
		}
	}
	return taken
}

// planProgress returns the progress of the active plans and of the focused
// one, which is first. Without active plans it returns drafts.
func planProgress(s *Source) []PlanProgress {
	focus := focusOf(s)
	names := s.PlansInState(resources.PlanActive)
	if len(names) == 0 {
		names = s.PlansInState(resources.PlanDraft)
	}
	if focus != "" && !slices.Contains(names, focus) {
		names = append(slices.Clone(names), focus)
	}
	plans := []PlanProgress{}
	for _, name := range names {
		plan, found := s.Plan(name)
		st, known := s.Derived(resources.Key{Kind: resources.WorkPlans, Name: name}).(*resources.WorkPlanStatus)
		if found && known {
			plans = append(plans, PlanProgress{name, plan.Spec.Title, st.Phase, name == focus, st.Progress.Total, st.Progress.ByPhase})
		}
	}
	slices.SortStableFunc(plans, func(a, b PlanProgress) int { return cmp.Compare(rankFocus(a), rankFocus(b)) })
	return plans
}

// focusOf returns the plan in focus, or "".
func focusOf(s *Source) string {
	where, _ := status.DeriveTrajectory(s.Trajectory(), s)
	return where.ActivePlan
}

// rankFocus returns the rank of a plan in a list: 0 for the plan in focus, otherwise 1.
func rankFocus(p PlanProgress) int {
	if p.Focus {
		return 0
	}
	return 1
}

// activeTasks returns the tasks in state active and their workers.
func activeTasks(s *Source) []ActiveTask {
	sessions := map[string][]string{}
	for _, key := range s.List(resources.Sessions) {
		o, _ := s.Get(key)
		session, ok := o.(*resources.Session)
		if !ok || session.Spec.ActiveTask == "" {
			continue
		}
		if phase, _ := status.SessionPhase(session, s); phase != resources.SessionEnded && phase != resources.SessionStale {
			who := resources.Holder{Host: cmp.Or(session.Spec.Host, session.Spec.Agent), Session: key.Name}.Brief()
			sessions[session.Spec.ActiveTask] = append(sessions[session.Spec.ActiveTask], who)
		}
	}
	all := []ActiveTask{}
	for _, name := range s.TasksInState(resources.TaskActive) {
		task, found := s.Task(name)
		st, known := s.Derived(resources.Key{Kind: resources.Tasks, Name: name}).(*resources.TaskStatus)
		if !found || !known {
			continue
		}
		w := ActiveTask{Task: name, Title: task.Spec.Title, Phase: st.Phase, Workers: sessions[name], Held: status.HoldNote(task.Key(), s)}
		assignee := task.Spec.AssignedTo
		if left := s.roll().Left(task); left != nil {
			w.Workers, assignee = slices.DeleteFunc(w.Workers, func(who string) bool { return who == left.Spec.Holder.Brief() }), ""
		}
		switch l := s.Holder(task); {
		case l != nil && (l.Spec.Holder.Session != "" || l.Spec.Exclusive || len(w.Workers) == 0 && assignee == ""): // a session that reports the task without a lease does not own it
			w.Workers = []string{s.roll().Brief(l)}
		case len(w.Workers) == 0 && assignee != "":
			w.Workers = []string{assignee}
		}
		if n := len(st.Checkpoints.Last); n > 0 {
			w.Last = &st.Checkpoints.Last[n-1]
		}
		all = append(all, w)
	}
	return all
}
