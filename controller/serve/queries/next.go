package queries

import (
	"cmp"
	"net/url"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Next holds the tasks that can be started or delegated, best first.
type Next struct {
	Tables
	Documents     []NextDocument `json:"documents,omitempty"` // replaces the table on request (documents)
	NoReadyReason string         `json:"stuck,omitempty"`     // reasons why no task is available, a few lines for users
	Ready         int            `json:"ready,omitempty"`     // number of ready tasks if limit cut the list, whoever may start them
}

// NextDocument is a proposed task, as JSON.
type NextDocument struct {
	Name           string `json:"name"`
	Plan           string `json:"plan"`
	Title          string `json:"title,omitempty"`
	Priority       string `json:"priority"`
	ExpectedOutput string `json:"expectedOutput"`
	AssignedTo     string `json:"assignedTo,omitempty"`
	Unblocks       int    `json:"unblocks"`
	Reason         string `json:"why"`
}

// nextColumns lists the columns of the table of proposed tasks.
var nextColumns = []ColumnOf[status.NextTask]{
	{"NAME", false, func(n status.NextTask, _ time.Time) string { return n.Task.Metadata.Name }},
	{"PLAN", false, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.WorkPlan }},
	{"PRIORITY", false, func(n status.NextTask, _ time.Time) string { return priority(n.Task) }},
	{"WHY", false, func(n status.NextTask, _ time.Time) string { return n.Reason }},
	{"ASSIGNED-TO", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.AssignedTo }},
	{"AGE", true, func(n status.NextTask, now time.Time) string { return Age(n.Task.Created(), now) }},
	{"TITLE", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.Title }},
}

func priority(t *resources.Task) string { return cmp.Or(t.Spec.Priority, resources.DefaultPriority) }

// NextOf returns the ready tasks that the client (WithSession) may start, and
// those that its role may only hand over to another role. Parameters restrict them
// to one plan (plan) and a number (limit). It returns a NotFound error for an
// unknown plan.
func NextOf(s *Source, v url.Values) (Next, error) {
	plan := v.Get("plan")
	limit, _ := strconv.Atoi(v.Get("limit"))
	if key := (resources.Key{Kind: resources.WorkPlans, Name: plan}); plan != "" && EntryOf(s, key) == nil {
		return Next{}, apierrors.NotFound(key)
	}
	proposed, answer := s.startable(v, plan, max(limit, 0)), Next{}
	switch {
	case len(proposed) == 0:
		answer.NoReadyReason = explainNoReady(s, s.rights(v), plan, s.sharing(v))
	case v.Has("documents"):
		answer.Documents = nextDocuments(proposed)
	default:
		answer.Tables.Tables = []Table{TableOf(readShape(v), resources.Tasks, nextColumns, proposed, s.Now())}
	}
	if limit > 0 && len(proposed) == limit {
		answer.Ready = status.CountReady(plan, s)
	}
	return answer, nil
}

// maxCompared is the number of proposed tasks that are compared with other worktrees.
const maxCompared = 20

// startable returns the ready tasks that the client may start or delegate, best
// first. plan restricts them to one plan. most is the maximum number; 0 means
// all.
func (s *Source) startable(v url.Values, plan string, most int) []status.NextTask {
	rights := s.rights(v)
	to := map[*resources.Task]string{}
	offered := func(t *resources.Task) bool {
		role, ok := rights.Offer(t.Metadata.Name)
		to[t] = role
		return ok
	}
	next := status.Fitting(most, offered, func(limit int) []status.NextTask {
		if plan != "" {
			return status.NextInPlanOf(plan, s, limit)
		}
		return status.NextTasks(s, limit)
	})
	trees := planvisibility.OtherTrees(s.Root)
	for i := range next {
		if i < maxCompared {
			if ended := trees.Ended(next[i].Task); ended != "" {
				next[i].Reason = ended + "; " + next[i].Reason
			}
		}
		if held := status.HoldNote(next[i].Task.Key(), s); held != "" {
			next[i].Reason = held + "; " + next[i].Reason
		}
		next[i].Reason += admission.HandOverNote(to[next[i].Task], "; ", "")
	}
	return next
}

// sessionParameter is the parameter with the session record of the asking
// agent. It is absent for a user.
const sessionParameter = "session"

// WithSession marks a question as asked by the agent of a session.
func WithSession(v url.Values, session string) url.Values {
	v.Set(sessionParameter, session)
	return v
}

// rights returns the rights of the agent whose session the parameters name, otherwise of a user.
func (s *Source) rights(v url.Values) admission.Rights {
	session := v.Get(sessionParameter)
	rights := s.Gate.GateFor(s.Root, session, environment(v), s.Now()).Rights()
	rights.Call.Person = session == ""
	return rights
}

// nextDocuments converts proposed tasks to the documents that -o json prints.
func nextDocuments(proposed []status.NextTask) []NextDocument {
	documents := make([]NextDocument, 0, len(proposed))
	for _, n := range proposed {
		spec := &n.Task.Spec
		documents = append(documents, NextDocument{
			Name: n.Task.Metadata.Name, Plan: spec.WorkPlan, Title: spec.Title, Priority: priority(n.Task), ExpectedOutput: spec.ExpectedOutput,
			AssignedTo: spec.AssignedTo, Unblocks: n.Unblocks, Reason: n.Reason,
		})
	}
	return documents
}
