package attention

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// live returns a session, and whether it is neither ended nor stale.
func (f *finder) live(name string) (*resources.Session, bool) {
	o, _ := f.View.Get(resources.Key{Kind: resources.Sessions, Name: name})
	s, ok := o.(*resources.Session)
	if !ok {
		return nil, false
	}
	phase, _ := status.SessionPhase(s, f.View)
	return s, phase != resources.SessionEnded && phase != resources.SessionStale
}

// sessionName returns the display name of a session.
func sessionName(s *resources.Session) string {
	return resources.Holder{Host: cmp.Or(s.Spec.Host, s.Spec.Agent), Session: s.Metadata.Name}.Brief()
}

// works returns the task of a session as text, and the number of tasks that wait for it.
func (f *finder) works(s *resources.Session) (text string, behind int) {
	if s.Spec.ActiveTask == "" {
		return "", 0
	}
	task := resources.Key{Kind: resources.Tasks, Name: s.Spec.ActiveTask}
	behind = f.waiting(task)
	return reasons("it works on task/"+task.Name, waitingText(behind)), behind
}

// asks adds the need of a session that waits for a permission or an answer.
func (f *finder) asks(s *resources.Session) {
	n := Need{Rank: Asks, Reason: "Permission", Subject: sessionName(s), Text: "wants permission: " + cmp.Or(s.Spec.Asks, "see its window"), Since: s.Spec.Since}
	if s.Spec.WaitsFor == resources.WaitsForAnswer {
		n.Reason, n.Text = "Answer", "asks: "+cmp.Or(s.Spec.Asks, "see its window")
	}
	works, behind := f.works(s)
	n.Why, n.Dependents = reasons(works, "answer it where "+cmp.Or(s.Spec.Host, "the agent")+" runs"), behind
	f.add(n, s.Key(), show(s.Metadata.Name))
}

// questions adds needs for unanswered questions in an agent's comments.
func (f *finder) questions(s *resources.Session) {
	for _, c := range status.OpenQuestions(s.Metadata.Name, f.View) {
		n := Need{Rank: Asks, Reason: "Question", Subject: sessionName(s), Text: "asks: " + c.Spec.Body, Since: resources.NewTime(c.Created())}
		works, behind := f.works(s)
		n.Why, n.Dependents = reasons("on "+c.Spec.About, works, "it receives your answer"), behind
		f.add(n, c.Key(), program+"comment --answer "+c.Metadata.Name+` "..."`, show(s.Metadata.Name))
	}
}

// show returns the command that shows a session.
func show(session string) string { return program + "session show " + session }

// circles adds a need for a session in which a trigger that counts calls, or a
// halt trigger, is firing.
func (f *finder) circles(s *resources.Session) {
	if len(s.Spec.Raised) == 0 {
		return
	}
	var set *resources.Trigger
	for _, t := range f.View.Triggers() {
		if slices.Contains(s.Spec.Raised, t.Metadata.Name) && !t.Spec.Disabled && (set == nil || set.Spec.Action != resources.ActionHalt) {
			set = t
		}
	}
	if set == nil {
		return
	}
	n := Need{Rank: Circles, Reason: "Circles", Subject: sessionName(s), Text: "goes in circles: " + countText(set), Since: s.Spec.LastSeenAt}
	switch {
	case set.Spec.Action == resources.ActionHalt:
		n.Reason, n.Text = "Halted", "was halted: "+countText(set)
	case resources.Limits(set):
		n.Text = "works for long: " + countText(set)
	}
	works, behind := f.works(s)
	n.Why, n.Dependents = reasons(works, "trigger "+set.Metadata.Name), behind
	commands := []string{show(s.Metadata.Name)}
	if t, ok := f.View.Task(s.Spec.ActiveTask); ok && resources.TaskState(t) == resources.TaskActive {
		commands = append(commands, program+"fail "+t.Metadata.Name+` --reason "..."`)
	}
	f.add(n, s.Key(), commands...)
}

// countText describes the count of a trigger. It prefers the trigger's message.
func countText(t *resources.Trigger) string {
	n := status.TriggerCount(t)
	text := map[string]string{
		resources.TriggerCall:   "the same call %d times or more, and nothing written in between",
		resources.TriggerError:  "the same error %d times or more, whatever it changed",
		resources.TriggerRound:  "the same agents started in turns %d times or more",
		resources.TriggerReview: "the same thing reviewed %d times or more, and no report was better",
	}[t.Spec.Event]
	switch {
	case t.Spec.Message != "":
		return t.Spec.Message
	case text == "":
		return fmt.Sprintf("%d %s or more since your last prompt", n, t.Spec.Event)
	}
	return fmt.Sprintf(text, n)
}

// DeniedFor is how long a denial needs the user.
const DeniedFor = time.Hour

// halted is the rule of calls that a trigger denies. circles reports them.
const halted = "halted"

// denials adds needs for sessions in which the same call was recently denied twice, or was
// denied by a rule that the user may lift. Each session has one need, with the last denied
// call. Sessions that continued since are ignored.
func (f *finder) denials() {
	type call struct{ session, call string }
	times, last, moved := map[call]int{}, map[string]*resources.Event{}, map[string]time.Time{}
	for i := range f.Denials {
		e := &f.Denials[i]
		if e.Violation == nil || e.Violation.Rule == halted || f.View.Now().Sub(e.Time.Time) > DeniedFor {
			continue
		}
		since, known := moved[e.Violation.Session]
		if !known && f.MovedOn != nil {
			since = f.MovedOn(e.Violation.Session)
			moved[e.Violation.Session] = since
		}
		if since.After(e.Time.Time) {
			continue
		}
		if t, known := f.View.Task(e.Violation.Task); known && !status.LiveTask(t) {
			continue // it was evaluated for a finished task
		}
		c := call{e.Violation.Session, e.Violation.Call}
		times[c] += max(1, e.Count)
		if times[c] > 1 || f.allowable(e.Violation) {
			last[c.session] = e
		}
	}
	for session, e := range last {
		if s, ok := f.live(session); ok {
			f.denied(s, e, times[call{session, e.Violation.Call}])
		}
	}
}

// allowable reports whether a denied call can be allowed once. If it was evaluated for a
// task, that task or the session's task must be active, unless the rule task-phase can be
// lifted too.
func (f *finder) allowable(v *resources.Violation) bool {
	if !slices.Contains(f.Allowable, v.Rule) || v.Stays != "" {
		return false
	}
	if t, known := f.View.Task(v.Task); !known || resources.TaskState(t) == resources.TaskActive || slices.Contains(f.Allowable, "task-phase") {
		return true
	}
	s, ok := f.live(v.Session)
	if !ok {
		return false
	}
	t, known := f.View.Task(s.Spec.ActiveTask)
	return known && resources.TaskState(t) == resources.TaskActive
}

// denied adds the need for a denied call of a session. times is the number of equal denials.
func (f *finder) denied(s *resources.Session, e *resources.Event, times int) {
	v := e.Violation
	n := Need{Rank: Denied, Reason: "Denied", Subject: sessionName(s), Text: "was denied: " + v.Call, Since: e.Time}
	if times > 1 {
		n.Text = fmt.Sprintf("was denied %d times: %s", times, v.Call)
	}
	works, behind := f.works(s)
	n.Why, n.Dependents = reasons("rule "+v.Rule, works), behind
	f.add(n, s.Key(), f.decisions(v)...)
}

// decisions returns the commands for a denial.
func (f *finder) decisions(v *resources.Violation) (commands []string) {
	look, id := program+"get violations --session "+v.Session, v.ID()
	switch fine := program + "allow --fine " + id; {
	case id == "":
		commands = []string{look, show(v.Session)}
	case f.allowable(v):
		commands = []string{program + "allow " + id, fine}
		if v.Rule != "task-paths" || v.Task == "" {
			commands = append(commands, look)
		}
	default:
		commands = []string{look, fine, show(v.Session)}
	}
	if v.Rule == "task-paths" && v.Task != "" {
		commands = append(commands, program+"edit task "+v.Task)
	}
	return commands
}
