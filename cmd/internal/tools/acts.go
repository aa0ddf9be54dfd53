package tools

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// addActs adds the acts that agents do with this tool, with their actions and arguments.
func (t *tool) addActs(table []acts.Act) {
	var actions []action
	for _, act := range table {
		name, does, _ := strings.Cut(act.Tool, " ")
		if name != t.name {
			continue
		}
		a := action{name: does, required: list(t.objectParam), run: func(c *call) (answer, error) { return c.doAct(act, keyFor(act, c.args.text(t.objectParam))) }}
		if act.Verb != "" && !act.Free {
			a.command, a.optional = "idumb "+act.Verb, list("force")
		}
		for _, arg := range act.Args {
			switch {
			case arg.Typed:
				continue
			case arg.Required:
				a.required = append(a.required, arg.Field)
			default:
				a.optional = append(a.optional, arg.Field)
			}
			if !slices.ContainsFunc(t.params, func(p param) bool { return p.name == arg.Field }) {
				t.params = append(t.params, paramOf(arg))
			}
		}
		if act.Name == string(transition.Complete) {
			a.optional = append(a.optional, "then")
			a.run = (*call).completeThenStart
		}
		actions = append(actions, a)
		if act.Agents != "" {
			t.doc += " " + act.Agents
		}
	}
	for i := range t.actions {
		if act, named := acts.Named(table, t.actions[i].act); named {
			t.actions[i].run = func(c *call) (answer, error) { return c.doAct(act, c.objectKey()) }
		}
	}
	t.actions, t.doc = append(actions, t.actions...), strings.TrimSpace(t.doc+" "+t.actionTexts)
}

// paramOf converts an argument of an act to an argument of a tool.
func paramOf(arg acts.Arg) param {
	p := param{name: arg.Field, isHidden: true, enum: arg.Choices}
	switch arg.In(new(acts.Said)).(type) {
	case *[]string:
		p.isList = true
	case *bool:
		p.kind = flag
	}
	return p
}

// completeThenStart completes a task and then starts the task "then", if one is named. If the
// completion is refused, it starts none. If the start is refused, the answer says so.
func (c *call) completeThenStart() (answer, error) {
	task, next := c.args.text("task"), c.args.text("then")
	complete, _ := acts.Named(c.acts, string(transition.Complete))
	reply, err := c.doAct(complete, keyFor(complete, task))
	switch {
	case next == "":
		return reply, err
	case err != nil:
		r := *explain(err)
		r.Why += " Task " + strconv.Quote(taskKey(next).Name) + " was not started."
		return nil, &r
	}
	start, _ := acts.Named(c.acts, string(transition.Start))
	started, err := c.doAct(start, taskKey(next))
	if err != nil {
		return reply.add("notStarted", refusalFields(explain(err))), nil
	}
	return reply.add("started", started), nil
}

// keyFor parses the name of an act's object, NAME or KIND/NAME.
func keyFor(act acts.Act, name string) resources.Key {
	for _, kind := range slices.Concat(act.Kinds, act.OtherKinds) {
		if key := keyOf(kind, name); key.Name != name {
			return key
		}
	}
	return resources.Key{Kind: act.Kinds[0], Name: name}
}

// objectKey returns the object that the first required argument of the action names.
func (c *call) objectKey() resources.Key {
	kind := map[string]string{"task": resources.Tasks, "plan": resources.WorkPlans}[c.action.required[0]]
	return keyOf(cmp.Or(kind, c.tool.kind), c.args.text(c.action.required[0]))
}

// doAct does an act and returns the answer about its result.
func (c *call) doAct(act acts.Act, key resources.Key) (answer, error) {
	if key.Kind == resources.Delegations && !c.gate.MayMove(key.Name, act.Name == string(transition.Recall)) {
		return nil, c.refuseOther(key)
	}
	var said acts.Said
	for _, arg := range act.Args {
		to := arg.In(&said)
		name := arg.Field
		if !c.args.has(name) {
			name, _ = arg.Flag()
		}
		c.args.into(name, to)
		if text, ok := to.(*string); ok {
			*text = strings.TrimSpace(*text)
		}
	}
	moved, err := act.Do(c.ctx, acts.Actor{Repo: c.repo, Person: c.confirmer()}, key, said)
	switch {
	case err != nil && key.Kind == resources.Delegations && len(moved.Related) > 0:
		return nil, c.explainDelegation(err, moved.Related[0].New.(*resources.Delegation))
	case err != nil && key.Kind == resources.Delegations:
		return nil, c.explainMove(err, key)
	case err != nil && key.Kind == resources.Artifacts:
		return nil, c.artifactFailed(err)
	case err != nil && key.Kind == resources.Mems:
		return nil, c.memFailed(err, key)
	case err != nil:
		return nil, c.explainWrite(err, key)
	}
	if t, ok := moved.New.(*resources.Task); ok && act.Name == string(transition.Start) {
		c.gate.Started(t.Metadata.Name)
	}
	return c.actAnswer(act, moved), nil
}

func (c *call) actAnswer(act acts.Act, moved mutate.ActResult) answer {
	reply, started := objectAnswer(moved.New).add("state", stateOf(moved.New)), act.Name == string(transition.Start)
	switch o := moved.New.(type) {
	case *resources.Task:
		if started {
			reply = c.withBearing(reply.withWork(o).add("evidence", evidenceOf(o.Spec.Evidence)), o.Metadata.Name)
		}
	case *resources.Mem:
		if act.Name == "confirm" {
			reply = reply.add("confirmations", len(o.Spec.Confirmations))
		} else if !o.Spec.PurgedAt.IsZero() {
			reply = reply.add("phase", resources.Purged)
		}
	case *resources.Artifact:
		reply = reply.add("path", admission.Plain(o.Spec.Path)).add("replaces", o.Spec.Supersedes).add("phase", o.Spec.State)
	case *resources.Delegation:
		if len(moved.Related) > 0 {
			return c.delegationAnswer(moved.Related[0].New.(*resources.Delegation)).add("recalled", o.Metadata.Name)
		}
		reply = reply.add("task", o.Spec.Task)
	}
	var made []string
	for _, also := range moved.Related {
		if also.Operation == mutate.Created {
			made = append(made, also.Key.Name)
		}
	}
	reply = reply.add("into", made)
	if p := moved.Open; p != nil && p.Spec.State == resources.PlanActive {
		open := status.OpenCriteria(p)
		reply = reply.add("plan", p.Metadata.Name).add("notShownToHold", admission.Plain(status.ListedCriteria(p, open))).add("showIt", meetStep(p.Metadata.Name, open))
	}
	notes := "notes"
	if started { // "notes" is already used for the notes of the task
		notes = "warnings"
	}
	return reply.add("evidenceMissing", evidenceOf(moved.MissingEvidence)).add("confirmed", moved.Confirmed).add("unblocked", moved.Unblocked).add("breaksChainOf", moved.Broken).
		add("takenOverFrom", previousHolder(moved)).add(notes, append(agentNotes(moved.Outcome), c.teamNotes(moved)...)).add("recalled", moved.Recalled)
}
