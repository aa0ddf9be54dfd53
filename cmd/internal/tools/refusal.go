package tools

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// explain converts an error to a refusal.
func explain(err error) *apierrors.Refusal {
	var r *apierrors.Refusal
	var absent *githistory.AbsentError
	switch {
	case errors.As(err, &r) && r.Cause == "":
		return r
	case errors.As(err, &absent):
		return refusal("The .idumb of this repository is missing from the working tree.", strings.ToUpper(absent.Reason[:1])+absent.Reason[1:]+".", "Ask the user to run `"+absent.Command+"`, which restores it.", "no .idumb")
	case errors.Is(err, layout.ErrNoRoot), errors.Is(err, store.ErrGone):
		return refusal("This repository is not governed: it has no .idumb folder.", err.Error()+".", "Run `idumb init` in the repository's root, then repeat the call.", "no .idumb")
	}
	return refusal("The call could not be carried out.", err.Error()+".", "Run `idumb doctor`: it reports the cause and the fix.", "an error of the store")
}

// explainArguments converts an error about the arguments to a refusal that tells the agent how to
// repeat the call.
func (c *call) explainArguments(err error) error {
	name := c.args.text("action")
	what := fmt.Sprintf("%s was called with arguments that it cannot read.", c.tool.name)
	if _, known := c.tool.action(name); known {
		what = fmt.Sprintf("%s %s was called with an argument that it cannot read.", c.tool.name, name)
	}
	instead := step(c.tool.name, "action", c.tool.actions[len(c.tool.actions)-1].name)
	if w := (*argumentError)(nil); errors.As(err, &w) {
		instead = fmt.Sprintf("Repeat the call of %s with %q as %s.", c.tool.name, w.name, w.want)
		if strings.HasSuffix(w.reason, "argument") || strings.Contains(w.reason, "argument of the action") {
			instead = fmt.Sprintf("Repeat the call of %s without %q; it takes %s.", c.tool.name, w.name, w.want)
		}
	}
	return refusal(what, err.Error()+".", instead, "the input schema of "+c.tool.name)
}

// checkNeeds refuses a call without a required argument of its action.
func (c *call) checkNeeds() error {
	for _, name := range c.action.required {
		if c.args.text(name) != "" || c.args.has(name) && c.isList(name) && len(c.args[name]) > len("[]") {
			continue
		}
		return refusal(fmt.Sprintf("%s %s was called without %q.", c.tool.name, c.action.name, name), fmt.Sprintf("The action %s cannot be done without it.", c.action.name),
			c.repeat(name, c.example(name)), fmt.Sprintf("%s needs: %s", c.action.name, strings.Join(c.action.required, ", ")))
	}
	return nil
}

// isList reports whether an argument of the call's tool is not a single text.
func (c *call) isList(name string) bool {
	i := slices.IndexFunc(c.tool.params, func(p param) bool { return p.name == name })
	return i >= 0 && (c.tool.params[i].isList || c.tool.params[i].kind != text)
}

// example returns a value for a missing argument. If the argument names an object, the value is an
// existing object where possible.
func (c *call) example(name string) any {
	switch {
	case name == "task":
		if t, ok := c.gate.Work(); ok {
			return t.Metadata.Name
		}
		if next := c.gate.Next(1); len(next) > 0 {
			return next[0]
		}
		return "the-task"
	case name == "plan":
		if plan := admission.PlanInFocus(c.gate.View()); plan != "" {
			return plan
		}
		return "the-plan"
	case name == "tasks":
		return []map[string]string{{"name": "first-step", "expectedOutput": "the expected result"}}
	case name == "met":
		return []int{1}
	case c.isList(name):
		return []string{"..."}
	}
	return "..."
}

// explainDenial converts a denial of the gate to a refusal. If the caller's role lacks the right, the
// step is to delegate the task or to hand it back with these tools. Otherwise the step is the
// gate's own.
func (c *call) explainDenial(r admission.Reason) error {
	instead := r.UseInstead
	switch role, task := c.gate.Role(), c.args.text("task"); {
	case r.Rule == "chain-rule": // another role could not do it either
		if r.Otherwise != "" {
			instead += " If it cannot wait: " + c.repeat("force", true) + ", which is recorded."
		}
	case role == nil || r.Rule != "role-tools" && r.Rule != "role-shell":
	case len(role.Spec.DelegatesTo) > 0 && task != "" && c.tool.name == "govern_task":
		if name, to := c.assignable(task, ""); name != "" {
			instead = step("govern_delegate", "action", "assign", "task", name, "to", to)
		}
	case len(role.Spec.DelegatesTo) == 0:
		if mine, working := c.gate.Work(); working {
			instead = step("govern_task", "action", "fail", "task", mine.Metadata.Name, "reason", "needs "+c.tool.name+" "+c.action.name+", which the role "+role.Metadata.Name+" may not do")
		}
	}
	return denial(r, instead, strings.Join(r.Evidence, "; "))
}

// denial returns a refusal with the gate's reason and with a step that these tools offer.
func denial(r admission.Reason, instead, evidence string) error {
	return refusal(r.What, strings.Join(r.Why, " "), instead, evidence)
}

// explainWrite explains why a write failed. key is the object of the write.
func (c *call) explainWrite(err error, key resources.Key) error {
	if r, ok := refusalIn(err); ok {
		return refusal(attemptOf(r), r.Why+".", c.insteadOf(r.Cause, key), c.evidenceOf(r.Cause, key))
	}
	if status := (*apierrors.Status)(nil); errors.As(err, &status) {
		return c.status(status, key)
	}
	return err
}

// status explains an error from the store.
func (c *call) status(s *apierrors.Status, key resources.Key) error {
	nothing := fmt.Sprintf("%s %s did nothing.", c.tool.name, c.action.name)
	kind, _ := resources.KindOf(key.Kind)
	switch s.Reason {
	case "NotFound":
		return c.explainNotFound(key)
	case "AlreadyExists":
		return refusal(fmt.Sprintf("There is a %s %q already.", kind.Singular, key.Name), "Names are taken once.", c.repeat("name", c.freeName(key)), key.String())
	case "Unreadable":
		return refusal(nothing, s.Message, "Run `idumb doctor`: it reports the error in the file.", key.String())
	case "Conflict":
		return refusal(nothing, s.Message, c.repeat("", nil), key.String())
	case "Forbidden":
		return refusal(nothing, s.Message, step("govern_plan", "action", "abandon", "plan", key.Name, "reason", "no longer wanted"), key.String())
	}
	return refusal(fmt.Sprintf("%s %s was given values that do not fit.", c.tool.name, c.action.name), s.Message,
		"Repeat the call with that corrected; "+step("govern_plan", "action", "status")+" lists the names that there are.", key.String())
}

// freeName returns a free name that is similar to a taken name.
func (c *call) freeName(key resources.Key) string {
	for n := 2; ; n++ {
		name := fmt.Sprintf("%s-%d", key.Name, n)
		if !c.gate.View().Exists(resources.Key{Kind: key.Kind, Name: name}) {
			return name
		}
	}
}

// explainNotFound returns a refusal that says that an object does not exist and names a similar one.
func (c *call) explainNotFound(key resources.Key) error {
	kind, _ := resources.KindOf(key.Kind)
	names := c.names(key.Kind)
	return refusal(fmt.Sprintf("There is no %s %q.", kind.Singular, key.Name), fmt.Sprintf("No %s of that name is in .idumb/%s.", kind.Singular, kind.Plural),
		c.insteadOfMissing(key, names), fmt.Sprintf("%s: %s", kind.Plural, cmp.Or(resources.Listed(names, 8, ", "), "none")))
}

// insteadOfMissing returns the step for an agent that named an object that does not exist.
func (c *call) insteadOfMissing(key resources.Key, names []string) string {
	argument := map[string]string{resources.WorkPlans: "plan", resources.Tasks: "task"}[key.Kind]
	if argument == "" {
		argument = "name"
	}
	switch near := resources.Nearest(key.Name, names); {
	case near != "" && c.args.text(argument) == key.Name:
		return c.repeat(argument, near)
	case key.Kind == resources.WorkPlans && len(names) == 0:
		return step("govern_plan", "action", "create", "name", key.Name, "title", key.Name, "acceptance", []string{"a condition of the finished work"})
	case key.Kind == resources.WorkPlans, key.Kind == resources.Tasks:
		return step("govern_plan", "action", "status")
	case key.Kind == resources.Delegations:
		return step("govern_delegate", "action", "status")
	case key.Kind == resources.Anchors:
		return step("anchor", "action", "list")
	}
	return step("mem", "action", "recall", "query", key.Name)
}

// names returns the names of all objects of a kind, sorted.
func (c *call) names(kind string) []string {
	var names []string
	files, _ := c.root.SpecNames(kind)
	for _, file := range files {
		if name, ok := layout.ObjectName(file); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// attemptOf describes what was tried: "cannot start task" becomes "You tried to start task".
func attemptOf(r *apierrors.Refusal) string {
	return "You tried to " + r.Act() + "."
}

// evidenceOf returns where to look up the reason for a refusal about a task or plan.
func (c *call) evidenceOf(cause apierrors.Cause, key resources.Key) string {
	task, _ := c.gate.View().Task(key.Name)
	switch {
	case key.Kind != resources.Tasks || task == nil:
		return key.String()
	case cause == admission.HeldByOther:
		return fmt.Sprintf("the lease of %s", key)
	case cause == admission.Assigned, cause == admission.FromOtherClone:
		return fmt.Sprintf("%s spec.assignedTo = %q", key, admission.Plain(task.Spec.AssignedTo))
	case cause == admission.Delegated, cause == admission.NotHanded:
		return fmt.Sprintf("the delegations of %s", key)
	}
	return fmt.Sprintf("%s spec.state = %s", key, resources.TaskState(task))
}

// insteadOf returns the step for an agent that tried an impossible step on a task or plan.
func (c *call) insteadOf(cause apierrors.Cause, key resources.Key) string {
	task, _ := c.gate.View().Task(key.Name)
	switch cause {
	case admission.Back:
		return admission.HandBack
	case admission.Unfilled:
		return `Repeat the call with a description of your own in place of the placeholder, as in "Fix the login form".`
	case admission.CommentFixed:
		if held := status.HeldBy(key, c.gate.View()); held != nil {
			return step("govern_task", "action", "comment", "answer", held.Metadata.Name, "text", "what you say to it") + ", then repeat the call."
		}
	case mutate.NotValidated:
		switch key.Kind {
		case resources.Anchors:
			return step("anchor", "action", "update", "name", key.Name, "file", "the file that it is about now")
		case resources.Tasks:
			return step("govern_task", "action", "status")
		}
	case transition.NoCriterion:
		return step("govern_plan", "action", "status", "plan", key.Name)
	case transition.NotStarted:
		return startStep(key.Name)
	case transition.NoReason:
		return c.repeat("reason", "the obstacle")
	case transition.NoEvidence, admission.NotThere:
		return c.repeat("evidence", "what shows that it is done")
	case transition.TasksOpen:
		return step("govern_plan", "action", "status", "plan", key.Name)
	case transition.Blocked:
		return c.insteadOfWaiting(key.Name)
	case transition.EvidenceUnseen:
		if task == nil {
			return statusStep()
		}
		missing := status.MissingEvidence(task, c.gate.View().Evidence(task.Metadata.Name))
		switch {
		case len(missing) == 0:
			return statusStep()
		case missing[0].Command != "":
			return step("govern_shell", "action", "run", "command", missing[0].Command)
		}
		return "Write a file that matches " + missing[0].File + ", then repeat the call."
	case admission.TaskEnded, transition.PlanOver:
		return c.insteadOfReopening(task)
	case admission.HeldByOther, admission.Assigned, admission.FromOtherClone, admission.Delegated, admission.NotHanded:
		return "Leave it to whom it belongs. " + c.startOr("")
	}
	return step("govern_plan", "action", "status")
}

// startOr returns the step that starts a task if the caller may start it, or else the step for the
// next task that the caller may start, or else the status step.
func (c *call) startOr(task string) string {
	if c.gate.CanStart(task) {
		return startStep(task)
	}
	if next := c.gate.Next(1); len(next) > 0 {
		return startStep(next[0])
	}
	return statusStep()
}

// insteadOfWaiting returns the step for an agent that tried to work on a blocked task: a blocking
// task if it can be worked on, or else another ready task.
func (c *call) insteadOfWaiting(name string) string {
	view := c.gate.View()
	task, ok := view.Task(name)
	if !ok {
		return statusStep()
	}
	probe := *task
	probe.Spec.State = resources.TaskPlanned
	st, _ := status.DeriveTask(&probe, view)
	if step := cmp.Or(status.DecisionRemedy(name, st.BlockedBy, view), status.LossRemedy(name, st.BlockedBy, view)); step != "" {
		return strings.ToUpper(step[:1]) + step[1:] + "."
	}
	before := admission.StartableBlocker(st, view, func(t *resources.Task) bool { return c.gate.CanStart(t.Metadata.Name) })
	if own, ok := c.gate.Work(); ok && own.Metadata.Name == before {
		return step("govern_task", "action", "complete", "task", before, "evidence", "what shows that it is done")
	}
	return c.startOr(before)
}

// insteadOfReopening returns the step for an agent that tried to continue an ended task or plan: to
// plan a new task, or to start an existing task if the role cannot plan tasks.
func (c *call) insteadOfReopening(task *resources.Task) string {
	plan := admission.PlanInFocus(c.gate.View())
	if !c.gate.Rights().MayRun("idumb create task") {
		return c.startOr("")
	}
	switch {
	case task == nil || plan == "":
		return step("govern_plan", "action", "create", "name", c.freeName(resources.Key{Kind: resources.WorkPlans, Name: "next-plan"}), "title", "Next work", "acceptance", []string{"a condition of the finished work"})
	case slices.Contains(c.gate.View().ActivePlans(), task.Spec.WorkPlan):
		plan = task.Spec.WorkPlan
	}
	again := map[string]string{"name": c.freeName(task.Key()), "expectedOutput": admission.Plain(task.Spec.ExpectedOutput)}
	return step("govern_plan", "action", "plan_tasks", "plan", plan, "tasks", []map[string]string{again})
}

// refusalIn finds a refusal in an error, and reports whether it has a cause. These tools have their
// own steps for such refusals.
func refusalIn(err error) (*apierrors.Refusal, bool) {
	var r *apierrors.Refusal
	ok := errors.As(err, &r) && r.Cause != ""
	return r, ok
}
