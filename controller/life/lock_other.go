//go:build !unix

package life

import "os"

// lock cannot lock here without another library: of two controllers that are started at once
// the second finds the lease taken, and ends.
func lock(*os.File) error { return nil }

// Keep has nothing to do: only handles that are named are inherited.
func Keep() {}
