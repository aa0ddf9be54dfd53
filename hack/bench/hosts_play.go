package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// hostPlay is the script of a client: calls that write in one turn, calls that read in a second
// one, and turns with only a text of the model.
type hostPlay struct {
	steps   []model.Step
	kinds   []kind // work between the request of a step and the next request
	prompts []string
}

func (p *hostProject) script(calls, turns int) *hostPlay {
	s := &hostPlay{prompts: []string{"write", "read"}}
	for i := range calls {
		s.add(write, model.Use(p.session.Write(fmt.Sprintf("file-%02d.txt", i), "text\n")))
	}
	s.add(turn, model.Say("Written."))
	for range calls {
		s.add(read, model.Use(p.session.Read("notes.txt")))
	}
	s.add(turn, model.Say("Read."))
	for range turns {
		s.add(turn, model.Say("Yes."))
		s.prompts = append(s.prompts, "go on")
	}
	return s
}

func (s *hostPlay) add(k kind, step model.Step) {
	s.kinds, s.steps = append(s.kinds, k), append(s.steps, step.Rejecting("GOVERNANCE BLOCK"))
}

// playBetween calls ended with each finished step and its duration: from the answer to one request to
// the arrival of the next. It calls before ahead of each answer.
func (s *hostPlay) playBetween(before func() error, ended func(i int, took time.Duration)) {
	var answered time.Time
	for i := range s.steps {
		s.steps[i].Do = func(*model.Request) error {
			if i > 0 {
				ended(i-1, time.Since(answered))
			}
			err := before()
			answered = time.Now()
			return err
		}
	}
}

// play plays the script, in turn with the other parties of a relay. The first step of each kind is
// a warm-up and is omitted.
func (p *hostProject) play(ctx context.Context, r *relay, calls, turns int) (took [kinds][]time.Duration, err error) {
	s := p.script(calls, turns)
	party := int(p.way)
	var seen [kinds]bool
	s.playBetween(func() error { return r.take(party) }, func(i int, d time.Duration) {
		r.pass(party)
		if k := s.kinds[i]; seen[k] {
			took[k] = append(took[k], d)
		}
		seen[s.kinds[i]] = true
	})
	return took, p.perform(ctx, s, nil)
}

// perform makes the client execute the script.
func (p *hostProject) perform(ctx context.Context, s *hostPlay, env []string) error {
	p.model.Play(model.Lane{Name: "main", Steps: s.steps})
	err := p.say(ctx, s.prompts, env)
	if problems := p.model.Problems(); len(problems) > 0 {
		err = errors.Join(err, fmt.Errorf("the client did otherwise than planned: %s", strings.Join(problems, "\n")))
	}
	return err
}

// say sends the prompts to one process of the client, if it supports several prompts.
func (p *hostProject) say(ctx context.Context, prompts, env []string) error {
	host, served := p.session.(clients.OpenCodeServed)
	if !served {
		r, err := p.session.Run(ctx, clients.Options{Unguarded: true, Env: env}, prompts...)
		if err == nil && r.Exit != 0 {
			err = fmt.Errorf("it ended with exit code %d: %s", r.Exit, r.Errors)
		}
		return err
	}
	server, err := host.Serve(ctx, clients.Options{Env: env})
	if err != nil {
		return err
	}
	defer server.Close()
	session, err := server.NewSession(ctx)
	for _, prompt := range prompts {
		if err == nil {
			err = server.Prompt(ctx, session, prompt)
		}
	}
	return err
}

// relay lets several parties work one at a time, in turn. Each holds the baton from take
// to pass, and must leave in the end.
type relay struct {
	ctx     context.Context
	mu      sync.Mutex
	changed *sync.Cond
	running []int // the parties that have not left, in order
	next    int   // whose turn it is
	stop    func() bool
}

func newRelay(ctx context.Context, parties int) *relay {
	r := &relay{ctx: ctx}
	r.changed = sync.NewCond(&r.mu)
	for i := range parties {
		r.running = append(r.running, i)
	}
	r.stop = context.AfterFunc(ctx, r.changed.Broadcast)
	return r
}

// take waits for a party's turn, or for the end of the context.
func (r *relay) take(party int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.next != party && r.ctx.Err() == nil {
		r.changed.Wait()
	}
	return r.ctx.Err()
}

// pass gives the turn to the next party. Out of turn it does nothing.
func (r *relay) pass(party int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hand(party)
}

func (r *relay) hand(party int) {
	if i := slices.Index(r.running, party); r.next == party && i >= 0 {
		r.next = r.running[(i+1)%len(r.running)]
		r.changed.Broadcast()
	}
}

// leave takes a party out.
func (r *relay) leave(party int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hand(party)
	r.running = slices.DeleteFunc(r.running, func(p int) bool { return p == party })
	r.changed.Broadcast()
}
