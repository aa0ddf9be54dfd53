package tools

import (
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// These are the verdicts of govern_plan decide. Without a verdict, the call proposes a decision.
const (
	accept    = "accept"
	reject    = "reject"
	supersede = "supersede"
)

// decidePlan proposes a decision or applies a verdict to one.
func decidePlan(c *call) (answer, error) {
	key := keyOf(resources.Decisions, c.args.text("name"))
	verdict := c.args.text("do")
	switch {
	case verdict == "":
		return c.propose()
	case !admission.DecidesVerb(verdict):
		return nil, refusal("govern_plan decide does not "+verdict+".", "a decision is proposed, accepted, rejected or superseded.", c.repeat("do", accept), "govern_plan decide")
	case key.Name == "":
		return nil, refusal("govern_plan decide "+verdict+" needs a decision.", `"name" is missing.`, c.repeat("name", "the-decision"), "govern_plan decide")
	case verdict == supersede:
		result, err := c.repo.Supersede(c.ctx, key, keyOf(resources.Decisions, c.args.text("by")))
		if err != nil {
			return nil, c.explainWrite(err, key)
		}
		return objectAnswer(result.New).add("state", stateOf(result.New)), nil
	}
	if verdict == reject && c.args.text("reason") == "" {
		return nil, refusal("You tried to reject decision "+key.Name+".", "the reason is missing.", c.repeat("reason", "why it is rejected"), key.String())
	}
	act, _ := acts.Named(acts.All(), verdict+"-decision")
	return c.doAct(act, key)
}

// propose creates a decision and links the task that depends on it.
func (c *call) propose() (answer, error) {
	d := resources.New[*resources.Decision](resources.Decisions, keyOf(resources.Decisions, c.args.text("name")).Name)
	d.Spec = resources.DecisionSpec{
		Title: c.args.text("title"), Because: c.args.text("reason"), Uses: c.args.texts("uses"), Avoids: c.args.texts("avoids"), DependsOn: c.args.texts("dependsOn"),
	}
	if d.Spec.Title == "" {
		return nil, refusal("You tried to propose a decision.", "its title is missing.", c.repeat("title", "the decision in one sentence"), "govern_plan decide")
	}
	var tasks []string
	if task := taskKey(c.args.text("task")).Name; task != "" {
		tasks = append(tasks, task)
	}
	if _, err := c.repo.Propose(c.ctx, d, tasks...); err != nil {
		return nil, c.explainWrite(err, culprit(err, d.Key()))
	}
	return objectAnswer(d).add("state", resources.DecisionState(d)).add("blocks", tasks).add("next", "a user decides: idumb decide accept "+d.Metadata.Name), nil
}

// verdictOf returns the verdict and the name of the decision, as in the `idumb decide` command. It
// returns "" for a proposal.
func (c *call) verdictOf() string {
	verdict := c.args.text("do")
	if c.action.name != admission.DecideTool || verdict == "" {
		return ""
	}
	return " " + verdict + " " + keyOf(resources.Decisions, c.args.text("name")).Name
}
