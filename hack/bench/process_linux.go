package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU returns the CPU time of a process in nanoseconds, 0 if it has ended. It returns 0 for process 0,
// which stands for none: the clock of process 0 is that of the calling process.
func processCPU(pid int) time.Duration {
	if pid == 0 {
		return 0
	}
	const scheduled = 2 // CPUCLOCK_SCHED: user and system time of all threads
	var at unix.Timespec
	if unix.ClockGettime(int32(^pid)<<3|scheduled, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}
