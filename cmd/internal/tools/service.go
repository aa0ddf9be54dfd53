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
)

// Service answers calls. Its repository is looked for anew at each call: it may be
// initialized, or break, while an agent runs. It may be used by many at once.
type Service struct {
	Env []string         // as os.Environ gives it
	Now func() time.Time // the clock

	acts []acts.Act // that the tools do; nil: all
}

// Request is one call of a tool.
type Request struct {
	Tool      string
	Arguments json.RawMessage
	Client    string // how the client calls itself: "opencode", "claude-code"
	CallID    string // the host's id of the call, where the protocol carries it
}

// identity is the argument in which OpenCode's shim sends the host's id of a
// call. No other client may send it: the shim overwrites what a model wrote.
const (
	identity         = "_idumb"
	identifiedClient = "opencode"
)

// Call answers a request. It never fails and never panics.
func (s *Service) Call(ctx context.Context, r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = refused(refusal("The call of "+r.Tool+" broke.", fmt.Sprint(p), "Run `idumb doctor` and tell the user what it says.", "a panic in the server"))
		}
	}()
	reply, err := s.call(ctx, r)
	if err != nil {
		return refused(explain(err))
	}
	return success(reply)
}

func (s *Service) call(ctx context.Context, r Request) (answer, error) {
	table := s.acts
	if table == nil {
		table = acts.All()
	}
	t, known := find(table, r.Tool)
	if !known {
		return nil, fmt.Errorf("there is no tool %q", r.Tool)
	}
	args, err := readArguments(r.Arguments)
	if err == nil && r.Client == identifiedClient {
		var id string
		args.into(identity, &id)
		r.CallID = id
		delete(args, identity)
	}
	c := &call{ctx: ctx, tool: t, args: args, now: s.Now(), service: s}
	if err == nil {
		err = c.choose()
	}
	if err != nil {
		return nil, c.malformed(err)
	}
	if err := c.open(r.CallID); err != nil {
		return nil, err
	}
	reply, err := c.act()
	switch {
	case err == nil:
		return c.withheld(reply), nil
	case !c.gate.Trusted():
		return nil, c.withheldRefusal()
	}
	return nil, err
}

// act does what the call asks for, if it may.
func (c *call) act() (answer, error) {
	if err := c.checkNeeds(); err != nil {
		return nil, err
	}
	if err := c.admit(); err != nil {
		return nil, err
	}
	reply, err := c.action.run(c)
	if err == nil && c.advice != "" {
		reply = reply.with("advice", admission.Plain(c.advice))
	}
	return reply, err
}

// call is one call of a tool, while it is answered.
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
	who     callers.Caller
	gate    *hooks.Gate
	advice  string // of the gate, for who made the call
}

// choose finds the action and holds the arguments against the tables.
func (c *call) choose() error {
	name := c.args.text("action")
	if len(c.tool.actions) == 1 {
		name = cmp.Or(name, c.tool.actions[0].name)
	} else if !c.args.has("action") {
		return &wrongArgument{"action", "is missing", "one of: " + strings.Join(c.tool.actionNames(), ", ")}
	}
	if err := c.args.check(c.tool.allParams(), ""); err != nil {
		return err
	}
	c.action, _ = c.tool.action(name)
	for _, p := range c.tool.params {
		if c.args.has(p.name) && !slices.Contains(c.action.needs, p.name) && !slices.Contains(c.action.takes, p.name) {
			return &wrongArgument{p.name, "is not an argument of the action " + name, "only " + strings.Join(append(slices.Clone(c.action.needs), c.action.takes...), ", ")}
		}
	}
	return nil
}

// open finds the repository and who calls.
func (c *call) open(id string) error {
	root, err := findRoot(c.service.Env)
	if err != nil {
		return err
	}
	c.root = root
	c.who, _ = callers.Take(root, id)
	if c.files, err = filestore.Open(string(root)); err != nil {
		return err
	}
	c.repo = mutate.Open(c.files, c.service.Now, false)
	c.repo.Around, c.repo.Who = serve.Around{Root: root}, admission.Who{As: admission.Agent, Session: c.who.Session}
	c.repo.Process = process.Host(os.Getpid())
	c.gate = hooks.Backend{}.OpenGate(root, c.who, c.service.Env, c.now)
	c.repo.Who.MayDecide = c.gate.MayDecide
	if c.forced() {
		c.repo.Who.Bypass = []string{"--force"}
	}
	return nil
}

// Sweep removes what is left of calls that never came.
func (s *Service) Sweep() {
	if root, err := findRoot(s.Env); err == nil {
		callers.Sweep(root, s.Now())
	}
}

// findRoot finds the repository. See layout.FindFor.
func findRoot(env []string) (layout.Root, error) {
	root, err := layout.FindFor(layout.Project(env), ".")
	return root, githistory.Absence(cmp.Or(layout.Project(env), "."), err)
}

// admit judges the action by the caller's role and by the terms that it works under.
func (c *call) admit() error {
	if c.action.command == "" {
		return nil
	}
	v := c.judged(c.tool.name, c.command()).Verdict
	if v.Outcome == admission.Deny {
		return c.forbidden(v.Reason)
	}
	c.advice = cmp.Or(c.advice, v.Advice)
	return nil
}

// command is the command line that does the same as the call, with the object that
// it is about: whose it is may matter.
func (c *call) command() string {
	line := c.action.command + c.object()
	if c.args.text("evidence") != "" {
		line += " --evidence" // a chain rule may ask whether there is any
	}
	if c.action.name == "recall" && c.args.text("to") != "" {
		line += " --to" // that is handing over, too
	}
	if c.forced() {
		line += " --force"
	}
	return line
}

// forced reports whether the call goes past chain rules that permit it.
func (c *call) forced() (forced bool) {
	c.args.into("force", &forced)
	return forced
}

// object is the object that the call is about, as its command line names it.
func (c *call) object() string {
	if verdict := c.verdictOf(); verdict != "" {
		return verdict
	}
	for _, p := range c.action.needs {
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
