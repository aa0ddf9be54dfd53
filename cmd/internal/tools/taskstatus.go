package tools

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// taskStatus returns the status of one task, or of the caller's task and the tasks that it may
// start.
func taskStatus(r reading) (answer, error) {
	if name := r.args.text("task"); name != "" {
		key := taskKey(name)
		t, found := r.Task(key.Name)
		if !found {
			return nil, notFoundError{key}
		}
		return taskDetail(t, r), nil
	}
	reply := answer{}
	if t, working := r.gate.Work(); working {
		reply = taskDetail(t, r)
	}
	var next []string
	rights := r.gate.Rights()
	offered := func(t *resources.Task) bool { _, ok := rights.Offer(t.Metadata.Name); return ok }
	for _, n := range status.Fitting(5, offered, func(limit int) []status.NextTask { return status.NextTasks(r, limit) }) {
		to, _ := rights.Offer(n.Task.Metadata.Name)
		next = append(next, fmt.Sprintf("%s (%s)", n.Task.Metadata.Name, n.Reason+admission.HandOverNote(to, "; ", "")))
	}
	var active []string
	for _, name := range r.TasksInState(resources.TaskActive) {
		if t, ok := r.Task(name); ok {
			if b := rights.Bar(admission.Start, t); b != nil {
				name += " (" + admission.Plain(b.Brief()) + ")"
			}
			active = append(active, name)
		}
	}
	note := r.gate.Sharing().Advice()
	if len(active)+len(next) == 0 && note == "" {
		note = "No task is ready for you: `idumb next` tells why."
	}
	return reply.add("active", mutate.Shorten(active, maxListed)).add("ready", next).add("note", note), nil
}

// withWork adds the fields of a task that an agent needs to work on it.
func (a answer) withWork(t *resources.Task) answer {
	why := "reason"
	if status.LiveTask(t) { // the task was started again
		why = "handedBackBefore"
	}
	return a.add("title", admission.Plain(t.Spec.Title)).add("expectedOutput", admission.Plain(t.Spec.ExpectedOutput)).add(why, admission.Plain(t.Spec.Reason)).
		add("description", visibleText(t.Spec.Description)).add("notes", visibleText(t.Spec.Notes)).add("at", admission.Plain(t.Spec.Source.String())).
		add("paths", t.Spec.Paths).add("fileLocks", t.Spec.FileLocks).add("allowedTools", t.Spec.AllowedTools).add("dependsOn", resources.ComesFirst(t))
}

// visibleText returns all lines of an untrusted text without invisible characters. JSON escaping prevents
// it from forging a tag.
func visibleText(text string) string {
	return strings.TrimSpace(strings.Map(resources.Visible, text))
}

// workKinds returns the kinds that the phases of tasks, plans and delegations depend on.
func workKinds() []string {
	return []string{resources.WorkPlans, resources.Tasks, resources.CheckpointsKind, resources.Delegations, resources.Roles, resources.Sessions, resources.Trajectories, resources.Decisions}
}

// taskDetail returns the status of one task and its worker, which may be in another working tree.
func taskDetail(t *resources.Task, r reading) answer {
	st, _ := status.DeriveTask(t, r)
	reply := objectAnswer(t).add("plan", t.Spec.WorkPlan).add("phase", st.Phase).withWork(t).add("assignedTo", admission.Plain(t.Spec.AssignedTo)).
		add("worker", admission.Plain(r.Worker(t))).add("blockedBy", st.BlockedBy)
	var last []string
	for _, checkpoint := range st.Checkpoints.Last {
		last = append(last, admission.Plain(checkpoint.Summary))
	}
	if result := t.Spec.Result; result != nil { // the agent that delegated the task needs this to judge the result
		reply = reply.add("evidence", admission.Plain(result.Evidence)).add("testsRun", admission.Plain(result.TestsRun)).add("filesModified", mutate.Shorten(result.FilesModified, maxListed))
	}
	return reply.add("evidenceMissing", evidenceOf(status.MissingEvidence(t, r.Evidence(t.Metadata.Name)))).add("checkpoints", st.Checkpoints.Count).add("last", last)
}

// maxListed is the maximum number of names in a list of an answer.
const maxListed = 30
