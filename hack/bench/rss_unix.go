//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// maxRSS is the most memory that the process had, in KB; 0 where the system does not say.
func maxRSS(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(usage.Maxrss) / 1024 // darwin counts bytes
	default:
		return int64(usage.Maxrss)
	}
}
