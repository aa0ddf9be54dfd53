package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureFanOut completes a task that all others depend on, or reopens it. It measures the time
// until a hook's answer shows the change, and until the last write of the context. The floor is one
// bare reaction.
func measureFanOut(b *bench) ([]Result, error) {
	n := b.size(10_000, 300)
	repo, err := repoWithTasks(b, n, fan)
	if err != nil {
		return nil, err
	}
	k := &backend{repo: repo, tasks: n}
	defer k.end()
	if k.controller, err = repo.StartController(); err != nil {
		return nil, err
	}
	if err := k.ready(); err != nil {
		return nil, err
	}
	floor, err := bareReaction(20)
	if err != nil {
		return nil, err
	}
	var answers, contexts, early, cpu []time.Duration
	for round := range b.size(6, 2) {
		spread, err := k.fanOut(round)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", round, err)
		}
		answers, contexts = append(answers, spread.answer), append(contexts, spread.context)
		early, cpu = append(early, spread.early), append(cpu, spread.cpu)
	}
	row := func(what string, took []time.Duration, goal string) Result {
		return Result{What: fmt.Sprintf("fan-out of %d: %s, p50", n, what), Unit: "ms", Floor: ms(percentile(floor, 50)), Ours: ms(percentile(took, 50)), Goal: goal}
	}
	return []Result{row("a hook's answer", answers, "250 ms"), row("context", contexts, "250 ms"), row("controller's CPU until that answer", early, ""), row("controller's CPU", cpu, "")}, nil
}

// spread contains the times until a change is visible everywhere.
type spread struct{ answer, context, early, cpu time.Duration }

func (k *backend) fanOut(round int) (s spread, err error) {
	finished, pid := round%2 == 0, k.controller.PID()
	settle(pid)
	before, began := processCPU(pid), time.Now()
	if err := finish(k.repo, 0, fan, finished); err != nil {
		return s, err
	}
	if s.answer, err = k.toldNext(round, began, finished); err != nil {
		return s, err
	}
	s.early = processCPU(pid) - before
	settle(pid)
	time.Sleep(300 * time.Millisecond) // longer than any delay of the controller
	settle(pid)
	s.cpu = processCPU(pid) - before
	path := k.repo.Path("context", "context.xml")
	if s.context, err = writtenAfter(began, path); err != nil {
		return s, err
	}
	data, err := os.ReadFile(path)
	if err == nil && !nextIs(string(data), finished) {
		err = fmt.Errorf("%s does not list the next tasks", path)
	}
	return s, err
}

// toldNext starts sessions until one receives the current next tasks.
func (k *backend) toldNext(round int, began time.Time, finished bool) (time.Duration, error) {
	var answer string
	p := k.hook("idumb_context", func(asked int) map[string]any {
		return map[string]any{"session_id": fmt.Sprintf("5d1e7d3e-2f3b-4c9e-9f2c-%06d%06d", round, asked), "hook_event_name": "SessionStart", "source": "startup"}
	})
	p.serves, p.answered = 0, func(said string) { answer = said }
	for asked := 0; time.Since(began) < 30*time.Second; asked++ {
		if _, err := p.run(asked); err != nil {
			return 0, err
		}
		if took := time.Since(began); nextIs(answer, finished) {
			return took, k.forget("*5d1e7d3e*")
		}
	}
	return 0, drive.ErrTimeout
}

// nextIs reports whether a context lists the startable tasks: the first task or, after its
// completion, its dependents. Waiting tasks are listed as blocked.
func nextIs(context string, finished bool) bool {
	lists := func(i int) bool {
		return strings.Contains(context, "- "+taskName(i)) && !strings.Contains(context, "- "+taskName(i)+" [blocked]") && !strings.Contains(context, "- "+taskName(i)+" [completed]")
	}
	return lists(5) == finished && lists(0) != finished
}

// writtenAfter returns the time from a moment to the last write of a file.
func writtenAfter(began time.Time, path string) (time.Duration, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return max(0, info.ModTime().Sub(began)), nil
}
