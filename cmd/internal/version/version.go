// Package version returns the version of the running program. All programs of iDumb compare their
// versions when they communicate.
package version

import "runtime/debug"

// Current returns the module's version as recorded by the Go command: the tag after go install, a
// pseudo-version with the commit after a build in a checkout, "(devel)" after a build without git,
// and "unknown" if nothing was recorded.
func Current() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
