package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// worker is the agent that a delegation is handed to, by what each host calls it.
var worker = map[string]string{"claude": "general-purpose", "codex": "worker", "opencode": "general"}

// handOver plans a task, starts it and hands it over: delegation/give-TASK.
func handOver(s *stage, task string, tools ...string) {
	s.idumb("create", "task", task, "--plan", "house", "--title", "Build "+task, "--expect", "The file of "+task)
	s.idumb("start", task)
	args := []string{"create", "delegation", "give-" + task, "--task", task, "--from", "solo", "--to", "executor", "--expect", "What " + task + " needs"}
	if len(tools) > 0 {
		args = append(args, "--tools", strings.Join(tools, ","))
	}
	s.idumb(args...)
}

func housePlan(s *stage) {
	s.idumb("create", "workplan", "house", "--title", "A house", "--accept", "It stands", "--state", "active")
}

// delegate is the lane of a subagent that was started with a mark in its prompt.
func delegate(mark string, steps ...model.Step) model.Lane {
	return model.Lane{Name: mark, Steps: steps, Match: func(r *model.Request) bool {
		return r.Subagent() != "" && strings.Contains(r.First(), mark)
	}}
}

// hand is the call that hands a delegation to a subagent.
func (s *stage) hand(task string) model.Call {
	return s.Spawn(worker[s.host], "delegation/give-"+task+": do your part")
}

// after is a step that is played once subagents have said something, and checks that
// they have.
func (s *stage) after(step model.Step, said ...string) model.Step {
	if w, ok := s.Session.(clients.Waiter); ok {
		step.Until, step.Meanwhile = said, model.Turn{Calls: []model.Call{w.Wait()}}
	}
	return step.Looking(holds(said...))
}

// delegatedTools: a subagent with a delegation is told what it was given, and may use
// the tools that the delegation names and no others.
func delegatedTools(s *stage) {
	housePlan(s)
	handOver(s, "roof", "write", "read")
	s.prompt("split the work",
		delegate("delegation/give-roof",
			model.Use(s.Shell("echo sneaked > src/sneaked.txt")).Looking(holds("What roof needs")),
			model.Use(s.Write("src/roof.txt", "roof\n")).Wanting("GOVERNANCE BLOCK", "give-roof", "does not allow that tool"),
			model.Say("The roof is on.").Rejecting("GOVERNANCE BLOCK")),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.hand("roof")),
			s.after(model.Say("Good."), "The roof is on."),
		}})
	s.wantFile("src/roof.txt", "roof\n")
	s.wantNoFile("src/sneaked.txt")
	s.wantCheckpoint("roof", "src/roof.txt", "sneaked")
}

// levels is how deep agents may hand on.
const levels = 3

// nestedDelegates: agents hand on to agents, each with a delegation, three levels deep.
// A fourth hand-over is refused, and no fourth level is started.
func nestedDelegates(s *stage) {
	housePlan(s)
	s.must(s.editSpec(".idumb/roles/solo.json", map[string]any{"delegatesTo": []string{"mason1"}}))
	// The agents that clients have belong to no role here: they act in the one that a
	// delegation hands them. The shipped executor hands nothing on.
	s.must(s.editSpec(".idumb/roles/executor.json", map[string]any{"agents": []string{}}))
	for n := 1; n <= levels+1; n++ {
		s.write(fmt.Sprintf(".idumb/roles/mason%d.json", n), fmt.Sprintf(`{"spec": {"mode": "all", "delegatesTo": ["mason%d"]}}`, min(n, levels)+1))
		args := []string{"create", "task", fmt.Sprintf("floor%d", n), "--plan", "house", "--title", "A floor", "--expect", "A floor"}
		if n > 1 { // a delegate hands on no more than parts of its task
			args = append(args, "--parent", fmt.Sprintf("floor%d", n-1))
		}
		s.idumb(args...)
		s.idumb("start", fmt.Sprintf("floor%d", n))
	}
	s.idumb("trust") // roles were changed by hand
	lanes := []model.Lane{}
	for n := 1; n < levels; n++ {
		lanes = append(lanes, delegate(fmt.Sprintf("delegation/floor%d", n), s.handOn(n+1, fmt.Sprintf("Level %d ends.", n))...))
	}
	fourth := delegate(fmt.Sprintf("delegation/floor%d", levels+1), model.Say("I run.").Looking(func(*model.Request) error {
		return errors.New("was asked at a fourth level, which must not be")
	}))
	fourth.Optional = true
	lanes = append(lanes, fourth,
		delegate(fmt.Sprintf("delegation/floor%d", levels),
			model.Use(s.assign(levels+1)),
			model.Use(s.level(levels+1)).Wanting("3").Looking(refused),
			model.Say("Level 3 ends.").Looking(refused)),
		model.Lane{Name: "main", Steps: s.handOn(1, "Good.")})
	s.prompt("split the work", lanes...)
	_, err := s.command(s.program("idumb"), "get", "delegation", fmt.Sprintf("floor%d", levels+1))
	s.check(err != nil, "a fourth hand-over was made")
}

// handOn are the steps of an agent that hands a level to a subagent of its own.
func (s *stage) handOn(n int, end string) []model.Step {
	return []model.Step{
		model.Use(s.assign(n)),
		model.Use(s.level(n)).Wanting(`"status":"success"`, fmt.Sprintf("delegation/floor%d", n)),
		s.after(model.Say(end).Rejecting("GOVERNANCE BLOCK"), fmt.Sprintf("Level %d ends.", n)),
	}
}

// assign is the call that makes the delegation of a level, and level the one that
// starts its subagent.
func (s *stage) assign(n int) model.Call {
	return s.Own("govern_delegate", map[string]any{
		"action": "assign", "task": fmt.Sprintf("floor%d", n), "to": fmt.Sprintf("mason%d", n), "name": fmt.Sprintf("floor%d", n),
	})
}

func (s *stage) level(n int) model.Call {
	return s.Spawn(worker[s.host], fmt.Sprintf("delegation/floor%d: do your part", n))
}

// refused checks that the last call was refused: by idumb, or, where the client holds
// its agents to the same depth by itself, by the client.
func refused(r *model.Request) error {
	for _, said := range []string{"GOVERNANCE BLOCK", `"status":"error"`, "No such tool available: Agent", "depth limit"} {
		if strings.Contains(r.New(), said) {
			return nil
		}
	}
	return errors.New("was not refused at the last level, but: " + strings.TrimSpace(r.New()))
}

// recalledDelegate: a delegation is recalled while its subagent works. Its next call
// is denied; its way out stays open.
func recalledDelegate(s *stage) {
	housePlan(s)
	handOver(s, "door")
	s.prompt("split the work",
		delegate("delegation/give-door",
			model.Use(s.Write("src/door.txt", "door\n")),
			model.Use(s.Write("src/bell.txt", "bell\n")).Rejecting("GOVERNANCE BLOCK").Doing(s.during(func() {
				s.must(s.editSpec(".idumb/delegations/give-door.json", map[string]any{"state": "recalled"}))
			})),
			model.Use(s.Shell("idumb fail door --reason 'it was taken back'")).Wanting("GOVERNANCE BLOCK", "recalled"),
			model.Say("I hand back.").Wanting("GOVERNANCE BLOCK", "recalled")),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.hand("door")),
			s.after(model.Say("Good."), "I hand back."),
		}})
	s.wantFile("src/door.txt", "door\n")
	s.wantNoFile("src/bell.txt")
	s.wantPhase("task/door", "active")
}

// delegatesAtOnce: two subagents write at the same time, each for its own task.
func delegatesAtOnce(s *stage) {
	housePlan(s)
	handOver(s, "roof")
	handOver(s, "door")
	both := newMeeting(2)
	part := func(task string) model.Lane {
		return delegate("delegation/give-"+task,
			model.Use(s.Write("src/"+task+".txt", task+"\n")).Looking(holds("What "+task+" needs")).Doing(both.wait),
			model.Say("Part "+task+" is done.").Rejecting("GOVERNANCE BLOCK"))
	}
	s.prompt("split the work", part("roof"), part("door"),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.hand("roof"), s.hand("door")),
			s.after(model.Say("Good."), "Part roof is done.", "Part door is done."),
		}})
	s.wantFile("src/roof.txt", "roof\n")
	s.wantFile("src/door.txt", "door\n")
	s.wantCheckpoint("roof", "src/roof.txt", "src/door.txt")
	s.wantCheckpoint("door", "src/door.txt", "src/roof.txt")
}
