package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// costScenarios is the table of what governance costs: the same day's work with
// idumb and without it, by the bytes that were sent to the model. The share hardly
// depends on the tokenizer, for most of both is prose, code and JSON.
func costScenarios() []scenario {
	return []scenario{
		{id: "10.1", title: "turns at a plan, and nothing is denied: what they cost", play: plannedCost},
		{id: "10.2", title: "turns with nothing planned, and nothing is denied: what they cost", play: plainCost},
	}
}

const (
	turnsOfTask = 3 // turns that one task of the plan takes
	// mostPlanned and mostPlain are the largest shares of the input, in per cent, that are let
	// pass: the goal of fifteen turns at a plan, and what six turns reach with nothing planned, of
	// which the definitions of tools are most, and a little. It may be less than nothing where the
	// outputs of finished tasks are left out of old messages.
	mostPlanned, mostPlain = 12.0, 8.0
)

// plannedCost: a plan of tasks one after the other, each of three turns.
func plannedCost(s *stage) {
	s.idumb("create", "workplan", "site", "--title", "A site", "--accept", "All pages are up", "--state", "active")
	for i := range s.crew.turns / turnsOfTask {
		args := []string{"create", "task", pageTask(i), "--plan", "site", "--title", fmt.Sprintf("Write chapter %d", i), "--expect", "Three pages that pass the test"}
		if i > 0 {
			args = append(args, "--depends-on", pageTask(i-1))
		}
		s.idumb(args...)
	}
	with := s.day(s.actor, func(turn int, test string) (before, testing []model.Call) {
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
	s.compareCost(with, mostPlanned)
}

// plainCost: nothing is planned, and the agent is asked for nothing but its work.
func plainCost(s *stage) {
	s.compareCost(s.day(s.actor, s.ungoverned), mostPlain)
}

// ungoverned is a day on which no tool of idumb's is called.
func (s *stage) ungoverned(_ int, test string) (before, testing []model.Call) {
	return nil, []model.Call{s.Shell(test)}
}

func pageTask(i int) string { return fmt.Sprintf("chapter-%d", i) }

// compareCost plays the day once more where idumb is uninstalled, and says which share
// of what the model was sent with idumb it was not sent now.
func (s *stage) compareCost(with int, most float64) {
	s.stopController()
	s.idumb("uninstall")
	s.must(errors.Join(os.RemoveAll(s.path(".idumb")), os.RemoveAll(s.path("pages"))))
	plain, err := s.join(s.client(), 0)
	s.must(err)
	without := s.day(plain, s.ungoverned)
	share := 100 * float64(with-without) / float64(with)
	s.say("%.1f %% of %d KB", share, with/1024)
	s.check(share <= most, "idumb's share of the input is %.1f %% of %d bytes, want at most %.0f", share, with, most)
	s.check(with != without, "with idumb %d bytes were sent, and without it as many: nothing was governed", with)
}

// client is the kind of the stage's main client.
func (s *stage) client() clients.Client {
	for _, c := range clients.All() {
		if c.Host() == s.host {
			return c
		}
	}
	panic("the stage's client is in no table: " + s.host)
}

// day plays the turns and returns how many bytes the model was sent in all. A turn reads a
// page, writes the next one, and tests it; what governs goes with the reading and the test.
func (s *stage) day(a *actor, governed func(turn int, test string) (before, testing []model.Call)) (sent int) {
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
			model.Say(fmt.Sprintf("I wrote %s after the page before it; the test counts its lines, and it is as long as the others.", next)).
				Rejecting("GOVERNANCE BLOCK"))
		prompts = append(prompts, fmt.Sprintf("Write page %d as you wrote the last one, and test that it has as many lines.", turn+1))
	}
	s.play(a, clients.Options{}, prompts, model.Lane{Name: "day", Steps: steps})
	for _, r := range a.model.Requests() {
		sent += len(r.Body)
	}
	return sent
}

// page is what one turn writes and the next one reads: about 700 tokens.
func page(n int) string {
	var b strings.Builder
	for line := range 40 {
		fmt.Fprintf(&b, "line %d of page %d: what the reader of this chapter has to know, and where it is said at length\n", line, n)
	}
	return b.String()
}
