package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A world is the generated input of one run: the objects, the agents and the surroundings.
// Its fields are plain data, so that shrink can remove one piece after another.
type world struct {
	Plans      []*plan
	Tasks      []*task
	Agents     []*agent
	Holds      []hold
	Handovers  []handover
	Undecided  bool   // decision "d" is proposed, not accepted
	Missing    string // an open task whose committed file is removed
	Broken     string // an open task whose committed file is torn
	Controller bool
	Linked     bool   // there is a linked worktree, with its own copy of .idumb
	Sync       string // "", "on", "elsewhere": the team shares its plans and this clone does not
	Snare      snare
	Default    string // role of an agent without a chosen name: "solo", "executor" or "clerk"
	Clerk      bool   // role solo delegates to role clerk as well
}

// A plan is a WorkPlan.
type plan struct {
	Name, State string
	After       []string
}

// A task is a TaskNode. The model reads the same type from files.
type task struct {
	Name, Plan, State, Parent, Gate, Assigned, Priority string
	After, Paths, Locks                                 []string
	Decides, Ahead, Proved                              bool
}

// An agent is one session, or one subagent of the session Parent.
type agent struct {
	Name, Host, Kind, Parent string // Kind: agent type of a subagent, empty for a main agent
	Linked                   bool   // works in the linked worktree
}

// A hold is a task that an agent has started.
type hold struct{ Task, Agent string }

// A handover is a delegation of a task. If Taken, the subagent named by it is spawned for it.
type handover struct {
	Task, From, Role string
	Giver            string // agent that makes it; empty: the user
	Recalled         bool
	Taken            string
}

var taskNames = []string{"alpha", "bravo", "cargo", "delta", "ember", "frost", "gamma", "hotel"}

// files lists the files that agents want to write. Each may be in the paths of a task.
var files = []string{"src/alpha.go", "src/bravo.go", "docs/guide.md", "src/deep/cargo.go"}

// kinds maps subagents to their roles, "" is the default role. The roles "scribe" and "clerk" are the team's own.
var kinds = map[string]string{"idumb-executor": "executor", "general-purpose": "executor", "Explore": "investigator", "idumb-scribe": "scribe", "idumb-clerk": "clerk", "workflow-subagent": ""}

// stream selects the sequence of worlds: one whose fixed worlds show each claim and few agents.
const stream = 650

// newWorld generates the world of a seed.
func newWorld(seed uint64) *world {
	r := rand.New(rand.NewPCG(seed, stream))
	chance := func(percent int) bool { return r.IntN(100) < percent }
	w := &world{Plans: []*plan{{Name: "p", State: "active"}}, Controller: chance(30), Linked: chance(25), Undecided: chance(50), Default: "solo"}
	switch n := r.IntN(20); {
	case n == 0:
		w.Sync = "elsewhere"
	case n == 1:
		w.Sync = "on"
	}
	if chance(10) {
		w.Default = "executor"
	}
	if chance(40) {
		w.Plans = append(w.Plans, &plan{Name: "q", State: pick(r, "active", "active", "draft")})
		if chance(30) {
			w.Plans[r.IntN(2)].After = []string{pick(r, "p", "q")}
			w.Plans[0].After = slices.DeleteFunc(w.Plans[0].After, func(s string) bool { return s == "p" })
			w.Plans[1].After = slices.DeleteFunc(w.Plans[1].After, func(s string) bool { return s == "q" })
		}
	}
	for i := range 2 + r.IntN(5) {
		w.Tasks = append(w.Tasks, newTask(r, w, i))
	}
	w.Agents = append(w.Agents, &agent{Name: "one", Host: pick(r, "claude", "claude", "codex")})
	if chance(60) {
		w.Agents = append(w.Agents, &agent{Name: "two", Host: pick(r, "claude", "codex"), Linked: w.Linked && chance(60)})
	}
	if w.Agents[0].Host == "claude" && chance(50) {
		w.Agents = append(w.Agents, &agent{Name: "sub", Host: "claude", Kind: pick(r, "idumb-executor", "idumb-executor", "idumb-executor", "idumb-executor", "general-purpose", "idumb-scribe", "Explore", "workflow-subagent"), Parent: "one"})
	}
	for range r.IntN(4) {
		w.Holds = append(w.Holds, hold{w.Tasks[r.IntN(len(w.Tasks))].Name, w.Agents[r.IntN(len(w.Agents))].Name})
	}
	for range (r.IntN(4) + 1) / 2 {
		w.Handovers = append(w.Handovers, newHandover(r, w))
	}
	if chance(12) {
		w.Missing = w.Tasks[r.IntN(len(w.Tasks))].Name
	} else if chance(12) {
		w.Broken = w.Tasks[r.IntN(len(w.Tasks))].Name
	}
	if seed%40 == 0 { // a pack states that nothing is planned: no plan is active
		for _, p := range w.Plans {
			p.State = "draft"
		}
		for _, t := range w.Tasks {
			if t.State == "active" || t.State == "review" {
				t.State = "planned"
			}
		}
		w.Controller, w.Holds, w.Handovers = true, nil, nil
	}
	w.Snare = newSnare(r)
	w.vary(rand.New(rand.NewPCG(seed, stream+1)))
	return w
}

// vary adds what newWorld does not generate, from a sequence of its own: the other worlds stay the same. It adds a
// third session, and agents and tasks of role clerk, which starts no tasks.
func (w *world) vary(r *rand.Rand) {
	chance := func(percent int) bool { return r.IntN(100) < percent }
	if chance(20) {
		w.Agents = append(w.Agents, &agent{Name: "three", Host: pick(r, "claude", "codex"), Linked: w.Linked && chance(60)})
		w.Holds = append(w.Holds, hold{w.Tasks[r.IntN(len(w.Tasks))].Name, "three"})
	}
	if !chance(25) {
		return
	}
	w.Clerk = true
	if t := w.Tasks[r.IntN(len(w.Tasks))]; chance(60) && t.State != "active" {
		t.Assigned = "clerk"
	}
	switch sub := w.agent("sub"); {
	case sub == nil && chance(30) && len(w.Handovers) == 0:
		w.Default = "clerk"
	case sub != nil && sub.Kind != "idumb-executor":
		sub.Kind = "idumb-clerk"
	}
}

func newTask(r *rand.Rand, w *world, i int) *task {
	chance := func(percent int) bool { return r.IntN(100) < percent }
	t := &task{
		Name: taskNames[i], Plan: w.Plans[r.IntN(len(w.Plans))].Name,
		State:    pick(r, "planned", "planned", "planned", "planned", "active", "active", "completed", "review", "failed", "abandoned"),
		Assigned: pick(r, "", "", "", "", "", "executor", "solo", "scribe", "ann"), Priority: pick(r, "", "", "high", "low"),
		Proved: chance(80), Decides: chance(8), Ahead: chance(6),
	}
	if i > 0 && chance(30) {
		t.After = []string{taskNames[r.IntN(i)]}
	}
	if i > 0 && chance(15) {
		t.Gate = taskNames[r.IntN(i)]
	}
	if i > 0 && chance(25) {
		t.Parent = taskNames[r.IntN(i)]
	}
	if i > 0 && chance(10) { // an edge back: it may close a cycle
		w.Tasks[r.IntN(i)].After = []string{t.Name}
	}
	if chance(35) {
		t.Paths = []string{pick(r, files...)}
	}
	if chance(10) {
		t.Locks = []string{pick(r, files...)}
	}
	return t
}

// newHandover delegates a task. It makes most of them tasks that can be handed over.
func newHandover(r *rand.Rand, w *world) handover {
	t := w.Tasks[r.IntN(len(w.Tasks))]
	if r.IntN(3) > 0 {
		t.Plan, t.State, t.After, t.Gate, t.Parent, t.Decides, t.Assigned = "p", "planned", nil, "", "", false, pick(r, "", "", "executor")
	}
	h := handover{Task: t.Name, From: pick(r, "solo", "coordinator"), Role: pick(r, "executor", "executor", "executor", "investigator"), Recalled: r.IntN(3) == 0}
	switch last := w.Agents[len(w.Agents)-1]; {
	case last.Kind == "idumb-executor": // it would join an open delegation
		h.Role, h.From, h.Giver, h.Taken = "executor", w.role(w.agent(last.Parent)), last.Parent, last.Name
	case r.IntN(2) == 0:
		h.From, h.Giver = w.Default, "one"
	}
	return h
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (w *world) task(name string) *task {
	for _, t := range w.Tasks {
		if t.Name == name {
			return t
		}
	}
	return nil
}

func (w *world) agent(name string) *agent {
	for _, a := range w.Agents {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// role returns the role in which an agent acts.
func (w *world) role(a *agent) string {
	if role := kinds[a.Kind]; role != "" {
		return role
	}
	return w.Default
}

// owner returns the main agent of the session. It owns what its subagents start.
func (w *world) owner(a *agent) string {
	if a.Parent != "" {
		return a.Parent
	}
	return a.Name
}

// spec returns the task as its file stores it.
func (t *task) spec() map[string]any {
	s := map[string]any{"workPlan": t.Plan, "expectedOutput": "it works", "state": t.State}
	optional := map[string]string{"parent": t.Parent, "assignedTo": t.Assigned, "priority": t.Priority}
	for field, value := range optional {
		if value != "" {
			s[field] = value
		}
	}
	for field, values := range map[string][]string{"dependsOn": t.After, "paths": t.Paths, "fileLocks": t.Locks} {
		if len(values) > 0 {
			s[field] = values
		}
	}
	if t.Gate != "" {
		s["temporalGate"] = map[string]any{"after": t.Gate, "reason": "the order matters"}
	}
	if t.Decides {
		s["decisions"] = []string{"d"}
	}
	if t.Ahead {
		s["planAhead"] = true
	}
	switch {
	case t.State == "completed" && t.Proved:
		s["result"] = map[string]any{"evidence": "seen"}
	case t.State == "failed" || t.State == "abandoned":
		s["reason"] = "not wanted"
	}
	return s
}

// String prints the world, one object a line.
func (w *world) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "controller %v, linked worktree %v, sync %q, default role %s, solo delegates to clerk %v, decision d undecided %v\n", w.Controller, w.Linked, w.Sync, w.Default, w.Clerk, w.Undecided)
	for _, p := range w.Plans {
		fmt.Fprintf(&b, "plan %s [%s] after %v\n", p.Name, p.State, p.After)
	}
	for _, t := range w.Tasks {
		fmt.Fprintf(&b, "task %s [%s] of %s", t.Name, t.State, t.Plan)
		for _, field := range [][2]string{{"assigned to", t.Assigned}, {"part of", t.Parent}, {"gate", t.Gate}, {"after", strings.Join(t.After, ",")}, {"paths", strings.Join(t.Paths, ",")}, {"locks", strings.Join(t.Locks, ",")}, {"priority", t.Priority}} {
			if field[1] != "" {
				fmt.Fprintf(&b, ", %s %s", field[0], field[1])
			}
		}
		fmt.Fprintf(&b, "%s%s%s%s%s\n", mark(t.Decides, ", needs decision d"), mark(t.Ahead, ", planned ahead"), mark(t.State == "completed" && !t.Proved, ", without evidence"), mark(w.Missing == t.Name, ", file removed"), mark(w.Broken == t.Name, ", file torn"))
	}
	for _, a := range w.Agents {
		fmt.Fprintf(&b, "agent %s: %s %s%s%s\n", a.Name, a.Host, a.Kind, mark(a.Parent != "", " started by "+a.Parent), mark(a.Linked, " in the linked worktree"))
	}
	for _, h := range w.Holds {
		fmt.Fprintf(&b, "%s starts %s\n", h.Agent, h.Task)
	}
	for _, h := range w.Handovers {
		fmt.Fprintf(&b, "%s is delegated from %s to %s by %s%s%s\n", h.Task, h.From, h.Role, cmp.Or(h.Giver, "the user"), mark(h.Taken != "", ", taken by "+h.Taken), mark(h.Recalled, ", recalled"))
	}
	if w.Snare.Trap != "" {
		fmt.Fprintf(&b, "trap %q for role %s in %s\n", w.Snare.Trap, w.Snare.Role, w.Snare.Host)
	}
	return b.String()
}

func mark(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}
