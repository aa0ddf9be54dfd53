// Package acts is the table of all actions on objects, such as starting a task, confirming a mem or answering a
// question. The command line, the MCP tools, the page, the dashboard keys and the queue are derived from it.
package acts

import (
	"cmp"
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/artifacts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
)

// Said contains the arguments of an act.
type Said = requests.Said

// Actor identifies the caller of an act.
type Actor struct {
	Repo   mutate.Repo
	Person string // name in records; empty if the session identifies the caller
}

// Act is an action on an object. Its JSON form is part of the page protocol.
type Act struct {
	Name   string   `json:"name"`
	Key    string   `json:"key"` // key on the page and dashboard; empty: not listed there
	Label  string   `json:"label"`
	Kinds  []string `json:"kinds"`            // kinds of objects that it is proposed for
	Phases []string `json:"phases,omitempty"` // phases in which it is proposed; empty means all
	Args   []Arg    `json:"asks,omitempty"`   // arguments; those with a label first
	Needs  string   `json:"needs,omitempty"`  // last word of the verb, without dashes, of a need that proposes it; empty if always proposed

	Verb       string   `json:"-"` // command and flags; empty if no command performs only this act
	Word       string   `json:"-"` // printed result, such as completed
	Tool       string   `json:"-"` // MCP tool and action, such as govern_task complete; empty if none performs only this act
	Agents     string   `json:"-"` // sentence in the tool's description
	One        bool     `json:"-"` // the command takes one object
	Free       bool     `json:"-"` // allowed for every role
	Text       string   `json:"-"` // help in the format of cmd/idumb/help.txt; empty if that file contains it
	OtherKinds []string `json:"-"` // additional kinds that the command accepts
	Field      string   `json:"-"` // spec field that the first argument sets; the command is patch
	Detached   bool     `json:"-"` // does not change the object, so the revision is not checked
	Form       bool     `json:"-"` // asks for several values at once: not among the keys of the dashboard
	Often      bool     `json:"-"` // listed among the keys that are always visible
	Queued     bool     `json:"-"` // allowed in the queue

	// Do performs the act; nil if the page and the dashboard implement it themselves.
	Do func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) `json:"-"`
}

// Arg is an argument of an act: a field of Said.
type Arg struct {
	Field    string   `json:"field"` // JSON name
	Label    string   `json:"label"` // question for users; empty if only a flag
	Required bool     `json:"required,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	List     bool     `json:"list,omitempty"` // several values; PromptedArgs sets it
	Of       string   `json:"of,omitempty"`   // kind of the objects that it names; default: the names tag in Said
	Edit     bool     `json:"edit,omitempty"` // users change the value that the object has

	Word  bool     `json:"-"` // positional, after the object; otherwise a flag
	As    string   `json:"-"` // name of the flag; default: the flag tag in Said
	Help  string   `json:"-"` // usage of the flag; default: the help tag in Said
	Typed bool     `json:"-"` // not an argument of MCP tools
	Kinds []string `json:"-"` // kinds of objects that it applies to; nil means all
}

// field returns the struct field of Said that holds the argument.
func (a Arg) field() reflect.StructField {
	t := reflect.TypeFor[Said]()
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name == a.Field {
			return t.Field(i)
		}
	}
	panic("acts: unknown argument " + a.Field)
}

// In returns a pointer to the value of the argument.
func (a Arg) In(said *Said) any {
	return reflect.ValueOf(said).Elem().FieldByIndex(a.field().Index).Addr().Interface()
}

// Flag returns the name and usage of the argument's flag.
func (a Arg) Flag() (name, help string) {
	tag := a.field().Tag
	help = cmp.Or(a.Help, tag.Get("help"))
	if a.Required {
		help += " (required)"
	}
	return cmp.Or(a.As, tag.Get("flag"), a.Field), help
}

// IsGiven reports whether the argument has a value.
func (a Arg) IsGiven(said *Said) bool { return !reflect.ValueOf(a.In(said)).Elem().IsZero() }

// AppliesTo reports whether the argument applies to objects of a kind.
func (a Arg) AppliesTo(kind string) bool { return a.Kinds == nil || slices.Contains(a.Kinds, kind) }

// IsPath reports whether the argument names files.
func (a Arg) IsPath() bool { return a.field().Tag.Get("format") == "path" }

// Names returns the kind of the objects that the argument names, or "".
func (a Arg) Names() string { return cmp.Or(a.Of, a.field().Tag.Get("names")) }

// Old returns the former name of the argument's flag, or "".
func (a Arg) Old() string { return a.field().Tag.Get("old") }

// PromptedArgs returns the arguments that users are asked for.
func (a Act) PromptedArgs() []Arg {
	args := slices.DeleteFunc(slices.Clone(a.Args), func(arg Arg) bool { return arg.Label == "" })
	for i := range args {
		args[i].Of, args[i].List = args[i].Names(), args[i].field().Type.Kind() == reflect.Slice
	}
	return args
}

// All returns the table of acts.
func All() []Act {
	tasks, mems := []string{resources.Tasks}, []string{resources.Mems}
	decisions, documents := []string{resources.Decisions}, []string{resources.Artifacts}
	evidence, tests := Arg{Field: "evidence", Label: "What shows that it is done?"}, Arg{Field: "tests", Label: "Which tests were run?"}
	files, met := Arg{Field: "files"}, Arg{Field: "met", Typed: true}
	why, takeOver := Arg{Field: "reason", Label: "Why?", Required: true}, Arg{Field: "takeOver", Typed: true}
	startOver := Arg{Field: "takeOver", Help: "also if the task is active in another clone or, for users, held by an agent here", Typed: true}
	return []Act{
		step(transition.Start, Act{Key: "s", Label: "Start", Args: []Arg{startOver}, Tool: "govern_task start", Often: true}),
		step(transition.Review, Act{Key: "r", Label: "Hand in for review", Verb: "submit", Args: []Arg{evidence, tests, files, takeOver}, Tool: "govern_task review", Free: true}),
		step(transition.Complete, Act{Key: "C", Label: "Complete", Args: []Arg{evidence, tests, files, met, takeOver}, Tool: "govern_task complete", Often: true,
			Agents: "start, then complete with evidence (and tests; then: NEXT starts that task), or let its last test do both, in the shell: `idumb run --complete TASK -- COMMAND`."}),
		step(transition.Fail, Act{Key: "F", Label: "Fail", Args: []Arg{why, takeOver}, Tool: "govern_task fail", Agents: "fail {reason} and review hand it back.", Free: true}),
		step(transition.Defer, Act{Args: []Arg{{Field: "back", Typed: true}}}),
		step(transition.Abandon, Act{Key: "x", Label: "Abandon", Args: []Arg{why, takeOver}}),
		{Name: "branch", Word: "split", Kinds: tasks, Phases: transition.Abandon.Phases(), Args: []Arg{{Field: "into", Required: true}}, Verb: "split", One: true, Tool: "govern_task branch", Agents: "branch {into: [names]} splits it.", Do: splitTask},
		{Name: "priority", Key: "p", Label: "Priority", Kinds: tasks, Field: "priority", Args: []Arg{{Field: "priority", Label: "How much does it matter?", Required: true, Choices: resources.Choices(resources.Tasks, "spec.priority")}}, Do: edit(func(t *resources.TaskSpec, said Said) { t.Priority = said.Priority })},
		{Name: "assign", Key: "A", Label: "Assign", Kinds: tasks, Field: "assignedTo", Args: []Arg{{Field: "to", Label: "To which role, agent or person? Empty: remove the assignment"}}, Do: edit(func(t *resources.TaskSpec, said Said) { t.AssignedTo = said.To })},
		{Name: "rewrite", Key: "e", Label: "Edit", Kinds: tasks, Form: true, Args: []Arg{{Field: "title", Label: "Title", Edit: true}, {Field: "description", Label: "Description, in Markdown", Edit: true}}, Do: edit(func(t *resources.TaskSpec, said Said) { t.Title, t.Description = said.Title, said.Description })},
		{Name: "intent", Key: "i", Label: "Work on this", Kinds: []string{resources.Tasks, resources.WorkPlans}, Verb: "focus", Args: []Arg{{Field: "intent", Label: "What do you want now, in a sentence?"}}, Do: focus},
		handOver(transition.Accept, Act{Verb: "delegation accept", Tool: "govern_delegate accept", Free: true}),
		handOver(transition.Recall, Act{Key: "R", Label: "Revoke", Verb: "delegation revoke", Args: []Arg{{Field: "to", Label: "Hand it to which role or agent instead? Empty: do not hand it over"}}, Tool: "govern_delegate revoke", Agents: "revoke {name} stops it, with to hands it to another."}),
		handOver(transition.Return, Act{Tool: "govern_delegate done"}),
		{Name: "accept-decision", Word: "accepted", Kinds: decisions, Verb: "decide accept", Do: decide(resources.DecisionAccepted)},
		{Name: "reject-decision", Word: "rejected", Kinds: decisions, Verb: "decide reject", Args: []Arg{why}, Do: decide(resources.DecisionRejected)},
		{Name: "abandon-artifact", Word: "abandoned", Kinds: documents, Verb: "artifact abandon", Args: []Arg{{Field: "reason"}}, Do: endArtifact(artifacts.Abandon)},
		{Name: "complete-artifact", Word: "completed", Kinds: documents, Verb: "artifact complete", Args: []Arg{{Field: "reason"}}, Do: endArtifact(artifacts.Complete)},
		{Name: "purge", Word: "purged", Kinds: mems, Verb: "mem purge", Args: []Arg{{Field: "reason", Help: "the reason"}}, Tool: "mem purge", Agents: "purge {name, reason} takes one out of use.", Do: purge},
		{Name: "confirm", Word: "confirmed", Key: "t", Label: "Still true", Kinds: mems, OtherKinds: []string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Artifacts}, Verb: "confirm", Args: []Arg{{Field: "by", Typed: true}, {Field: "reason", As: "note", Help: "the observation", Kinds: mems}, {Field: "check", Kinds: mems, Typed: true}, {Field: "cites", Kinds: mems}}, Often: true, Do: confirm},
		{Name: "supersede", Key: "S", Label: "Supersede", Kinds: mems, Verb: "supersede", Args: []Arg{{Field: "content", Label: "What replaces it?", Required: true}, {Field: "reason", Label: "Why?"}}, Often: true, Do: supersede},
		{Name: "comment", Key: "c", Label: "Comment", Kinds: []string{resources.Tasks, resources.WorkPlans, resources.Mems, resources.Anchors, resources.Delegations, resources.Sessions}, Verb: "comment", Args: []Arg{{Field: "content", Label: "What should the agent do or know?", Required: true, Word: true}}, Detached: true, Often: true, Do: comment},
		{Name: "answer", Key: "a", Label: "Answer", Kinds: []string{resources.Comments}, Phases: []string{resources.CommentOpen, resources.CommentTold}, Args: []Arg{{Field: "content", Label: "Your answer", Required: true}}, Detached: true, Often: true, Do: answer},
		{Name: "hold", Key: "h", Label: "Hold", Kinds: tasks, Verb: "comment --hold", Args: []Arg{{Field: "content", Label: "Hold it until which question is answered?", Required: true, Word: true}}, Detached: true, Do: hold},
		{Name: "release", Key: "h", Label: "Release", Kinds: tasks, Detached: true, Do: release}, // proposed for held tasks only, so it shares the key
		{Name: "allow", Key: "y", Label: "Allow once", Kinds: []string{resources.Sessions}, Args: []Arg{{Field: "reason", Label: "Why? The agent sees the reason"}}, Needs: "allow", Detached: true, Often: true},
		{Name: "fine", Key: "n", Label: "Fine: rightly denied", Kinds: []string{resources.Sessions}, Needs: "fine", Detached: true},
		{Name: "adopt", Key: "L", Label: "Make a plan of its to-do list", Kinds: []string{resources.Sessions}, Args: []Arg{{Field: "state", Label: "A draft governs nothing yet", Required: true, Choices: []string{resources.PlanActive, resources.PlanDraft}}}, Detached: true},
		{Name: "create-task", Key: "N", Label: "New task", Form: true, Args: []Arg{
			{Field: "title", Label: "Title", Required: true}, {Field: "plan", Label: "Plan"}, {Field: "expect", Label: "Expected result. Empty: the title"},
			{Field: "description", Label: "Description, in Markdown"}, {Field: "dependsOn", Label: "Depends on these tasks"},
			{Field: "paths", Label: "May write only these files: patterns"}, {Field: "commands", Label: "Evidence: commands that must succeed"}}, Do: createTask},
		{Name: "create-plan", Key: "W", Label: "New plan", Form: true, Args: []Arg{
			{Field: "title", Label: "Title", Required: true}, {Field: "accept", Label: "Acceptance criteria"}, {Field: "dependsOn", Label: "Depends on these plans", Of: resources.WorkPlans},
			{Field: "state", Label: "A draft governs nothing yet", Required: true, Choices: []string{resources.PlanActive, resources.PlanDraft}}}, Do: createPlan},
		{Name: "undo", Key: "u", Label: "Undo my last change"},
	}
}

// step returns the act of a lifecycle verb.
func step(verb transition.Verb, a Act) Act {
	a.Name, a.Verb, a.Word = string(verb), cmp.Or(a.Verb, string(verb)), verb.Done()
	a.Kinds, a.OtherKinds, a.Phases, a.Queued = []string{resources.Tasks}, []string{resources.WorkPlans, resources.Delegations}, verb.Phases(), verb != transition.Defer
	a.Do = func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
		m := transition.Move{Verb: verb, Criteria: said.Met, Evidence: said.Evidence, Tests: said.Tests, Files: said.Files, Reason: said.Reason, TakeOver: said.TakeOver, Undo: said.Back}
		return by.Repo.Move(ctx, m, key)
	}
	return a
}

// handOver returns the act of a lifecycle verb of delegations.
func handOver(verb transition.Verb, a Act) Act {
	a.Name, a.Word, a.Kinds = string(verb), verb.Done(), []string{resources.Delegations}
	a.Do = func(ctx context.Context, by Actor, key resources.Key, said Said) (mutate.ActResult, error) {
		if said.To != "" {
			return by.Repo.Redirect(ctx, key, said.To)
		}
		return plainResult(by.Repo.One(ctx, key, func(o resources.Object, _ *mutate.View) (resources.Object, error) {
			return transition.Delegation(o.(*resources.Delegation), verb)
		}))
	}
	return a
}

// Named returns the act with a name.
func Named(all []Act, name string) (Act, bool) {
	i := slices.IndexFunc(all, func(a Act) bool { return a.Name == name })
	if i < 0 {
		return Act{}, false
	}
	return all[i], true
}

// Command returns the command line, without idumb, that performs the act on an object, KIND/NAME, with a text as its
// first argument. Positional arguments follow "--", so that a name or text is never parsed as an option.
func (a Act) Command(object, text string) []string {
	if a.Field != "" {
		var value any // null removes the field
		if text != "" {
			value = text
		}
		p, _ := json.Marshal(map[string]any{"spec": map[string]any{a.Field: value}}) // never fails for strings
		return []string{"patch", "-p", string(p), "--", object}
	}
	words := strings.Fields(a.Verb)
	switch {
	case text == "":
		return append(words, "--", object)
	case a.Args[0].Word:
		return append(words, "--", object, text)
	}
	flag, _ := a.Args[0].Flag()
	return append(words, "--"+flag, text, "--", object)
}
