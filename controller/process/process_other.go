//go:build !linux

package process

import "github.com/idumb-dev/idumb/resources"

var starters map[string]bool

// Of cannot tell on this system.
func Of(int) (resources.Process, bool) { return resources.Process{}, false }

func parentOf(int) (parent int, name string) { return 0, "" }

// Namespace is not known on this system.
func Namespace() uint64 { return 0 }
