package queries

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// PlanReport compares the plan with its results.
type PlanReport struct {
	Plan     string          `json:"plan"`
	Title    string          `json:"title"`
	Phase    string          `json:"phase"`
	Done     int             `json:"done"`
	Total    int             `json:"total"`
	Sections []ReportSection `json:"sections"` // sections with content
}

// ReportSection is the content under one heading.
type ReportSection struct {
	Title string       `json:"title"`
	Lines []ReportLine `json:"lines"`
}

// ReportLine is one line of a report.
type ReportLine struct {
	Time   resources.Time `json:"time,omitzero"`
	Object string         `json:"object,omitempty"` // such as "task/build-login-form"
	Phase  string         `json:"phase,omitempty"`
	Text   string         `json:"text"`
}

// ReportsOf reports on the named plans (plan), or on all plans. With a time
// (since) it omits older records, except for planned and open items. It ignores
// unreadable logs.
func ReportsOf(s *Source, v url.Values) ([]PlanReport, error) {
	names := v["plan"]
	if len(names) == 0 {
		for _, key := range s.List(resources.WorkPlans) {
			names = append(names, key.Name)
		}
	}
	since, _ := time.Parse(time.RFC3339, v.Get("since"))
	events, _ := records.Events(s.Root)
	denied, _ := records.Violations(s.Root)
	reports, focus := []PlanReport{}, focusOf(s)
	for _, name := range names {
		r := reporter{Source: s, focus: name == focus, after: since, denied: denied, exports: exportsOf(s, name)}
		e := EntryOf(s, resources.Key{Kind: resources.WorkPlans, Name: name})
		if e == nil {
			return nil, apierrors.NotFound(resources.Key{Kind: resources.WorkPlans, Name: name})
		}
		r.plan, _ = e.Object.(*resources.WorkPlan)
		reports = append(reports, r.report(e, events))
	}
	return reports, nil
}

// TurnsOf returns the milestones of a plan from its logs.
func TurnsOf(s *Source, p *resources.WorkPlan, events []resources.Event) []status.Turn {
	h := status.History{Plan: p, Tasks: s.PlanTasks(p.Metadata.Name), Events: events, Delegations: map[string][]*resources.Delegation{}, Checkpoints: map[string][]resources.Checkpoint{}}
	for _, task := range h.Tasks {
		h.Delegations[task] = s.Delegations(task)
		log, _ := records.Checkpoints(s.Root, task)
		for _, c := range log {
			h.Checkpoints[task] = append(h.Checkpoints[task], c.Checkpoint)
		}
	}
	return status.TurningPoints(h)
}

// exportsOf returns the newest export of each session that worked on a plan.
func exportsOf(s *Source, plan string) (all []*memory.Export) {
	names, _ := s.Root.Names(layout.ExportsDir)
	last := map[string]*memory.Export{}
	for _, name := range names {
		x, err := hooks.ReadExport(s.Root, name)
		if err == nil && x.Plan == plan && (last[x.Record] == nil || last[x.Record].ExportedAt.Before(x.ExportedAt.Time)) {
			last[x.Record] = x
		}
	}
	for _, x := range last {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *memory.Export) int { return cmp.Compare(a.Record, b.Record) })
	return all
}

// reporter builds the report of one plan.
type reporter struct {
	*Source
	plan    *resources.WorkPlan
	focus   bool // the plan is in focus
	after   time.Time
	denied  []resources.Event
	exports []*memory.Export
}

// report builds the report of the plan. Sections without lines are omitted.
func (r *reporter) report(e *Entry, events []resources.Event) PlanReport {
	report := PlanReport{Plan: e.Key.Name, Phase: e.Phase(), Sections: []ReportSection{}}
	if st, ok := e.Status.(*resources.WorkPlanStatus); ok {
		report.Done, report.Total = st.Progress.ByPhase[resources.TaskCompleted], st.Progress.Total
	}
	add := func(title string, lines []ReportLine) {
		if len(lines) > 0 {
			report.Sections = append(report.Sections, ReportSection{title, lines})
		}
	}
	if r.plan == nil {
		return report
	}
	report.Title = r.plan.Spec.Title
	done, open, over := r.tasks()
	decided, learnt := r.mems()
	add("Planned", r.planned())
	add("Turning points", r.recent(r.turns(events)))
	add("Done", r.recent(done))
	add("Decided", r.recent(decided))
	add("Learnt", r.recent(learnt))
	add("Noted by sessions", r.recent(r.notes()))
	add("Denied", r.recent(r.denials()))
	add("Given up", over)
	add("Open", open)
	return report
}

// recent removes the lines that are older than the requested time.
func (r *reporter) recent(lines []ReportLine) []ReportLine {
	return slices.DeleteFunc(lines, func(l ReportLine) bool { return !l.Time.IsZero() && l.Time.Before(r.after) })
}

// planned returns the acceptance criteria with their states.
func (r *reporter) planned() (lines []ReportLine) {
	open := status.OpenCriteria(r.plan)
	for i, criterion := range r.plan.Spec.Acceptance {
		phase := "met"
		if slices.Contains(open, i+1) {
			phase = "open"
		}
		lines = append(lines, ReportLine{Phase: phase, Text: criterion})
	}
	return lines
}

// turns returns the lines about the plan's turning points.
func (r *reporter) turns(events []resources.Event) (lines []ReportLine) {
	for _, turn := range TurnsOf(r.Source, r.plan, events) {
		lines = append(lines, ReportLine{turn.Time, turn.Object, turn.Kind, turn.Text})
	}
	return lines
}

// tasks returns a line for each task of the plan: completed, open, and abandoned or failed.
func (r *reporter) tasks() (done, open, over []ReportLine) {
	var keys []resources.Key
	for _, name := range r.PlanTasks(r.plan.Metadata.Name) {
		keys = append(keys, resources.Key{Kind: resources.Tasks, Name: name})
	}
	entries, _ := r.Entries(nil, keys, true)
	for _, e := range entries {
		line := ReportLine{Object: objectName(e.Key), Phase: e.Phase()}
		t, readable := e.Object.(*resources.Task)
		st, derived := e.Status.(*resources.TaskStatus)
		if !readable || !derived {
			open = append(open, line)
			continue
		}
		line.Text = cmp.Or(t.Spec.Title, t.Spec.ExpectedOutput)
		switch st.Phase {
		case resources.TaskCompleted:
			line.Time = st.CompletedAt
			if t.Spec.Result != nil && t.Spec.Result.Evidence != "" {
				line.Text += ": " + t.Spec.Result.Evidence
			}
			done = append(done, line)
		case resources.TaskAbandoned, resources.TaskFailed:
			line.Text = status.WithReason(line.Text, t.Spec.Reason)
			over = append(over, line)
		default:
			if len(st.BlockedBy) > 0 {
				line.Text += " (waits for " + strings.Join(st.BlockedBy, ", ") + ")"
			}
			open = append(open, line)
		}
	}
	return done, open, over
}

// mems returns the valid mems of the plan's tasks, decisions apart from others.
func (r *reporter) mems() (decided, learnt []ReportLine) {
	entries, _ := r.Entries([]string{resources.Mems}, nil, false)
	for _, e := range entries {
		m, ok := e.Object.(*resources.Mem)
		if !ok || memory.IsHidden(e.Phase()) || !r.inPlan(m.Spec.OriginTask) {
			continue
		}
		line := ReportLine{resources.NewTime(m.Created()), objectName(e.Key), e.Phase(), cmp.Or(m.Spec.Title, m.Spec.Content)}
		if resources.MemType(m) == "decision" {
			decided = append(decided, line)
		} else {
			learnt = append(learnt, line)
		}
	}
	return decided, learnt
}

// inPlan reports whether a task is part of the plan.
func (r *reporter) inPlan(task string) bool {
	t, ok := r.Task(task)
	return ok && t.Spec.WorkPlan == r.plan.Metadata.Name
}

// notes returns a line for each note in the exports of sessions.
func (r *reporter) notes() (lines []ReportLine) {
	for _, x := range r.exports {
		for _, note := range x.Notes {
			lines = append(lines, ReportLine{Time: note.Time, Object: "session/" + x.Record, Text: note.Text})
		}
	}
	return lines
}

// denials returns the rule violations in the plan's tasks. A violation without a task counts for
// the plans of the session, and for the plan in focus if it is not older than the plan.
func (r *reporter) denials() (lines []ReportLine) {
	sessions := map[string]bool{}
	for _, name := range r.PlanTasks(r.plan.Metadata.Name) {
		for _, c := range r.Evidence(name).Last {
			sessions[c.Session] = true
		}
	}
	for _, e := range r.denied {
		switch v := e.Violation; {
		case r.inPlan(v.Task):
			lines = append(lines, ReportLine{e.Time, "task/" + v.Task, v.Rule, v.Call})
		case v.Task == "" && (sessions[v.Session] || r.focus && !e.Time.Before(r.plan.Created())):
			lines = append(lines, ReportLine{e.Time, cmp.Or(e.Object, "session/"+v.Session), v.Rule, v.Call})
		}
	}
	return lines
}
