//go:build !linux

package main

import (
	"errors"
	"time"
)

// processCPU is 0: another process's CPU time is not asked for here.
func processCPU(int) time.Duration { return 0 }

// pause is not done here.
func pause(int, bool) error { return errors.ErrUnsupported }
