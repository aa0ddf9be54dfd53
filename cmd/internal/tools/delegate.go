package tools

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/headlessagent"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// delegateTool returns the tool that delegates tasks.
func delegateTool() tool {
	return tool{
		name: "govern_delegate",
		doc:  "Hand a task to a subagent: put the tag that assign answers into the prompt that starts it.", objectParam: "name",
		actionTexts: "research {task, question} starts a researcher. assign also takes expectedOutput, allowedTools [].",
		params: []param{
			{name: "task"},
			{name: "to"},
			{name: "allowedTools", isList: true, isHidden: true},
			{name: "expectedOutput", isHidden: true},
			{name: "name"},
			{name: "question", isHidden: true},
			force(),
		},
		actions: []action{
			{name: "assign", required: list("task to"), optional: list("allowedTools expectedOutput name force"), command: "idumb create delegation", run: assign},
			{name: "research", required: list("task question"), command: "idumb research", run: startResearch},
			{name: "status", optional: list("task name"), run: (*call).ask, read: delegationStatus, kinds: workKinds()},
		},
	}
}

// assign creates a delegation of a task from the arguments.
func assign(c *call) (answer, error) {
	task := taskKey(c.args.text("task"))
	d := resources.New[*resources.Delegation](resources.Delegations, c.args.text("name"))
	d.Spec = resources.DelegationSpec{
		Task: task.Name, From: c.delegator(), To: c.args.text("to"),
		AllowedTools: c.args.texts("allowedTools"), ExpectedOutput: c.args.text("expectedOutput"),
	}
	if _, found := c.gate.View().Task(task.Name); !found {
		return nil, c.explainNotFound(task)
	}
	if _, err := c.repo.Create(c.ctx, d); err != nil {
		return nil, c.explainDelegation(err, d)
	}
	return c.delegationAnswer(d), nil
}

// startResearch starts a headless child agent that researches a question and does not wait for it.
func startResearch(c *call) (answer, error) {
	q := headlessagent.Request{Question: c.args.text("question"), Task: taskKey(c.args.text("task")).Name, Role: c.delegator(), Parent: c.caller.Session}
	name, err := headlessagent.Start(c.ctx, q, string(c.root), c.service.Env)
	if err != nil {
		return nil, refusal("You tried to start a researcher.", err.Error(), "Find it out yourself, or ask the user.", "the user's research settings")
	}
	return answer{}.add("name", name).add("next", "Continue; the findings arrive as mems in a later turn."), nil
}

// delegationAnswer returns the answer about a new delegation. It explains how to start the subagent.
func (c *call) delegationAnswer(d *resources.Delegation) answer {
	tag := "delegation/" + d.Metadata.Name
	return objectAnswer(d).add("task", d.Spec.Task).add("from", d.Spec.From).add("to", d.Spec.To).add("tag", tag).
		add("next", fmt.Sprintf("Start the subagent %s with %s in its prompt.", admission.AgentOf(d.Spec.To, c.caller.Host, c.gate.View()), tag))
}

// delegator returns the name that delegates. It is the taker of the caller's
// own delegation, so that delegations form a chain, or else the caller's
// role.
func (c *call) delegator() string {
	if s, ok := c.gate.View().Session(c.caller.Session); ok && s.Spec.Delegation != "" {
		if d, ok := c.gate.View().Delegation(s.Spec.Delegation); ok {
			return d.Spec.To
		}
	}
	if role := c.gate.Role(); role != nil {
		return role.Metadata.Name
	}
	return cmp.Or(c.caller.Agent, c.gate.View().Settings().DefaultRole)
}

// explainDelegation explains why a task was not delegated and names a step for each cause.
func (c *call) explainDelegation(err error, d *resources.Delegation) error {
	key := taskKey(d.Spec.Task)
	r, ok := refusalIn(err)
	if !ok {
		return c.explainWrite(err, d.Key())
	}
	return refusal(fmt.Sprintf("You tried to delegate task %q to %q.", d.Spec.Task, d.Spec.To), r.Why+".", c.insteadOfHandingOver(r.Cause, d), c.evidenceOf(r.Cause, key))
}

// insteadOfHandingOver returns the step for an agent that cannot delegate a task.
func (c *call) insteadOfHandingOver(cause apierrors.Cause, d *resources.Delegation) string {
	view := c.gate.View()
	switch cause {
	case admission.Delegated:
		for _, other := range slices.Backward(view.Delegations(d.Spec.Task)) {
			if status.LiveDelegation(other) && c.gate.MayMove(other.Metadata.Name, true) {
				return step("govern_delegate", "action", "revoke", "name", other.Metadata.Name)
			}
		}
		return step("govern_delegate", "action", "status", "task", d.Spec.Task)
	case admission.Assigned:
		if task, found := view.Task(d.Spec.Task); found {
			return c.repeat("to", task.Spec.AssignedTo)
		}
	case admission.NotTheirs:
		if role, found := view.Role(admission.RoleNamed(d.Spec.From, view)); found {
			return c.repeat("to", role.Spec.DelegatesTo[0])
		}
	case admission.Misrouted:
		if role := c.takingRole(d); role != "" {
			return c.repeat("to", role)
		}
	case admission.Upwards:
		return step("govern_task", "action", "fail", "task", d.Spec.Task, "reason", "needs "+d.Spec.To)
	case admission.Waiting:
		if other, _ := c.assignable(d.Spec.Task, d.Spec.To); other != "" {
			return c.repeat("task", other)
		}
		return statusStep()
	case admission.TooDeep, admission.InCircle:
		return c.startOr(d.Spec.Task)
	}
	return c.insteadOf(cause, taskKey(d.Spec.Task))
}

// assignable returns a task that the caller may delegate and the role to delegate it to. It is the
// given task if possible, or else a task that blocks it, or else another ready task. The name is ""
// if there is no such task.
func (c *call) assignable(task, to string) (name, role string) {
	view := c.gate.View()
	t, ok := view.Task(task)
	if !ok {
		return "", ""
	}
	st, _ := status.DeriveTask(t, view)
	for _, name := range slices.AppendSeq(slices.Concat([]string{task}, st.BlockedBy), view.ReadyTasks()) {
		if role := c.gate.CanHandOver(name, to); role != "" {
			return name, role
		}
	}
	return "", ""
}

// takingRole returns a role to which the giver may delegate the task because of the category of its
// plan. It returns "" if there is no such role.
func (c *call) takingRole(d *resources.Delegation) string {
	view := c.gate.View()
	giver, ok := view.Role(admission.RoleNamed(d.Spec.From, view))
	task, found := view.Task(d.Spec.Task)
	if !ok || !found {
		return ""
	}
	plan, _ := view.Plan(task.Spec.WorkPlan)
	for _, role := range view.Roles() {
		if plan != nil && len(role.Spec.Categories) > 0 && resources.TakesCategory(role, plan.Spec.Category) && resources.MayDelegate(giver, role) == resources.DelegationAllowed {
			return role.Metadata.Name
		}
	}
	return ""
}

// explainMove explains why the state of a delegation was not changed.
func (c *call) explainMove(err error, key resources.Key) error {
	if r, ok := refusalIn(err); ok {
		return refusal(attemptOf(r), r.Why+".", step("govern_delegate", "action", "status"), key.String())
	}
	return c.explainWrite(err, key)
}

// refuseOther refuses a change to another agent's delegation.
func (c *call) refuseOther(key resources.Key) error {
	d, _ := c.gate.View().Delegation(key.Name)
	from, to := admission.Plain(d.Spec.From), admission.Plain(d.Spec.To)
	return refusal(fmt.Sprintf("You tried to %s delegation %q.", cmp.Or(map[string]string{"done": "complete"}[c.action.name], c.action.name), key.Name),
		fmt.Sprintf("%[1]q delegated it to %[2]q: only %[1]q can revoke it, only %[2]q can complete it.", from, to),
		step("govern_delegate", "action", "status", "name", key.Name), fmt.Sprintf("delegations/%s spec.from = %q, spec.to = %q", key.Name, from, to))
}

// delegationLine is one delegation in a status.
type delegationLine struct {
	Name    string `json:"name"`
	Task    string `json:"task"`
	From    string `json:"from"`
	To      string `json:"to"`
	Phase   string `json:"phase"`
	Depth   int    `json:"depth"`
	Session string `json:"session,omitempty"`
}

// delegationStatus lists delegations. If the call names no delegation and no task, it lists only
// active delegations.
func delegationStatus(r reading) (answer, error) {
	name, task := keyOf(resources.Delegations, r.args.text("name")), taskKey(r.args.text("task")).Name
	if name.Name != "" && !r.Exists(name) {
		return nil, notFoundError{name}
	}
	var lines []delegationLine
	for _, key := range r.List(resources.Delegations) {
		o, _ := r.Get(key)
		d, ok := o.(*resources.Delegation)
		if !ok || name.Name != "" && key != name || task != "" && d.Spec.Task != task {
			continue
		}
		status, _ := status.DeriveDelegation(d, r)
		if name.Name == "" && task == "" && !slices.Contains([]string{"assigned", "accepted"}, status.Phase) {
			continue
		}
		lines = append(lines, delegationLine{
			Name: key.Name, Task: d.Spec.Task, From: admission.Plain(d.Spec.From), To: admission.Plain(d.Spec.To),
			Phase: status.Phase, Depth: status.Depth, Session: d.Spec.Session,
		})
	}
	return listAnswer("delegations", lines, len(lines)), nil
}
