//go:build !linux

package kube

import "net"

// processAt returns false, because this system does not report it.
func processAt(net.Conn) (pid int, known bool) { return 0, false }
