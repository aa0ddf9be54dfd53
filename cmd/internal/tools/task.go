package tools

import (
	"context"
	"net/url"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/packer"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// taskTool returns the tool with which an agent works on a task.
func taskTool() tool {
	return tool{
		name: "govern_task",
		doc:  "Work on a task; the host's todo list does not unlock writing.", objectParam: "task",
		actionTexts: "update {description, notes}. comment {text, type: note|question, answer: c-...}.",
		params: []param{
			{name: "task"},
			{name: "evidence"},
			{name: "description", isHidden: true},
			{name: "notes", isHidden: true},
			{name: "text", isHidden: true},
			{name: "type", isHidden: true, enum: list("note question")},
			{name: "answer", isHidden: true},
			{name: "then", isHidden: true},
			force(),
		},
		actions: []action{
			{name: "validate", required: list("task"), command: "idumb confirm", act: "confirm"},
			{name: "update", required: list("task"), optional: list("description notes"), command: "idumb patch task", run: updateTask},
			{name: "comment", required: list("text"), optional: list("task type answer"), run: commentTask},
			{name: "status", optional: list("task"), run: (*call).ask, read: taskStatus, kinds: workKinds()},
		},
	}
}

// updateTask replaces the description or the notes of a task, or both.
func updateTask(c *call) (answer, error) {
	if !c.args.has("description") && !c.args.has("notes") {
		return nil, c.explainArguments(&argumentError{"description", "is missing, and so is notes", "the new text in Markdown"})
	}
	key := taskKey(c.args.text("task"))
	result, err := c.repo.One(c.ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
		spec := o.SpecPointer().(*resources.TaskSpec)
		c.args.into("description", &spec.Description)
		c.args.into("notes", &spec.Notes)
		return o, nil
	})
	if err != nil {
		return nil, c.explainWrite(err, key)
	}
	return objectAnswer(result.New).add("state", stateOf(result.New)), nil
}

// taskKey parses the name of a task, which may have the form task/NAME.
func taskKey(name string) resources.Key { return keyOf(resources.Tasks, name) }

// keyOf returns the key of an object of a kind. The name may have the form KIND/NAME of that kind.
func keyOf(kind, name string) resources.Key {
	if word, rest, found := strings.Cut(name, "/"); found {
		if k, known := resources.LookupKind(word); known && k.Plural == kind {
			name = rest
		}
	}
	return resources.Key{Kind: kind, Name: name}
}

// withBearing adds the mems that apply to a started task and the tasks that wait for it, for agents
// without a hook that reports these.
func (c *call) withBearing(reply answer, task string) answer {
	if c.caller.Session != "" {
		return reply
	}
	var b packer.TaskKnowledge
	told, hangUp := serve.Query[packer.TaskKnowledge](c.ctx, c.root, queries.AskBearing, url.Values{"task": {task}})
	if hangUp(); told != nil {
		b = *told
	} else if snapshot, err := c.files.Load(c.ctx, c.now); err == nil {
		b = packer.TaskKnowledgeOf(queries.FromFiles(c.root, snapshot), nil, task)
	}
	for i := range b.Knowledge {
		b.Knowledge[i] = admission.Plain(b.Knowledge[i])
	}
	return reply.add("bearsOnIt", b.Knowledge).add("waitForIt", b.Dependents)
}

// teamNotes returns a note if the team does not know that a task ended.
func (c *call) teamNotes(m mutate.ActResult) []string {
	if m.Released {
		if note := TeamNote(c.ctx, c.root); note != "" {
			return []string{note}
		}
	}
	return nil
}

// TeamNote returns a note if the clone shares the tasks' state with a team and no controller is
// running to send changes. Otherwise it returns "".
func TeamNote(ctx context.Context, root layout.Root) string {
	if settings, err := sync.Load(root, os.Getenv); err == nil && settings == nil {
		return ""
	}
	if client, err := serve.Dial(ctx, root); err == nil {
		client.Close()
		return ""
	}
	return "The team does not know of this yet, because no controller runs in this clone. The user tells it with `idumb sync now`."
}

// previousHolder returns who held the task before it was taken over. It returns "" if nobody did.
func previousHolder(m mutate.ActResult) string {
	if m.Previous == nil {
		return ""
	}
	return admission.Plain(m.Previous.String())
}

// agentNotes returns the notes for an agent. Notes that name a command are for users.
func agentNotes(o transition.Outcome) []string {
	var notes []string
	for _, n := range o.Notes {
		if !strings.Contains(n, "idumb ") {
			notes = append(notes, n)
		}
	}
	return notes
}

// objectAnswer returns the first fields of an answer about an object.
func objectAnswer(o resources.Object) answer {
	meta := o.Head().Metadata
	return answer{{"name", meta.Name}, {"uid", meta.UID}}
}

// stateOf returns the state in the spec of a task, plan, delegation or decision. It returns "" for
// other kinds.
func stateOf(o resources.Object) string {
	switch o := o.(type) {
	case *resources.Task:
		return resources.TaskState(o)
	case *resources.WorkPlan:
		return resources.PlanState(o)
	case *resources.Delegation:
		return o.Spec.State
	case *resources.Decision:
		return resources.DecisionState(o)
	}
	return ""
}

// evidenceOf returns the items of evidence as text.
func evidenceOf(list []resources.EvidenceItem) []string {
	var items []string
	for _, e := range list {
		items = append(items, admission.Plain(e.String()))
	}
	return items
}

// commentTask creates a comment on a task, or an answer to a comment.
func commentTask(c *call) (answer, error) {
	o := resources.New[*resources.Comment](resources.Comments, "")
	o.Spec = resources.CommentSpec{Type: c.args.text("type"), Body: c.args.text("text"), InReplyTo: keyOf(resources.Comments, c.args.text("answer")).Name}
	key := taskKey(c.args.text("task"))
	switch {
	case o.Spec.InReplyTo != "":
		o.Spec.Type, key = resources.CommentAnswer, resources.Key{Kind: resources.Comments, Name: o.Spec.InReplyTo}
	case key.Name != "":
		o.Spec.About = "task/" + key.Name
	default:
		return nil, refusal("govern_task comment needs a task or a comment to answer.", `"task" and "answer" are missing.`, c.repeat("task", "the-task"), "govern_task comment")
	}
	result, err := c.repo.Comment(c.ctx, o, false)
	if err != nil {
		return nil, c.explainWrite(err, key)
	}
	return objectAnswer(result.New).add("about", o.Spec.About).add("type", resources.CommentType(o)), nil
}
