package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

func planTool() tool {
	return tool{
		name: "govern_plan",
		doc: "Plans and their tasks; while one is active, files are written for its tasks. create takes dependsOn, category, phases, sotDocument, draft; complete {met: [1], evidence}; focus {plan|task, intent}; decide {title, reason, uses, avoids, task}, a user's {do: accept|reject|supersede, name, by}; artifact {do: adopt|confirm|supersede|abandon, file, name, derivedFrom [name#section], covers}. " +
			"tasks take title, description, notes, assignedTo, paths, evidence [{file}|{command, succeeds}], priority, parent, phase, decisions, planAhead, allowedTools, fileLocks, staleAfter, temporalGate {after, reason}.",
		params: []param{
			{name: "plan"},
			{name: "task", isHidden: true},
			{name: "intent", isHidden: true},
			{name: "name"},
			{name: "title"},
			{name: "acceptance", isList: true},
			{name: "dependsOn", isList: true, isHidden: true},
			{name: "category", isHidden: true, enum: resources.Choices(resources.WorkPlans, "spec.category")},
			{name: "phases", isList: true, isHidden: true},
			{name: "sotDocument", isHidden: true},
			{name: "draft", kind: flag, isHidden: true},
			{name: "reason", isHidden: true},
			{name: "uses", isList: true, isHidden: true},
			{name: "avoids", isList: true, isHidden: true},
			{name: "by", isHidden: true},
			{name: "met", kind: number, isList: true, max: 9999, isHidden: true},
			{name: "evidence", isHidden: true},
			{name: "do", isHidden: true, enum: list("accept reject supersede adopt confirm abandon")},
			{name: "file", isHidden: true},
			{name: "section", isHidden: true},
			{name: "derivedFrom", isList: true, isHidden: true},
			{name: "covers", isList: true, isHidden: true},
			{name: "tasks", kind: object, isList: true, fields: taskFields()},
			force(),
		},
		actions: []action{
			{name: "create", required: list("title acceptance"), optional: list("name dependsOn category phases sotDocument draft force"), command: "idumb create workplan", run: createPlan},
			{name: "plan_tasks", required: list("plan tasks"), optional: list("force"), command: "idumb create task", run: planTasks},
			{name: "complete", required: list("plan met evidence"), optional: list("force"), command: "idumb complete", act: "complete"},
			{name: "validate", required: list("plan"), command: "idumb confirm", act: "confirm"},
			{name: "focus", optional: list("plan task intent"), command: "idumb focus", run: focusPlan},
			{name: "decide", optional: list("title name reason uses avoids dependsOn task do by"), command: "idumb decide", run: decidePlan},
			{name: "status", optional: list("plan"), run: (*call).ask, read: planStatus, kinds: workKinds()},
			{name: "archive", required: list("plan"), optional: list("force"), command: "idumb archive", run: archivePlan},
			{name: "abandon", required: list("plan reason"), optional: list("force"), command: "idumb abandon", act: "abandon"},
			{name: "artifact", required: list("do"), optional: list("name file section derivedFrom covers reason"), command: "idumb create artifact", run: changeArtifact},
		},
	}
}

// taskFields returns the arguments for a new task: its name and the fields of its spec, except the
// plan and the fields that are set later.
func taskFields() []param {
	kind, _ := resources.KindOf(resources.Tasks)
	spec, _ := kind.LookupField("spec")
	fields := []param{{name: "name"}}
	for _, f := range spec.Fields {
		if !slices.Contains([]string{"workPlan", "state", "delegatedBy", "result", "reason"}, f.Name) {
			p := paramOfField(f)
			p.isHidden = f.Name != "expectedOutput" && f.Name != "dependsOn"
			fields = append(fields, p)
		}
	}
	return fields
}

// paramOfField returns the argument that sets a field of a resource.
func paramOfField(f *resources.Field) param {
	p := param{name: f.Name, isList: f.Repeated, enum: f.Enum}
	switch f.Shape {
	case resources.BooleanShape:
		p.kind = flag
	case resources.IntegerShape:
		p.kind, p.max = number, 999999
	case resources.ObjectShape:
		p.kind = object
		for _, field := range f.Fields {
			p.fields = append(p.fields, paramOfField(field))
		}
	}
	return p
}

// createPlan creates a plan. The plan is active unless the call asks for a draft, which can be
// started later.
func createPlan(c *call) (answer, error) {
	p := resources.New[*resources.WorkPlan](resources.WorkPlans, c.args.text("name"))
	p.Spec = resources.WorkPlanSpec{
		Title: c.args.text("title"), Acceptance: c.args.texts("acceptance"), DependsOn: c.args.texts("dependsOn"), State: resources.PlanActive,
		Category: c.args.text("category"), SOTDocument: c.args.text("sotDocument"),
	}
	for i, name := range c.args.texts("phases") {
		p.Spec.Phases = append(p.Spec.Phases, resources.PlanPhase{Name: name, Order: i + 1})
	}
	var draft bool
	if c.args.into("draft", &draft); draft {
		p.Spec.State = resources.PlanDraft
	}
	return c.create(p)
}

// create writes one new object and answers with its name and state.
func (c *call) create(o resources.Object) (answer, error) {
	if _, err := c.repo.Create(c.ctx, o); err != nil {
		return nil, c.explainWrite(err, o.Key())
	}
	return objectAnswer(o).add("state", stateOf(o)), nil
}

// planTasks adds tasks to a plan. Either all tasks are added or none.
func planTasks(c *call) (answer, error) {
	key := keyOf(resources.WorkPlans, c.args.text("plan"))
	plan, found := c.gate.View().Plan(key.Name)
	if !found {
		return nil, c.explainNotFound(key)
	}
	if state := resources.PlanState(plan); state != resources.PlanActive && state != resources.PlanDraft {
		return nil, refusal(fmt.Sprintf("You tried to add tasks to workplan %q.", key.Name), "it is "+state+".", c.insteadOf(transition.PlanOver, key), key.String())
	}
	var described []arguments
	c.args.into("tasks", &described)
	var tasks []resources.Object
	for _, fields := range described {
		t, err := newTask(fields, key.Name)
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	results, err := c.repo.Create(c.ctx, tasks...)
	if err != nil {
		if len(tasks) == 1 {
			key = tasks[0].Key()
		}
		return nil, c.explainWrite(err, culprit(err, key))
	}
	return objectAnswer(plan).add("tasks", namesAndUIDs(results)), nil
}

// culprit returns the key of the object that a refusal is about, or otherwise if the refusal names
// none.
func culprit(err error, otherwise resources.Key) resources.Key {
	if about := (*mutate.ObjectError)(nil); errors.As(err, &about) {
		return about.Key
	}
	return otherwise
}

// nameAndUID contains the names of one of several new objects in an answer.
type nameAndUID struct {
	Name string `json:"name"`
	UID  string `json:"uid"`
}

// namesAndUIDs returns the name and UID of each new object.
func namesAndUIDs(results []mutate.Result) []nameAndUID {
	var all []nameAndUID
	for _, r := range results {
		meta := r.New.Head().Metadata
		all = append(all, nameAndUID{meta.Name, meta.UID})
	}
	return all
}

// newTask creates a task from the fields in a call.
func newTask(fields arguments, plan string) (*resources.Task, error) {
	t := resources.New[*resources.Task](resources.Tasks, fields.text("name"))
	spec := map[string]json.RawMessage{}
	for name, value := range fields {
		if name != "name" && string(value) != `""` {
			spec[name] = value
		}
	}
	if err := json.Unmarshal(encodeJSON(spec), &t.Spec); err != nil {
		return nil, fmt.Errorf("the task's fields do not fit: %w", err)
	}
	t.Spec.WorkPlan = plan
	return t, nil
}

// archivePlan archives a plan. An active plan is archived only if it could be completed.
func archivePlan(c *call) (answer, error) {
	key := keyOf(resources.WorkPlans, c.args.text("plan"))
	plan, found := c.gate.View().Plan(key.Name)
	if !found {
		return nil, c.explainNotFound(key)
	}
	if plan.Spec.State == resources.PlanActive {
		if _, err := transition.Plan(plan, transition.Move{Verb: transition.Complete}, c.gate.View()); err != nil {
			return nil, c.explainWrite(err, key)
		}
	}
	gone, err := c.repo.Archive(c.ctx, []resources.Key{key}, mutate.Guarded)
	if err != nil {
		return nil, c.explainWrite(err, key)
	}
	return objectAnswer(plan).add("state", "archived").add("with", mutate.Shorten(queries.Names(gone[1:]), maxListed)), nil
}

// meetStep returns the call that confirms the first of the open criteria.
func meetStep(plan string, open []int) string {
	return step("govern_plan", "action", "complete", "plan", plan, "met", open[:1], "evidence", "(the file, task/NAME or successful command that shows it)")
}

// planLine is one plan, or one task of a plan, in a status list.
type planLine struct {
	Name       string   `json:"name"`
	Title      string   `json:"title,omitempty"`
	Phase      string   `json:"phase"`
	Done       string   `json:"done,omitempty"`
	AssignedTo string   `json:"assignedTo,omitempty"`
	BlockedBy  []string `json:"blockedBy,omitempty"`
	Ready      bool     `json:"ready,omitempty"`
}

// planStatus lists the tasks of one plan, or all plans.
func planStatus(r reading) (answer, error) {
	if name := r.args.text("plan"); name != "" {
		return r.onePlan(keyOf(resources.WorkPlans, name))
	}
	var lines []planLine
	for _, key := range r.List(resources.WorkPlans) {
		if p, ok := r.Plan(key.Name); ok {
			lines = append(lines, r.planSummary(p))
		}
	}
	slices.SortStableFunc(lines, func(a, b planLine) int { return activeFirst(a) - activeFirst(b) })
	return listAnswer("plans", lines, len(lines)).add("note", r.gate.Sharing().Advice()), nil
}

// activeFirst returns the rank of a plan in a list: 0 for an active plan, otherwise 1.
func activeFirst(l planLine) int {
	if l.Phase == resources.PlanActive {
		return 0
	}
	return 1
}

// planSummary returns the line of a plan: title, phase and progress.
func (r reading) planSummary(p *resources.WorkPlan) planLine {
	st, _ := status.DerivePlan(p, r)
	counts := r.PlanCounts(p.Metadata.Name)
	total := 0
	for _, n := range counts {
		total += n
	}
	return planLine{
		Name: p.Metadata.Name, Title: admission.Plain(p.Spec.Title), Phase: st.Phase,
		Done: fmt.Sprintf("%d of %d tasks", counts[resources.TaskCompleted], total-counts[resources.TaskAbandoned]),
	}
}

// onePlan returns the answer about one plan, with its open criteria and at most maxListed of its
// tasks.
func (r reading) onePlan(key resources.Key) (answer, error) {
	p, found := r.Plan(key.Name)
	if !found {
		return nil, notFoundError{key}
	}
	summary := r.planSummary(p)
	var lines []planLine
	more := 0
	for _, name := range r.PlanTasks(key.Name) {
		switch t, ok := r.Task(name); {
		case !ok:
		case len(lines) == maxListed:
			more++
		default:
			st, _ := status.DeriveTask(t, r)
			lines = append(lines, planLine{
				Name: name, Title: admission.Plain(t.Spec.Title), Phase: st.Phase, AssignedTo: admission.Plain(t.Spec.AssignedTo), BlockedBy: st.BlockedBy, Ready: st.Ready,
			})
		}
	}
	return objectAnswer(p).add("title", summary.Title).add("phase", summary.Phase).add("done", summary.Done).
		add("acceptance", p.Spec.Acceptance).add("open", status.OpenCriteria(p)).add("tasks", lines).add("more", more), nil
}

// focusPlan changes the focus of the work to a plan or a task.
func focusPlan(c *call) (answer, error) {
	var keys []resources.Key
	switch {
	case c.args.text("task") != "":
		keys = append(keys, keyOf(resources.Tasks, c.args.text("task")))
	case c.args.text("plan") != "":
		keys = append(keys, keyOf(resources.WorkPlans, c.args.text("plan")))
	case c.args.text("intent") == "":
		return nil, refusal("You called govern_plan focus without a target.", "plan, task and intent are missing.", step("govern_plan", "action", "focus", "intent", "the current goal"), "govern_plan focus")
	}
	focused, err := c.repo.Focus(c.ctx, c.args.text("intent"), keys...)
	if err != nil {
		return nil, c.explainWrite(err, append(keys, keyOf(resources.Trajectories, resources.TrajectoryName))[0])
	}
	head := focused.New.(*resources.Trajectory).Spec
	return objectAnswer(focused.New).add("plan", head.ActivePlan).add("tasks", head.ActiveTasks).add("setAside", focused.Parked), nil
}
