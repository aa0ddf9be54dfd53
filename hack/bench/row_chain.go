package main

import (
	"fmt"
	"time"
)

// measureChain completes the tasks of a chain one after the other and times each
// step until the next task's status is ready: the cost must not grow with the
// length of the chain. The floor of a chain is the same step in a chain of 100.
func measureChain(b *bench) ([]Result, error) {
	var results []Result
	var floor time.Duration
	for _, n := range []int{100, b.size(1000, 300), b.size(10_000, 600)} {
		step, cpu, err := chainStep(b, n)
		if err != nil {
			return nil, err
		}
		if floor == 0 {
			floor = step
		}
		results = append(results,
			Result{What: fmt.Sprintf("one step in a chain of %d tasks, p50", n), Unit: "ms", Floor: ms(floor), Ours: ms(step), Goal: "flat"},
			Result{What: fmt.Sprintf("controller's CPU per step, chain of %d", n), Unit: "ms", Ours: ms(cpu), Goal: "flat"})
	}
	return results, nil
}

func chainStep(b *bench, n int) (step, cpu time.Duration, err error) {
	repo, err := repoWithTasks(b, n, chain)
	if err != nil {
		return 0, 0, err
	}
	defer repo.Remove()
	c, err := repo.StartController()
	if err != nil {
		return 0, 0, err
	}
	defer c.Kill()
	if err := allStatuses(repo, n); err != nil {
		return 0, 0, err
	}
	time.Sleep(500 * time.Millisecond) // what the start left to do is not the steps' cost
	var took []time.Duration
	steps := min(n-1, b.size(100, 20))
	cpuBefore := processCPU(c.PID())
	for i := range steps {
		began := time.Now()
		if err := complete(repo, i, chain); err != nil {
			return 0, 0, err
		}
		d, err := until(began, func() bool {
			s, err := repo.Status("tasks", taskName(i+1))
			return err == nil && s["ready"] == true
		})
		if err != nil {
			return 0, 0, fmt.Errorf("step %d of %d: %w", i, n, err)
		}
		took = append(took, d)
		time.Sleep(5 * time.Millisecond)
	}
	return percentile(took, 50), (processCPU(c.PID()) - cpuBefore) / time.Duration(steps), nil
}
