package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

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
