package tools

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/lifecycle"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// add adds the acts that agents do with this tool, with their actions and arguments.
func (t *tool) add(table []acts.Act) {
	var actions []action
	for _, act := range table {
		name, does, _ := strings.Cut(act.Tool, " ")
		if name != t.name {
			continue
		}
		a := action{name: does, needs: list(t.object), run: func(c *call) (answer, error) { return c.do(act, keyFor(act, c.args.text(t.object))) }}
		if act.Verb != "" && !act.Free {
			a.command, a.takes = "idumb "+act.Verb, list("force")
		}
		for _, arg := range act.Args {
			switch {
			case arg.Typed:
				continue
			case arg.Required:
				a.needs = append(a.needs, arg.Field)
			default:
				a.takes = append(a.takes, arg.Field)
			}
			if !slices.ContainsFunc(t.params, func(p param) bool { return p.name == arg.Field }) {
				t.params = append(t.params, paramOf(arg))
			}
		}
		actions = append(actions, a)
		if act.Agents != "" {
			t.doc += " " + act.Agents
		}
	}
	t.actions, t.doc = append(actions, t.actions...), strings.TrimSpace(t.doc+" "+t.more)
}

// paramOf converts an argument of an act to an argument of a tool.
func paramOf(arg acts.Arg) param {
	p := param{name: arg.Field, rare: true, enum: arg.Choices}
	switch arg.In(new(acts.Said)).(type) {
	case *[]string:
		p.many = true
	case *bool:
		p.kind = flag
	}
	return p
}

// keyFor parses the name of an act's object, NAME or KIND/NAME.
func keyFor(act acts.Act, name string) resources.Key {
	for _, kind := range slices.Concat(act.Kinds, act.Others) {
		if key := keyOf(kind, name); key.Name != name {
			return key
		}
	}
	return resources.Key{Kind: act.Kinds[0], Name: name}
}

// onPlan returns a function that does an act to the plan named in the call.
func onPlan(verb lifecycle.Verb) func(*call) (answer, error) {
	return func(c *call) (answer, error) {
		act, _ := acts.Named(acts.All(), string(verb))
		return c.do(act, keyOf(resources.WorkPlans, c.args.text("plan")))
	}
}

// do does an act and returns the answer about its result.
func (c *call) do(act acts.Act, key resources.Key) (answer, error) {
	if key.Kind == resources.Delegations && !c.gate.MayMove(key.Name, act.Name == string(lifecycle.Recall)) {
		return nil, c.notTheirs(key)
	}
	var said acts.Said
	for _, arg := range act.Args {
		to := arg.In(&said)
		c.args.into(arg.Field, to)
		if text, ok := to.(*string); ok {
			*text = strings.TrimSpace(*text)
		}
	}
	moved, err := act.Do(c.ctx, acts.By{Repo: c.repo, Person: c.whoConfirms()}, key, said)
	switch {
	case err != nil && key.Kind == resources.Delegations && len(moved.Also) > 0:
		return nil, c.notHandedOver(err, moved.Also[0].After.(*resources.Delegation))
	case err != nil && key.Kind == resources.Delegations:
		return nil, c.notMoved(err, key)
	case err != nil && key.Kind == resources.Mems:
		return nil, c.memFailed(err, key)
	case err != nil:
		return nil, c.failed(err, key)
	}
	if t, ok := moved.After.(*resources.Task); ok && act.Name == string(lifecycle.Start) {
		c.gate.Started(t.Metadata.Name)
	}
	return c.cameOf(act, moved), nil
}

// cameOf returns the answer about the result of an act.
func (c *call) cameOf(act acts.Act, moved mutate.Moved) answer {
	reply, started := named(moved.After).with("state", stateOf(moved.After)), act.Name == string(lifecycle.Start)
	switch o := moved.After.(type) {
	case *resources.Task:
		if started {
			reply = c.withBearing(reply.withWork(o).with("evidence", evidenceOf(o.Spec.Evidence)), o.Metadata.Name)
		}
	case *resources.Mem:
		if !o.Spec.PurgedAt.IsZero() {
			reply = reply.with("phase", resources.Purged)
		}
	case *resources.Delegation:
		if len(moved.Also) > 0 {
			return c.handedOver(moved.Also[0].After.(*resources.Delegation)).with("recalled", o.Metadata.Name)
		}
		reply = reply.with("task", o.Spec.Task)
	}
	var made []string
	for _, also := range moved.Also {
		if also.What == mutate.Created {
			made = append(made, also.Key.Name)
		}
	}
	reply = reply.with("into", made)
	if p := moved.Open; p != nil && p.Spec.State == resources.PlanActive {
		open := status.OpenCriteria(p)
		reply = reply.with("plan", p.Metadata.Name).with("notShownToHold", admission.Plain(status.ListedCriteria(p, open))).with("showIt", meetStep(p.Metadata.Name, open))
	}
	notes := "notes"
	if started { // "notes" is already used for the notes of the task
		notes = "warnings"
	}
	return reply.with("evidenceMissing", evidenceOf(moved.Unseen)).with("confirmed", moved.Confirmed).with("unblocked", moved.Unblocked).with("breaksChainOf", moved.Broken).
		with("takenOverFrom", fromOf(moved)).with(notes, append(notesOf(moved.Outcome), c.untold(moved)...)).with("recalled", moved.Recalled)
}
