package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureFanOut completes a task for which all others wait, or opens it again, and times until the
// hints and the context were written for the last time. The floor is one bare reaction.
func measureFanOut(b *bench) ([]Result, error) {
	n := b.size(10_000, 300)
	repo, err := repoWithTasks(b, n, fan)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	c, err := repo.StartController()
	if err != nil {
		return nil, err
	}
	defer c.Kill()
	if err := allStatuses(repo, n); err != nil {
		return nil, err
	}
	floor, err := bareReaction(20)
	if err != nil {
		return nil, err
	}
	var hints, contexts, early, cpu []time.Duration
	for round := range b.size(6, 2) {
		spread, err := fanOut(repo, c.PID(), round%2 == 0)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", round, err)
		}
		hints, contexts = append(hints, spread.hints), append(contexts, spread.context)
		early, cpu = append(early, spread.early), append(cpu, spread.cpu)
	}
	row := func(what string, took []time.Duration, goal string) Result {
		return Result{What: fmt.Sprintf("fan-out of %d: %s, p50", n, what), Unit: "ms", Floor: ms(percentile(floor, 50)), Ours: ms(percentile(took, 50)), Goal: goal}
	}
	return []Result{row("hints", hints, "250 ms"), row("context", contexts, "250 ms"), row("controller's CPU until hints", early, ""), row("controller's CPU", cpu, "")}, nil
}

// spread is what it takes until many know of one change.
type spread struct{ hints, context, early, cpu time.Duration }

func fanOut(repo *drive.Repo, pid int, finished bool) (s spread, err error) {
	const first = `"ready":["` // of the hints: the best of those that are ready
	right := first + taskName(0) + `"]`
	if finished {
		right = first + taskName(5) + `","` + taskName(10) + `"`
	}
	settle(pid)
	before, began := processCPU(pid), time.Now()
	if err := finish(repo, 0, fan, finished); err != nil {
		return s, err
	}
	if _, err := until(began, func() bool {
		hints, err := os.ReadFile(repo.Path("context", "hints.json"))
		return err == nil && strings.Contains(string(hints), right)
	}); err != nil {
		return s, fmt.Errorf("hints with %s: %w", right, err)
	}
	s.early = processCPU(pid) - before
	settle(pid)
	time.Sleep(300 * time.Millisecond) // more than any pause that the controller makes
	settle(pid)
	s.cpu = processCPU(pid) - before
	if s.hints, err = writtenAfter(began, repo.Path("context", "hints.json")); err != nil {
		return s, err
	}
	s.context, err = writtenAfter(began, repo.Path("context", "context.xml"))
	return s, err
}

// writtenAfter is how long after a moment a file was written for the last time.
func writtenAfter(began time.Time, path string) (time.Duration, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return max(0, info.ModTime().Sub(began)), nil
}
