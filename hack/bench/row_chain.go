package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureChain completes the tasks of a chain one after the other. For each step it measures the
// time until the next task's status is ready, and the controller's CPU time: neither must grow with
// the length of the chain. The floor is the same step in a chain of 100.
func measureChain(b *bench) ([]Result, error) {
	var results []Result
	var first []time.Duration
	for _, n := range []int{100, b.size(1000, 200), b.size(10_000, 300)} {
		took, cpu, err := chainSteps(b, n)
		if err != nil {
			return nil, err
		}
		step := []time.Duration{percentile(took, 50), percentile(cpu, 50)}
		if first == nil {
			first = step
		}
		results = append(results,
			Result{What: fmt.Sprintf("one step in a chain of %d, p50", n), Unit: "ms", Floor: ms(first[0]), Ours: ms(step[0]), Goal: "flat"},
			Result{What: fmt.Sprintf("one step in a chain of %d, controller's CPU", n), Unit: "ms", Floor: ms(first[1]), Ours: ms(step[1]), Goal: "2 ms, flat"})
	}
	return results, nil
}

func chainSteps(b *bench, n int) (took, cpu []time.Duration, err error) {
	repo, err := repoWithTasks(b, n, chain)
	if err != nil {
		return nil, nil, err
	}
	defer repo.Remove()
	c, err := repo.StartController()
	if err != nil {
		return nil, nil, err
	}
	defer c.Kill()
	if err := allStatuses(repo, n); err != nil {
		return nil, nil, err
	}
	for i := range min(n-1, b.size(60, 10)) {
		settle(c.PID())
		before, began := processCPU(c.PID()), time.Now()
		if err := complete(repo, i, chain); err != nil {
			return nil, nil, err
		}
		d, err := until(began, readyIs(repo, taskName(i+1), true))
		if err != nil {
			return nil, nil, fmt.Errorf("step %d of %d: %w", i, n, err)
		}
		settle(c.PID())
		took, cpu = append(took, d), append(cpu, processCPU(c.PID())-before)
	}
	return took, cpu, nil
}

// readyIs returns a function that reports whether a task's status has the given readiness.
func readyIs(repo *drive.Repo, name string, ready bool) func() bool {
	return func() bool {
		s, err := repo.Status("tasks", name)
		return err == nil && s["ready"] == ready
	}
}

// measureIdle looks at a controller while nothing happens.
func measureIdle(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	time.Sleep(12 * time.Second) // the last heartbeat of the busy time is written after 10 s
	settle(k.controller.PID())
	window := time.Duration(b.size(20, 3)) * time.Second
	pid := k.controller.PID()
	cpu, wakeups := processCPU(pid), switches(pid)
	time.Sleep(window)
	return []Result{
		{What: fmt.Sprintf("idle controller, CPU in %s, %s", window, k), Unit: "ms", Ours: ms(processCPU(pid) - cpu), Goal: "0"},
		{What: fmt.Sprintf("idle controller, wakeups in %s", window), Unit: "", Ours: float64(switches(pid) - wakeups), Goal: "0 from polling"},
	}, nil
}

// switches sums the voluntary context switches of all threads of a process: each
// is a thread that woke up and went to sleep again.
func switches(pid int) int64 {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return 0
	}
	var sum int64
	for _, thread := range threads {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/status", pid, thread.Name()))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(data)) {
			var n int64
			if rest, ok := strings.CutPrefix(line, "voluntary_ctxt_switches:"); ok {
				fmt.Sscan(rest, &n)
				sum += n
			}
		}
	}
	return sum
}
