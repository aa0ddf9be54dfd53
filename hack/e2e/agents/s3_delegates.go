package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// worker contains, for each host, the agent type that receives a delegation.
var worker = map[string]string{"claude": "general-purpose", "codex": "worker", "opencode": "general", "copilot": "general-purpose", "gemini": "generalist"}

// handOver creates and starts a task and delegates it with a delegation named give-TASK.
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

// delegate returns the lane of a subagent whose prompt contains mark.
func delegate(mark string, steps ...model.Step) model.Lane {
	return model.Lane{Name: mark, Steps: steps, Match: func(r *model.Request) bool {
		return (r.Subagent() != "" || !r.NamesSubagents()) && strings.Contains(r.First(), mark)
	}}
}

// hand returns the call that passes a delegation to a subagent.
func (s *stage) hand(task string) model.Call {
	return s.Spawn(worker[s.host], "delegation/give-"+task+": do your part")
}

// afterSubagents returns a step that is played once subagents have sent the given texts and that checks for
// these texts.
func (s *stage) afterSubagents(step model.Step, said ...string) model.Step {
	if w, ok := s.Session.(clients.Waiter); ok {
		step.Until, step.WaitTurn = said, model.Turn{Calls: []model.Call{w.Wait()}}
	}
	return step.Looking(wantTexts(said...))
}

// delegatedTools tests that a subagent is told its delegation and can use only the tools that the
// delegation names.
func delegatedTools(s *stage) {
	housePlan(s)
	s.write("src/plan.txt", "a roof\n") // Copilot creates no folders
	handOver(s, "roof", "write", "read")
	s.prompt("split the work",
		delegate("delegation/give-roof",
			model.Use(s.Shell("echo sneaked > src/sneaked.txt")).Looking(wantTexts("What roof needs")),
			model.Use(s.Write("src/roof.txt", "roof\n")).Wanting("GOVERNANCE BLOCK", "give-roof", "does not allow that tool"),
			model.Say("The roof is on.").Rejecting("GOVERNANCE BLOCK")),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.hand("roof")),
			s.afterSubagents(model.Say("Good."), "The roof is on."),
		}})
	s.wantFile("src/roof.txt", "roof\n")
	s.wantNoFile("src/sneaked.txt")
	s.wantCheckpoint("roof", "src/roof.txt", "sneaked")
}

// levels is the largest allowed depth of delegation.
const levels = 3

// nestedDelegates tests agents that delegate to other agents, each with its own delegation, three
// levels deep. A fourth delegation must be refused, and no subagent may be started for it.
func nestedDelegates(s *stage) {
	housePlan(s)
	s.must(s.editSpec(".idumb/roles/solo.json", map[string]any{"delegatesTo": []string{"mason1"}}))
	// Here, the clients' built-in agents belong to no role, so they act in the role that a
	// delegation gives them. The shipped executor role cannot delegate.
	s.must(s.editSpec(".idumb/roles/executor.json", map[string]any{"agents": []string{}}))
	s.must(s.editSpec(".idumb/config.json", map[string]any{"taskLevels": levels + 1}))
	for n := 1; n <= levels+1; n++ {
		s.write(fmt.Sprintf(".idumb/roles/mason%d.json", n), fmt.Sprintf(`{"spec": {"mode": "all", "delegatesTo": ["mason%d"]}}`, min(n, levels)+1))
		args := []string{"create", "task", fmt.Sprintf("floor%d", n), "--plan", "house", "--title", "A floor", "--expect", "A floor"}
		if n > 1 { // a subagent can only delegate parts of its own task
			args = append(args, "--parent", fmt.Sprintf("floor%d", n-1))
		}
		s.idumb(args...)
		s.idumb("start", fmt.Sprintf("floor%d", n))
	}
	s.idumb("trust") // needed because the roles were changed by hand
	lanes := []model.Lane{}
	for n := 1; n < levels; n++ {
		lanes = append(lanes, delegate(fmt.Sprintf("delegation/floor%d", n), s.handOn(n+1, fmt.Sprintf("Level %d ends.", n))...))
	}
	fourth := delegate(fmt.Sprintf("delegation/floor%d", levels+1), model.Say("I run.").Looking(func(*model.Request) error {
		return errors.New("unexpected request at a fourth level")
	}))
	fourth.Optional = true
	lanes = append(lanes, fourth,
		delegate(fmt.Sprintf("delegation/floor%d", levels),
			model.Use(s.assign(levels+1)),
			model.Use(s.level(levels+1)).Wanting("3").Looking(wantRefusal),
			model.Say("Level 3 ends.").Looking(wantRefusal)),
		model.Lane{Name: "main", Steps: s.handOn(1, "Good.")})
	s.prompt("split the work", lanes...)
	_, err := s.command(s.program("idumb"), "get", "delegation", fmt.Sprintf("floor%d", levels+1))
	s.check(err != nil, "a fourth hand-over was made")
}

// handOn returns the steps of an agent that delegates a level to its own subagent.
func (s *stage) handOn(n int, end string) []model.Step {
	return []model.Step{
		model.Use(s.assign(n)),
		model.Use(s.level(n)).Wanting(`"status":"success"`, fmt.Sprintf("delegation/floor%d", n)),
		s.afterSubagents(model.Say(end).Rejecting("GOVERNANCE BLOCK"), fmt.Sprintf("Level %d ends.", n)),
	}
}

// assign returns the call that creates the delegation of a level, and level returns the call that
// starts its subagent.
func (s *stage) assign(n int) model.Call {
	return s.Own("govern_delegate", map[string]any{
		"action": "assign", "task": fmt.Sprintf("floor%d", n), "to": fmt.Sprintf("mason%d", n), "name": fmt.Sprintf("floor%d", n),
	})
}

func (s *stage) level(n int) model.Call {
	return s.Spawn(worker[s.host], fmt.Sprintf("delegation/floor%d: do your part", n))
}

// wantRefusal checks that the last call was refused by idumb, or by a client that limits the depth of
// its agents itself.
func wantRefusal(r *model.Request) error {
	for _, said := range []string{"GOVERNANCE BLOCK", `"status":"error"`, "No such tool available: Agent", "depth limit"} {
		if strings.Contains(r.New(), said) {
			return nil
		}
	}
	return errors.New("was not refused at the last level, but: " + strings.TrimSpace(r.New()))
}

// recalledDelegate tests that all further calls of a subagent are denied after its delegation is
// recalled, and that it can still end its turn.
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
			s.afterSubagents(model.Say("Good."), "I hand back."),
		}})
	s.wantFile("src/door.txt", "door\n")
	s.wantNoFile("src/bell.txt")
	s.wantPhase("task/door", "active")
}

// delegatesAtOnce tests two subagents that write at the same time, each for its own task.
func delegatesAtOnce(s *stage) {
	housePlan(s)
	handOver(s, "roof")
	handOver(s, "door")
	both := newMeeting(2)
	part := func(task string) model.Lane {
		return delegate("delegation/give-"+task,
			model.Use(s.Write("src/"+task+".txt", task+"\n")).Looking(wantTexts("What "+task+" needs")).Doing(both.wait),
			model.Say("Part "+task+" is done.").Rejecting("GOVERNANCE BLOCK"))
	}
	s.prompt("split the work", part("roof"), part("door"),
		model.Lane{Name: "main", Steps: []model.Step{
			model.Use(s.hand("roof"), s.hand("door")),
			s.afterSubagents(model.Say("Good."), "Part roof is done.", "Part door is done."),
		}})
	s.wantFile("src/roof.txt", "roof\n")
	s.wantFile("src/door.txt", "door\n")
	s.wantCheckpoint("roof", "src/roof.txt", "src/door.txt")
	s.wantCheckpoint("door", "src/door.txt", "src/roof.txt")
}
