package questions

import (
	"cmp"
	"net/url"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Next is which tasks may be started or handed over, the best first.
type Next struct {
	Tables
	Documents []NextDocument `json:"documents,omitempty"` // in place of the table, where (documents) they are asked for
	Stuck     string         `json:"stuck,omitempty"`     // why there is none, a few lines for people
}

// NextDocument is a task that is proposed, as JSON.
type NextDocument struct {
	Name           string `json:"name"`
	Plan           string `json:"plan"`
	Title          string `json:"title,omitempty"`
	Priority       string `json:"priority"`
	ExpectedOutput string `json:"expectedOutput"`
	AssignedTo     string `json:"assignedTo,omitempty"`
	Unblocks       int    `json:"unblocks"`
	Why            string `json:"why"`
}

// nextColumns are the columns of what is proposed.
var nextColumns = []ColumnOf[status.NextTask]{
	{"NAME", false, func(n status.NextTask, _ time.Time) string { return n.Task.Metadata.Name }},
	{"PLAN", false, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.WorkPlan }},
	{"PRIORITY", false, func(n status.NextTask, _ time.Time) string { return priority(n.Task) }},
	{"WHY", false, func(n status.NextTask, _ time.Time) string { return n.Why }},
	{"ASSIGNED-TO", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.AssignedTo }},
	{"AGE", true, func(n status.NextTask, now time.Time) string { return Age(n.Task.Created(), now) }},
	{"TITLE", true, func(n status.NextTask, _ time.Time) string { return n.Task.Spec.Title }},
}

func priority(t *resources.Task) string { return cmp.Or(t.Spec.Priority, resources.DefaultPriority) }

// NextOf answers which tasks whoever asks (WithSession) may start: of one plan, or (plan) of all; so many
// at most, or (limit) all.
func NextOf(s *Source, v url.Values) (Next, error) {
	plan := v.Get("plan")
	limit, _ := strconv.Atoi(v.Get("limit"))
	if key := (resources.Key{Kind: resources.WorkPlans, Name: plan}); plan != "" && EntryOf(s, key) == nil {
		return Next{}, apierrors.NotFound(key)
	}
	proposed, answer := s.startable(v, plan, max(limit, 0)), Next{}
	switch {
	case len(proposed) == 0:
		answer.Stuck = explainStuck(s, s.rights(v), plan, s.sharing(v))
	case v.Has("documents"):
		answer.Documents = nextDocuments(proposed)
	default:
		answer.Tables.Tables = []Table{TableOf(readShape(v), resources.Tasks, nextColumns, proposed, s.Now())}
	}
	return answer, nil
}

// startable lists the ready tasks that whoever asks may start or hand over, best first: of one plan, or (plan) of all; most at most,
// or (0) all.
func (s *Source) startable(v url.Values, plan string, most int) []status.NextTask {
	rights := s.rights(v)
	offered := func(t *resources.Task) bool { _, ok := rights.Offer(t.Metadata.Name); return ok }
	next := status.Fitting(most, offered, func(limit int) []status.NextTask {
		if plan != "" {
			return status.NextInPlanOf(plan, s, limit)
		}
		return status.NextTasks(s, limit)
	})
	for i := range next {
		to, _ := rights.Offer(next[i].Task.Metadata.Name)
		next[i].Why += admission.HandOverNote(to, "; ", "")
	}
	return next
}

// sessionParameter holds the name of the record of the session whose agent asks; none for a user.
const sessionParameter = "session"

// WithSession adds that the agent of a session asks, and no user.
func WithSession(v url.Values, session string) url.Values {
	v.Set(sessionParameter, session)
	return v
}

// rights are what whoever asks may do.
func (s *Source) rights(v url.Values) admission.Rights {
	session := v.Get(sessionParameter)
	rights := s.Gate.GateFor(s.Root, session, environment(v), s.Now()).Rights()
	rights.Call.Person = session == ""
	return rights
}

func nextDocuments(proposed []status.NextTask) []NextDocument {
	documents := make([]NextDocument, 0, len(proposed))
	for _, n := range proposed {
		spec := &n.Task.Spec
		documents = append(documents, NextDocument{
			Name: n.Task.Metadata.Name, Plan: spec.WorkPlan, Title: spec.Title, Priority: priority(n.Task), ExpectedOutput: spec.ExpectedOutput,
			AssignedTo: spec.AssignedTo, Unblocks: n.Unblocks, Why: n.Why,
		})
	}
	return documents
}
