package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// chain returns the state of the work in plain lines. A summary has to keep it,
// and it is also appended to the summary in case its author dropped it.
func (h *opencodeHandler) chain() string {
	if !h.repo.trusted() {
		return ""
	}
	var lines chainLines
	lines.add("Speak to the user in: ", h.repo.settings.Language.Communication)
	lines.add("Write documents in: ", h.repo.settings.Language.Documents)
	task, working := h.work()
	for _, plan := range h.plansOf(task, working) {
		h.describePlan(&lines, plan)
	}
	if working {
		h.describeTask(&lines, task)
	}
	h.describeDelegation(&lines, h.record().Delegation)
	lines.add("Next: ", strings.Join(admission.OffersFor(h.self(), h.repo, 3), ", "))
	for _, content := range h.criticalAnchors() {
		lines.add("Critical: ", content)
	}
	if len(lines) == 0 {
		return ""
	}
	return "## Governance (iDumb), word for word\n" + strings.Join(lines, "\n") + "\n"
}

// chainLines is a list of lines. Inserted text cannot contain line breaks.
type chainLines []string

// add adds a line, unless text is empty.
func (l *chainLines) add(label, text string) {
	if text = admission.Plain(text); text != "" {
		*l = append(*l, "- "+label+text)
	}
}

// plansOf returns the plan of the task, or all active plans if the session has
// no task.
func (h *opencodeHandler) plansOf(task *resources.Task, working bool) []string {
	if working {
		return []string{task.Spec.WorkPlan}
	}
	return h.repo.ActivePlans()
}

// describePlan adds a line with the state, the title and the progress of a plan.
func (h *opencodeHandler) describePlan(lines *chainLines, name string) {
	p, ok := h.repo.Plan(name)
	if !ok {
		return
	}
	counts, all := h.repo.PlanCounts(name), 0
	for phase, n := range counts {
		if phase != resources.TaskAbandoned {
			all += n
		}
	}
	lines.add("Plan: ", fmt.Sprintf("%s [%s]: %s, %d of %d tasks done", name, p.Spec.State, p.Spec.Title, counts[resources.TaskCompleted], all))
}

// describeTask adds the lines about the current task: title, expected output, blockers, missing
// evidence and last checkpoints.
func (h *opencodeHandler) describeTask(lines *chainLines, t *resources.Task) {
	name := t.Metadata.Name
	st, _ := status.DeriveTask(t, h.repo)
	lines.add("Current task: ", strings.TrimSuffix(name+" ["+st.Phase+"]: "+t.Spec.Title, ": "))
	lines.add("Its expected output: ", t.Spec.ExpectedOutput)
	for _, b := range st.BlockedBy {
		lines.add("It is blocked by: ", fmt.Sprint(b))
	}
	for _, item := range status.MissingEvidence(t, h.repo.Evidence(name)) {
		lines.add("Evidence still missing: ", item.String())
	}
	for _, c := range h.repo.overlay.Evidence(name).Last {
		lines.add("Done: ", c.Tool+" "+c.Summary)
	}
}

// describeDelegation adds the lines about the delegation under which the session works.
func (h *opencodeHandler) describeDelegation(lines *chainLines, name string) {
	d, ok := h.repo.Delegation(name)
	if !ok {
		return
	}
	lines.add("You work under the delegation: ", name+" ["+cmp.Or(d.Spec.State, "assigned")+"] from "+d.Spec.From)
	lines.add("It expects back: ", d.Spec.ExpectedOutput)
	lines.add("Its tools: ", strings.Join(d.Spec.AllowedTools, ", "))
}

// maxCritical limits the anchors in a chain. The pack contains them too.
const maxCritical = 10

// criticalAnchors returns the contents of the critical anchors, in the order of
// their names.
func (h *opencodeHandler) criticalAnchors() []string {
	var found []string
	names, _ := h.repo.overlay.Mentioning(resources.Anchors, graph.Term{Value: "critical"})
	for _, name := range names {
		o, _ := h.repo.Get(resources.Key{Kind: resources.Anchors, Name: name})
		if a, ok := o.(*resources.Anchor); ok && a.Spec.Priority == "critical" {
			found = append(found, a.Spec.Content)
		}
	}
	return slices.Clip(found[:min(len(found), maxCritical)])
}

// export saves a conversation from the host before it continues in a new
// session. It returns the text that the new session needs.
func (h *opencodeHandler) export(r *hosts.Reply) {
	messages := h.request.Object["messages"]
	if h.sessionName() == "" || len(messages) == 0 {
		r.Problem = "there is no conversation to keep"
		return
	}
	if h.repo.settings.Record != resources.RecordFull {
		messages = []byte("[]")
	}
	file := layout.ExportPath(h.sessionName(), h.repo.now)
	head := hosts.Line(map[string]string{
		"schema": memory.ExportSchema, "reason": memory.ExportSplit, "staleAfter": cmp.Or(h.repo.settings.SessionStaleAfter, "48h"),
		"host": h.event.Host, "session": h.event.Session, "record": h.sessionName(), "agent": h.event.Agent,
		"exportedAt": h.repo.now.UTC().Format("2006-01-02T15:04:05Z07:00"),
	})
	text := append(head[:len(head)-2], `,"messages":`...)
	text = append(append(text, messages...), "}\n"...)
	if err := h.repo.Replace(file, text); err != nil {
		r.Problem = "the conversation cannot be kept: " + err.Error()
		return
	}
	r.File, r.Summary = file, h.chain()
}

// adopt gives a session the task, role and delegation of the session that it
// continues.
func (h *opencodeHandler) adopt() {
	from, ok := h.repo.Session(resources.NameOfID(h.request.Text("from")))
	if !ok || h.request.Text("from") == "" {
		return
	}
	h.updateSession(func(s *resources.SessionSpec) {
		s.ActiveTask = cmp.Or(s.ActiveTask, from.Spec.ActiveTask)
		s.Role = cmp.Or(s.Role, from.Spec.Role)
		s.Delegation = cmp.Or(s.Delegation, from.Spec.Delegation)
	})
}
