package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// clockTick is what /proc/PID/stat counts CPU time in: USER_HZ, 100 on every Linux.
const clockTick = 10 * time.Millisecond

// measureIdle looks at a controller over 100 tasks while nothing happens.
func measureIdle(b *bench) ([]Result, error) {
	repo, err := repoWithTasks(b, 100, mixed)
	if err != nil {
		return nil, err
	}
	defer repo.Remove()
	c, err := repo.StartController()
	if err != nil {
		return nil, err
	}
	defer c.Kill()
	if err := allStatuses(repo, 100); err != nil {
		return nil, err
	}
	time.Sleep(12 * time.Second) // the last heartbeat of the busy time is written after 10 s
	window := time.Duration(b.size(20, 3)) * time.Second
	cpu, wakeups := processCPU(c.PID()), switches(c.PID())
	time.Sleep(window)
	return []Result{
		{What: fmt.Sprintf("idle controller, CPU in %s", window), Unit: "ms", Ours: ms(processCPU(c.PID()) - cpu), Goal: "0.0 % CPU"},
		{What: fmt.Sprintf("idle controller, wakeups in %s", window), Unit: "", Ours: float64(switches(c.PID()) - wakeups), Goal: "0 from polling"},
	}, nil
}

// processCPU is the CPU time of a process so far, to 10 ms; 0 without a /proc.
func processCPU(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	// The name in parentheses may hold spaces; what we need comes after it.
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	var user, system int64
	fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	return time.Duration(user+system) * clockTick
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
