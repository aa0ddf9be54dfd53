package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// chain says where the work stands, in plain lines: what a summary has to keep, and
// what stands below the summary in any case, whatever its writer made of it.
func (h *opencodeHandler) chain() string {
	if !h.repo.trusted() {
		return ""
	}
	var lines chainLines
	lines.add("Speak to the person in: ", h.repo.settings.Language.Communication)
	lines.add("Write documents in: ", h.repo.settings.Language.Documents)
	call := admission.Call{Session: h.sessionName(), Agent: h.event.Agent, Role: h.recordedRole()}
	task, working := admission.WorkOf(call, h.repo)
	for _, plan := range h.plansOf(task, working) {
		h.describePlan(&lines, plan)
	}
	if working {
		h.describeTask(&lines, task)
	}
	if s, ok := h.repo.Session(h.sessionName()); ok && s.Spec.Delegation != "" {
		h.describeDelegation(&lines, s.Spec.Delegation)
	}
	if next := h.repo.ReadyTasks(); len(next) > 0 {
		lines.add("Next: ", strings.Join(next[:min(len(next), 3)], ", "))
	}
	for _, content := range h.criticalAnchors() {
		lines.add("Critical: ", content)
	}
	if len(lines) == 0 {
		return ""
	}
	return "## Governance (iDumb), word for word\n" + strings.Join(lines, "\n") + "\n"
}

// chainLines are lines of which the words of strangers cannot break out.
type chainLines []string

func (l *chainLines) add(label, text string) {
	if text = admission.Plain(text); text != "" {
		*l = append(*l, "- "+label+text)
	}
}

// plansOf is the task's plan, or, where there is no task, every active one.
func (h *opencodeHandler) plansOf(task *resources.Task, working bool) []string {
	if working {
		return []string{task.Spec.WorkPlan}
	}
	return h.repo.ActivePlans()
}

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

func (h *opencodeHandler) describeDelegation(lines *chainLines, name string) {
	d, ok := h.repo.Delegation(name)
	if !ok {
		return
	}
	lines.add("You work under the delegation: ", name+" ["+cmp.Or(d.Spec.State, "assigned")+"] from "+d.Spec.From)
	lines.add("It expects back: ", d.Spec.ExpectedOutput)
	lines.add("Its tools: ", strings.Join(d.Spec.AllowedTools, ", "))
}

// maxCritical is how many anchors a chain names: the pack holds them as well.
const maxCritical = 10

// criticalAnchors are those that hold, in the order of their names.
func (h *opencodeHandler) criticalAnchors() []string {
	var found []string
	for _, name := range h.repo.overlay.Mentioning(resources.Anchors, "critical") {
		o, _ := h.repo.Get(resources.Key{Kind: resources.Anchors, Name: name})
		if a, ok := o.(*resources.Anchor); ok && a.Spec.Priority == "critical" {
			found = append(found, a.Spec.Content)
		}
	}
	return slices.Clip(found[:min(len(found), maxCritical)])
}
