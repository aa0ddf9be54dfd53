package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Service answers calls. It searches for the repository at each call, because a repository may be
// initialized or break while an agent runs. It is safe for concurrent use.
type Service struct {
	Env []string         // in the format of os.Environ
	Now func() time.Time // the clock

	acts []acts.Act // the acts that the tools do; nil for all
}

// Request is one call of a tool.
type Request struct {
	Tool      string
	Arguments json.RawMessage
	Client    string // the name that the client sends, such as "opencode" or "claude-code"
	CallID    string // the host's ID of the call, if the protocol contains it
}

// identityArgument is the argument in which OpenCode's shim sends the host's ID of a call. Only OpenCode
// may send it, because its shim overwrites a value from the model.
const (
	identityArgument = "_idumb"
	identifiedClient = "opencode"
)

// Call answers a request. It converts errors and panics to refusals.
func (s *Service) Call(ctx context.Context, r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = encodeRefusal(refusal("The call of "+r.Tool+" broke.", fmt.Sprint(p), "Run `idumb doctor` and tell the user the result.", "a panic in the server"))
		}
	}()
	reply, err := s.call(ctx, r)
	if err != nil {
		return encodeRefusal(explain(err))
	}
	return Answer{JSON: encodeJSON(append(answer{{"status", "success"}}, reply...))}
}

// call checks the arguments of a request, opens the repository and the caller's gate, and runs the
// action. In an untrusted repository it hides the texts of its answer.
func (s *Service) call(ctx context.Context, r Request) (answer, error) {
	table := s.acts
	if table == nil {
		table = acts.All()
	}
	t, known := findTool(table, r.Tool)
	if !known {
		return nil, fmt.Errorf("there is no tool %q", r.Tool)
	}
	args, err := readArguments(r.Arguments)
	if err == nil && r.Client == identifiedClient {
		var id string
		args.into(identityArgument, &id)
		r.CallID = id
		delete(args, identityArgument)
	}
	c := &call{ctx: ctx, tool: t, args: args, now: s.Now(), service: s, acts: table}
	id := cmp.Or(r.CallID, callers.CallID(t.name, args)) // as the hook saw the arguments: choose changes them
	if err == nil {
		err = c.choose()
	}
	if err != nil {
		return nil, c.explainArguments(err)
	}
	if err := c.open(id); err != nil {
		return nil, err
	}
	reply, err := c.runAction()
	switch {
	case err == nil:
		return c.redacted(reply), nil
	case !c.gate.Trusted():
		return nil, c.redactedRefusal()
	}
	return nil, err
}

// runAction does the requested action if it is permitted.
func (c *call) runAction() (answer, error) {
	if err := c.checkNeeds(); err != nil {
		return nil, err
	}
	if err := c.admit(); err != nil {
		return nil, err
	}
	reply, err := c.action.run(c)
	if err == nil && c.advice != "" {
		reply = reply.add("advice", admission.Plain(c.advice))
	}
	return reply, err
}

// call is one call of a tool that is being answered.
type call struct {
	ctx     context.Context
	service *Service
	tool    tool
	action  action
	args    arguments
	now     time.Time
	root    layout.Root
	files   *filestore.Store
	repo    mutate.Repo
	caller  callers.Caller
	gate    *hooks.Gate
	advice  string // the gate's advice for the caller
	acts    []acts.Act
}

// choose finds the action and checks the arguments against the tables.
func (c *call) choose() error {
	name := c.args.text("action")
	if len(c.tool.actions) == 1 {
		name = cmp.Or(name, c.tool.actions[0].name)
	} else if current := oldActions[c.tool.name+" "+name]; current != "" {
		name, c.args["action"] = current, json.RawMessage(`"`+current+`"`)
	} else if !c.args.has("action") {
		return &argumentError{"action", "is missing", "one of: " + strings.Join(c.tool.actionNames(), ", ")}
	}
	if err := c.args.check(c.tool.allParams(), ""); err != nil {
		return err
	}
	c.action, _ = c.tool.action(name)
	for _, p := range c.tool.params {
		if c.args.has(p.name) && !slices.Contains(c.action.required, p.name) && !slices.Contains(c.action.optional, p.name) {
			return &argumentError{p.name, "is not an argument of the action " + name, "only " + strings.Join(append(slices.Clone(c.action.required), c.action.optional...), ", ")}
		}
	}
	return nil
}

// open opens the repository, identifies the caller and opens the caller's gate.
func (c *call) open(id string) error {
	root, err := findRoot(c.service.Env)
	if err != nil {
		return err
	}
	c.root = root
	c.caller, _ = callers.Take(root, id)
	if c.files, err = filestore.Open(string(root)); err != nil {
		return err
	}
	c.repo = mutate.Open(c.files, c.service.Now, false)
	c.repo.Neighbors, c.repo.Author = serve.Neighbors{Root: root}, admission.Author{Kind: admission.Agent, Session: c.caller.Session}
	c.repo.Process = process.Host(os.Getpid())
	c.gate = hooks.Backend{}.OpenGate(root, c.caller, c.service.Env, c.now)
	c.repo.Author.MayDecide = c.gate.MayDecide
	if c.forced() {
		c.repo.Author.Bypass = []string{"--force"}
	}
	return nil
}

// Sweep removes the records of announced calls that were never made.
func (s *Service) Sweep() {
	if root, err := findRoot(s.Env); err == nil {
		callers.Sweep(root, s.Now())
	}
}

// findRoot finds the repository with layout.FindFor.
func findRoot(env []string) (layout.Root, error) {
	root, err := layout.FindFor(layout.Project(env), ".")
	return root, githistory.Absence(cmp.Or(layout.Project(env), "."), err)
}

// admit checks the action against the caller's role and the limits of its task.
func (c *call) admit() error {
	if c.action.command == "" {
		return nil
	}
	v := c.askVerdict(c.tool.name, c.command()).Verdict
	if v.Outcome == admission.Deny {
		return c.explainDenial(v.Reason)
	}
	c.advice = cmp.Or(c.advice, v.Advice)
	return nil
}

// command returns the command line that is equivalent to the call, including its object, because
// the verdict may depend on the owner of the object.
func (c *call) command() string {
	line := c.action.command + c.object()
	if c.args.text("evidence") != "" {
		line += ` --evidence "..."` // a chain rule may check whether there is evidence
	}
	if next := c.args.text("then"); next != "" {
		line += " --start " + command.Quoted([]string{taskKey(next).Name})
	}
	if c.action.name == "revoke" && c.args.text("to") != "" {
		line += " --to" // with a new recipient it also delegates
	}
	if c.forced() {
		line += " --force"
	}
	return line
}

// forced reports whether the call overrides chain rules that permit this.
func (c *call) forced() (forced bool) {
	c.args.into("force", &forced)
	return forced
}

// object returns the object of the call in the form of the command line.
func (c *call) object() string {
	if verdict := c.verdictOf(); verdict != "" {
		return verdict
	}
	for _, p := range c.action.required {
		switch {
		case p == "name":
			return " " + keyOf(resources.Delegations, c.args.text("name")).Name
		case p == "task":
			return " " + taskKey(c.args.text("task")).Name
		case p == "plan" && c.action.name != "plan_tasks":
			return " workplan/" + keyOf(resources.WorkPlans, c.args.text("plan")).Name
		}
	}
	return ""
}
