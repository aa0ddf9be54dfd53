package main

import (
	"context"
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// openCodeScenarios returns the scenarios about features that only OpenCode has.
func openCodeScenarios() []scenario {
	only := []string{"opencode"}
	return []scenario{
		{id: "8.1", title: "the system prompt does not change; changes are sent once, at the end of a message", play: stablePrompt, hosts: only},
		{id: "8.2", title: "reads do not wait for a hook that hangs", play: readsInTime, hosts: only},
		{id: "8.3", title: "outputs of completed tasks are left out, but not right before a compaction", play: prunedOutputs, hosts: only, window: fullWindow},
		{id: "8.4", title: "at 80 % of the window the work continues in a new session", play: splitSession, hosts: only, window: fullWindow},
		{id: "8.5", title: "without a network it starts without a delay, with the installed files", play: offlineStart, hosts: only},
		{id: "8.6", title: "requests for titles do not contain the context", play: bareTitles, hosts: only},
		{id: "8.7", title: "the model cannot forge the caller of an idumb tool", play: forgedCaller, hosts: only},
	}
}

// served is an OpenCode server that works in the project.
type served struct {
	*clients.OpenCodeServer
	stage *stage
	ctx   context.Context
}

// serve starts the server, passes it to do, and stops it afterwards.
func (s *stage) serve(o clients.Options, do func(*served)) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	server, err := s.server().Serve(ctx, o)
	s.must(err)
	defer func() { s.check(server.Close() == nil, "the log of the server cannot be closed") }()
	do(&served{server, s, ctx})
}

// server returns the client as one that can run as a server.
func (s *stage) server() clients.OpenCodeServed {
	host, can := s.Session.(clients.OpenCodeServed)
	if !can {
		s.must(errors.New(s.host + " is no server"))
	}
	return host
}

// open starts a conversation.
func (v *served) open() string {
	session, err := v.NewSession(v.ctx)
	v.stage.must(err)
	return session
}

// turn sends a prompt, runs a script for it, and returns the requests that the model received.
func (v *served) turn(session, prompt string, lanes ...model.Lane) []*model.Request {
	s := v.stage
	before := len(s.model.Requests())
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	s.model.Play(lanes...)
	if err := v.Prompt(ctx, session, prompt); err != nil {
		s.fault("the prompt %.40q: %v", prompt, err)
	}
	for _, problem := range s.model.Problems() {
		s.fault("%s's model: %s", s.host, problem)
	}
	requests := s.model.Requests()[before:]
	if len(requests) == 0 {
		s.must(errors.New("no request reached the model"))
	}
	return requests
}

// mainLane returns the lane of the main agent.
func mainLane(steps ...model.Step) model.Lane { return model.Lane{Name: "main", Steps: steps} }

// forgedCaller tests a subagent that calls a tool its role may not use and puts another agent's
// identity into the call. The call must be refused under the subagent's real identity.
func forgedCaller(s *stage) {
	housePlan(s)
	handOver(s, "roof")
	forged := ""
	plan := func() model.Call {
		return s.Own("govern_plan", map[string]any{"action": "create", "name": "mine", "title": "Mine", "acceptance": []string{"All mine"}, "_idumb": forged})
	}
	lane := delegate("delegation/give-roof",
		model.Use(plan()),
		model.Say("I may not.").Looking(wantRefusal))
	lane.Steps[0].Do = func(r *model.Request) error {
		lane.Steps[0].Calls[0].Input["_idumb"] = r.Subagent() + "/call_scripted000100"
		return nil
	}
	s.prompt("split the work", lane, mainLane(
		model.Use(s.Own("govern_task", map[string]any{"action": "status"})),
		model.Use(s.hand("roof")).Wanting("roof"),
		model.Say("Good.").Wanting("I may not.")))
	_, err := s.command(s.program("idumb"), "get", "workplan", "mine")
	s.check(err != nil, "the subagent made a plan under another name")
}

// bareTitles tests that the request for a conversation's title does not contain idumb's context and
// that the conversation's own requests still contain it.
func bareTitles(s *stage) {
	workPlan(s)
	s.serve(clients.Options{Env: []string{s.server().Titles()}}, func(v *served) {
		session := v.open()
		title := model.Lane{
			Name: "title", Steps: []model.Step{model.Say("A garden")},
			Match: func(r *model.Request) bool { return strings.Contains(r.System, "You are a title generator") },
		}
		requests := v.turn(session, "which work is open?", title, mainLane(model.Say("To dig.").Looking(wantTexts("Plan garden"))))
		s.check(len(requests) == 2, "%d requests to the model, want 2", len(requests))
		for _, r := range requests {
			if title.Match(r) {
				s.check(!strings.Contains(r.All(), "idumb_context") && !strings.Contains(r.All(), "Plan garden"), "the request for a title holds the context:\n%s", r.All())
			}
		}
	})
}
