//go:build !unix

package demo

import "os"

// interrupt ends a process: there is no signal to send here.
func interrupt(p *os.Process) error { return p.Kill() }
