package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

const canIDoc = `Ask the gate whether an agent may do something, and why not. It is the gate itself
that answers, by the files as they are now: the role, the task, the delegation,
locks and chain rules. Nothing is recorded.

What may be asked for: a tool of any host (Write, apply_patch, bash, webfetch) with
the file or the command; a command of idumb (start, create workplan); one of
idumb's own tools with its action (govern_plan create); delegate and the agent.

Exit code 1: no, or not without asking the person.`

func newAuth(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "auth can-i", Short: "Ask what an agent may do", RunE: noSubVerb,
		Long: "Ask what an agent may do.", Example: canIExamples,
	}
	c.AddCommand(newCanI(a))
	return c
}

const canIExamples = `  idumb auth can-i write src/login.go --as executor
  idumb auth can-i bash "git push --force" --as executor --task login-form
  idumb auth can-i create workplan --as investigator
  idumb auth can-i delegate executor --as coordinator
  idumb auth can-i --list --as executor`

// canI is what is asked, and how it is printed.
type canI struct {
	question hook.Question // what is the same for each question
	list     bool
	quiet    bool
	output   string
}

func newCanI(a *app) *cobra.Command {
	var o canI
	c := &cobra.Command{
		Use: "can-i (VERB|TOOL [PATH|COMMAND|NAME] | --list) [flags]", Short: "Ask the gate whether an agent may do something",
		Long: canIDoc, Example: canIExamples,
		RunE: func(c *cobra.Command, args []string) error { return a.canI(o, append(args, bypasses(c)...)) },
	}
	c.Flags().StringVar(&o.question.As, "as", "", "the role or agent that would do it (default: an agent without a name)")
	c.Flags().StringVar(&o.question.Task, "task", "", "the task that it would be on (default: the one that is active)")
	c.Flags().StringVar(&o.question.Delegation, "delegation", "", "the delegation that it would work under")
	c.Flags().BoolVar(&o.list, "list", false, "list what it may do")
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print nothing: the exit code answers")
	c.Flags().StringVarP(&o.output, "output", "o", "", "json, yaml, jsonpath=...")
	completeFlag(c, "output", "json", "yaml", "jsonpath=")
	a.completeFlagNames(c, "as", resources.Roles)
	a.completeFlagNames(c, "task", resources.Tasks)
	a.completeFlagNames(c, "delegation", resources.Delegations)
	return c
}

func (a *app) canI(o canI, args []string) error {
	format, err := printers.ParseFormat(o.output, "json", "jsonpath", "yaml")
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	if o.question.Dir, err = a.folder(); err != nil {
		return err
	}
	if err := o.check(root, args); err != nil {
		return err
	}
	if o.list {
		return a.listRights(root, o, format)
	}
	q, err := a.asked(o.question, args)
	if err != nil {
		return err
	}
	answer := a.ask(root, q)
	if err := a.tell(answer, o.quiet, format); err != nil {
		return err
	}
	if !answer.Allowed {
		return failure.Exit(1)
	}
	return nil
}

// check refuses what cannot be answered: names that nothing has would be answered as if
// nothing stood in the way.
func (o *canI) check(root layout.Root, args []string) error {
	if o.list == (len(args) > 0) {
		return fmt.Errorf("say what is to be done, or --list\nUsage: idumb auth can-i VERB|TOOL [PATH|COMMAND|NAME] --as ROLE")
	}
	for _, ref := range []struct {
		kind string
		name *string
	}{{resources.Tasks, &o.question.Task}, {resources.Delegations, &o.question.Delegation}} {
		if *ref.name == "" {
			continue
		}
		kind, _ := resources.KindOf(ref.kind)
		key := resources.Key{Kind: ref.kind, Name: strings.TrimPrefix(*ref.name, kind.Singular+"/")}
		if _, _, err := root.ReadSpec(key); err != nil {
			return failure.NotFound(key)
		}
		*ref.name = key.Name
	}
	return nil
}

// right is an answer, as it is printed.
type right struct {
	Allowed    bool     `json:"allowed"`
	Ask        bool     `json:"ask,omitempty"`    // the person is asked before; where a host cannot ask: no
	Action     string   `json:"action"`           // as it was asked for
	Object     string   `json:"object,omitempty"` // the file, command or agent
	Agent      string   `json:"agent,omitempty"`  // --as
	Role       string   `json:"role,omitempty"`   // in which it acts
	Least      bool     `json:"leastRole,omitempty"`
	Task       string   `json:"task,omitempty"` // under which it was judged
	Mode       string   `json:"mode"`
	Rule       string   `json:"rule,omitempty"` // that objects
	What       string   `json:"what,omitempty"`
	Why        []string `json:"why,omitempty"`
	UseInstead string   `json:"useInstead,omitempty"`
	Evidence   []string `json:"evidence,omitempty"`
	Advice     string   `json:"advice,omitempty"`

	strange bool // nothing that is known is called so
}

// ask asks the gate.
func (a *app) ask(root layout.Root, q asking) right {
	j := hook.Ask(root, q.Question, environ(), a.now())
	v := j.Verdict
	r := right{
		Allowed: v.Outcome != admission.Deny && v.Outcome != admission.AskPerson, Ask: v.Outcome == admission.AskPerson, Action: q.said, Object: q.about, Agent: q.As, Role: j.Role, Least: j.Unknown,
		Task: v.Task, Mode: j.Mode, Advice: v.Advice, strange: q.strange,
	}
	if v.Outcome == admission.Deny || v.Outcome == admission.Record || r.Ask {
		r.Rule, r.What, r.Why, r.UseInstead, r.Evidence = v.Reason.Rule, v.Reason.What, v.Reason.Why, v.Reason.Instead(), v.Reason.Evidence
	}
	return r
}

// tell prints an answer: yes or no, and why.
func (a *app) tell(r right, quiet bool, format printers.Format) error {
	switch {
	case quiet:
		return nil
	case format.Name != "":
		return (&printers.Printer{Format: format}).PrintValue(a.stdout, r)
	}
	a.warnOf(r)
	if r.Allowed {
		a.outf("yes%s\n", terminal.EscapeLine(r.but()))
		return nil
	}
	answer := "no"
	if r.Ask {
		answer = "ask the person"
	}
	a.outf("%s - %s (%s)\n", answer, terminal.EscapeLine(admission.Plain(r.What)), r.Rule)
	for _, why := range r.Why {
		a.outf("  why: %s\n", terminal.EscapeLine(admission.Plain(why)))
	}
	a.outf("  use instead: %s\n", terminal.EscapeLine(admission.Plain(r.UseInstead)))
	for _, at := range r.Evidence {
		a.outf("  evidence: %s\n", terminal.EscapeLine(admission.Plain(at)))
	}
	return nil
}

// warnOf says what the answer rests on that whoever asks may not have meant.
func (a *app) warnOf(r right) {
	if r.strange {
		a.errf("Warning: no tool and no command of idumb is known as %q; tools that are not known pass unless a role or task closes them\n", r.Action)
	}
	switch {
	case r.Least:
		a.errf("Warning: no role names the agent %q: it has the rights of the least role, %q\n", r.Agent, r.Role)
	case r.Role == "":
		a.errf("Warning: there is no role for it, so no role sets it bounds; idumb init writes the roles\n")
	}
}

// but is what a yes comes with.
func (r right) but() string {
	switch {
	case r.Mode == admission.ModeOff:
		return " - governance is off"
	case r.Rule != "":
		return " - mode log: it would be recorded as a violation of " + r.Rule + ": " + admission.Plain(r.What)
	case r.Advice != "":
		return " - " + admission.Plain(r.Advice)
	}
	return ""
}
