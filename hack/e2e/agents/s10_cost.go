package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// costScenarios returns the scenarios that measure the cost of governance. They compare the
// bytes that are sent to the model for the same day's work with and without idumb. The result
// depends little on the tokenizer, because most of both inputs is prose, code and JSON.
func costScenarios() []scenario {
	return []scenario{
		{id: "10.1", title: "cost of turns with an active plan and without denials", play: plannedCost},
		{id: "10.2", title: "cost of turns without a plan and without denials", play: plainCost},
	}
}

const (
	turnsOfTask = 3 // turns for each task of the plan
	// mostPlanned and mostPlain are the largest allowed shares of the input that idumb adds, in
	// percent. mostPlanned is the goal for fifteen turns with a plan. The one turn that is held weighs
	// more in fewer turns, see shareOfHold. mostPlain is slightly more
	// than the share of six turns without a plan, most of which are tool definitions. A share can
	// be negative if the outputs of finished tasks are removed from old messages.
	mostPlanned, mostPlain = 12.0, 8.0
)

// plannedCost measures a plan of sequential tasks with three turns each.
func plannedCost(s *stage) {
	s.idumb("create", "workplan", "site", "--title", "A site", "--accept", "All pages are up", "--state", "active")
	for i := range s.crew.turns / turnsOfTask {
		args := []string{"create", "task", pageTask(i), "--plan", "site", "--title", fmt.Sprintf("Write chapter %d", i), "--expect", "Three pages that pass the test"}
		if i > 0 {
			args = append(args, "--depends-on", pageTask(i-1))
		}
		s.idumb(args...)
	}
	held := 0
	if s.host == "opencode" { // opencode run ends with the turn
		held = -1
	}
	with := s.day(s.actor, held, func(turn int, test string) (before, testing []model.Call) {
		task := pageTask(turn / turnsOfTask)
		switch turn % turnsOfTask {
		case 0:
			before = append(before, s.Own("govern_task", map[string]any{"task": task, "action": "start"}))
		case turnsOfTask - 1:
			return nil, []model.Call{s.Shell("idumb run --complete " + task + " -- " + test)}
		}
		return before, []model.Call{s.Shell(test)}
	})
	for i := range s.crew.turns / turnsOfTask {
		s.wantPhase("task/"+pageTask(i), "completed")
	}
	s.compareCost(with, mostPlanned+shareOfHold(s.crew.turns))
}

// shareOfHold returns the share of the one further request of a held turn, in percent, beyond its share in fifteen turns
// of four requests.
func shareOfHold(turns int) float64 { return max(0, 100/float64(4*turns)-100.0/(4*15)) }

// plainCost measures a day without a plan.
func plainCost(s *stage) {
	s.compareCost(s.day(s.actor, -1, s.ungoverned), mostPlain)
}

// ungoverned returns the calls of a turn that uses none of idumb's tools.
func (s *stage) ungoverned(_ int, test string) (before, testing []model.Call) {
	return nil, []model.Call{s.Shell(test)}
}

func pageTask(i int) string { return fmt.Sprintf("chapter-%d", i) }

// compareCost runs the day again with idumb uninstalled and reports the share of the bytes sent to
// the model that idumb added.
func (s *stage) compareCost(with int, most float64) {
	s.stopController()
	s.idumb("uninstall")
	s.must(errors.Join(os.RemoveAll(s.path(".idumb")), os.RemoveAll(s.path("pages"))))
	plain, err := s.join(s.client(), 0)
	s.must(err)
	without := s.day(plain, -1, s.ungoverned)
	share := 100 * float64(with-without) / float64(with)
	s.measure("%.1f %% of %d KB", share, with/1024)
	s.check(share <= most, "idumb's share of the input is %.1f %% of %d bytes, want at most %.0f", share, with, most)
	s.check(with != without, "with idumb %d bytes were sent, and without it as many: nothing was governed", with)
}

// client returns the main client of the stage.
func (s *stage) client() clients.Client {
	for _, c := range clients.All() {
		if c.Host() == s.host {
			return c
		}
	}
	panic("the stage's client is in no table: " + s.host)
}

// day runs the turns and returns the total number of bytes sent to the model. Each turn reads a
// page, writes the next page, and tests it. The governance calls are made together with the read
// and with the test. The turn held is prolonged once, because its task is still active; -1 for none.
func (s *stage) day(a *actor, held int, governed func(turn int, test string) (before, testing []model.Call)) (sent int) {
	s.write("test.sh", "grep -c line \"$1\"\n")
	s.write("pages/0.md", page(0))
	var prompts []string
	var steps []model.Step
	for turn := range s.crew.turns {
		next := fmt.Sprintf("pages/%d.md", turn+1)
		before, testing := governed(turn, "sh test.sh "+next)
		steps = append(steps,
			model.Use(append(before, a.Read(fmt.Sprintf("pages/%d.md", turn)))...),
			model.Use(a.Write(next, page(turn+1))),
			model.Use(testing...).Rejecting("GOVERNANCE BLOCK"),
			model.Say(fmt.Sprintf("I wrote %s after the page before it; the test counts its lines, and it is as long as the other pages.", next)).
				Rejecting("GOVERNANCE BLOCK"))
		if turn == held {
			steps = append(steps, model.Say("Work is left."))
		}
		prompts = append(prompts, fmt.Sprintf("Write page %d as you wrote the last one, and test that it has as many lines.", turn+1))
	}
	s.play(a, clients.Options{}, prompts, model.Lane{Name: "day", Steps: steps})
	for _, r := range a.model.Requests() {
		sent += len(r.Body)
	}
	return sent
}

// page returns the text that one turn writes and the next turn reads, about 700 tokens.
func page(n int) string {
	var b strings.Builder
	for line := range 40 {
		fmt.Fprintf(&b, "line %d of page %d: the facts for the reader of this chapter, and the pages with the full text\n", line, n)
	}
	return b.String()
}
