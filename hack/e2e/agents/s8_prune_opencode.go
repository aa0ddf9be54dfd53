package main

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// fullAlmost is how full a window is that will soon be compacted, but is not split yet,
// in tokens.
const fullAlmost = fullWindow * 78 / 100

// prunedOutputs: what tools put out for a task that is completed is left out of the
// conversation; what they put out for the task at hand is not. A conversation that is
// about to be compacted is left alone: its summary is better for having seen it all.
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
		s.check(strings.Contains(last.All(), "task dig, which is completed"), "nothing is said in the place of what was left out")
	})
}

// logs are steps that each put out a long text, and say of themselves how full the
// window is.
func (s *stage) logs(name string, tokens int) []model.Step {
	var steps []model.Step
	for i := range 4 {
		steps = append(steps, model.Use(s.Shell(fmt.Sprintf("yes '%s-%d is what this line tells' | head -n 400", name, i))).Reporting(tokens))
	}
	return steps
}

// filler are steps that put out next to nothing: the last messages are never touched.
func filler(n, tokens int) []model.Step {
	var steps []model.Step
	for range n {
		steps = append(steps, model.Use(model.Call{Tool: "glob", Input: map[string]any{"pattern": "*.none"}}).Reporting(tokens))
	}
	return steps
}

// checkStands checks whether all long texts of a task stand in a request.
func (s *stage) checkStands(r *model.Request, name string, want bool) {
	for i := range 4 {
		line := fmt.Sprintf("%s-%d is what this line tells\\n%s-%d", name, i, name, i)
		got := strings.Contains(string(r.Body), line)
		s.check(got == want, "request %d: that the output %s-%d stands in it is %t, want %t", r.N, name, i, got, want)
	}
}
