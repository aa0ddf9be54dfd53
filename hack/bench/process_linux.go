package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processCPU is the CPU time of a process so far, to the nanosecond; 0 if it is gone.
func processCPU(pid int) time.Duration {
	const scheduled = 2 // CPUCLOCK_SCHED: both user's and system's, of all threads
	var at unix.Timespec
	if unix.ClockGettime(int32(^pid)<<3|scheduled, &at) != nil {
		return 0
	}
	return time.Duration(at.Nano())
}
