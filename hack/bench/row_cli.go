package main

import (
	"fmt"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureCommands takes the CPU time and memory of the commands that people and
// agents call most, at 1,000 and 10,000 tasks, with no controller running. The
// floor is an empty Go program.
func measureCommands(b *bench) ([]Result, error) {
	var results []Result
	for _, size := range []struct {
		n    int
		goal string
	}{{1000, "10 ms CPU, 25 MB"}, {b.size(10_000, 2000), "60 ms CPU"}} {
		r, err := commandsAt(b, size.n, size.goal)
		if err != nil {
			return nil, err
		}
		results = append(results, r...)
	}
	return results, nil
}

// start makes the first n tasks active by hand.
func start(repo *drive.Repo, n int) error {
	for i := range n {
		spec := taskSpec(i, mixed)
		spec["state"] = "active"
		if err := repo.ReplaceTask(taskName(i), spec); err != nil {
			return err
		}
	}
	return nil
}

func commandsAt(b *bench, n int, goal string) ([]Result, error) {
	repo, err := repoWithTasks(b, n, mixed)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	idumb := func(args ...string) process { return process{path: b.bin.Path("idumb"), args: args, dir: repo.Dir} }
	commands := []process{
		{path: b.empty},
		idumb("get", "tasks"), idumb("next"), idumb("describe", "task", taskName(7)),
		idumb("create", "task", "--plan", "bench", "--title", "One more", "--expect", "It is there", "-o", "name"),
		idumb("__complete", "get", "task", "task-0000"),
		idumb("complete", "--evidence", "it is there"),
	}
	commands[6].each = func(round int) []string { return []string{taskName(3*round + 1)} } // none of them waits for another
	if err := start(repo, 3*(b.size(20, 3)+1)); err != nil {
		return nil, err
	}
	costs, err := interleave(b.size(20, 3), commands...)
	if err != nil {
		return nil, err
	}
	var results []Result
	for i, c := range costs[1:] {
		what := commands[i+1].args[0]
		if what == "__complete" {
			what = "complete a name"
		}
		results = append(results,
			Result{What: fmt.Sprintf("%s at %d tasks, CPU", what, n), Unit: "ms", Floor: ms(costs[0].cpu), Ours: ms(c.cpu), Goal: goal},
			Result{What: fmt.Sprintf("%s at %d tasks, wall", what, n), Unit: "ms", Floor: ms(costs[0].wall), Ours: ms(c.wall), Goal: "150 ms"},
			Result{What: fmt.Sprintf("%s at %d tasks, memory", what, n), Unit: "MB", Floor: float64(costs[0].rssKB) / 1024, Ours: float64(c.rssKB) / 1024, Goal: "25 MB at 1,000"})
	}
	return results, nil
}
