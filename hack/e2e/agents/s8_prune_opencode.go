package main

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// fullAlmost is the number of tokens in a window that will be compacted soon but is not split yet.
const fullAlmost = fullWindow * 78 / 100

// prunedOutputs tests that tool outputs of completed tasks are removed from the conversation and
// that outputs of the current task are kept. A conversation that will be compacted soon is not
// changed, because its summary is better if it includes all outputs.
func prunedOutputs(s *stage) {
	workPlan(s)
	s.idumb("create", "task", "sow", "--plan", "garden", "--title", "Sow", "--expect", "Seeds")
	s.serve(clients.Options{}, func(v *served) {
		full := v.open()
		s.idumb("start", "dig")
		requests := v.turn(full, "dig", mainLane(append(s.logs("full", fullAlmost), model.Say("So far.").Reporting(fullAlmost))...))
		s.checkStands(requests[len(requests)-1], "full", true)

		session := v.open()
		v.turn(session, "dig", mainLane(append(s.logs("dig", 0), model.Say("So far."))...))
		s.idumb("complete", "dig", "--evidence", "a bed")
		s.idumb("start", "sow")
		late := v.turn(full, "go on", mainLane(append(filler(4, fullAlmost), model.Say("Yes.").Reporting(fullAlmost))...))
		s.checkStands(late[len(late)-1], "full", true)

		requests = v.turn(session, "sow", mainLane(append(s.logs("sow", 0), append(filler(4, 0), model.Say("Sown."))...)...))
		last := requests[len(requests)-1]
		s.checkStands(last, "dig", false)
		s.checkStands(last, "sow", true)
		s.check(strings.Contains(last.All(), "task dig, which is completed"), "no text replaces the removed output")
	})
}

// logs returns steps that each print a long text and report how full the window is.
func (s *stage) logs(name string, tokens int) []model.Step {
	var steps []model.Step
	for i := range 4 {
		steps = append(steps, model.Use(s.Shell(fmt.Sprintf("yes '%s-%d is what this line tells' | head -n 400", name, i))).Reporting(tokens))
	}
	return steps
}

// filler returns steps that print almost nothing. They are needed because the last messages are
// never pruned.
func filler(n, tokens int) []model.Step {
	var steps []model.Step
	for range n {
		steps = append(steps, model.Use(model.Call{Tool: "glob", Input: map[string]any{"pattern": "*.none"}}).Reporting(tokens))
	}
	return steps
}

// checkStands checks whether a request contains all long texts of a task, or none of them if want
// is false.
func (s *stage) checkStands(r *model.Request, name string, want bool) {
	for i := range 4 {
		line := fmt.Sprintf("%s-%d is what this line tells\\n%s-%d", name, i, name, i)
		got := strings.Contains(string(r.Body), line)
		s.check(got == want, "request %d: contains the output %s-%d is %t, want %t", r.N, name, i, got, want)
	}
}
