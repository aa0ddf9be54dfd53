// Package version says which version the running program is: one answer for all of iDumb's programs,
// which compare theirs when they speak with each other.
package version

import "runtime/debug"

// Of is the module's version as the Go command recorded it: the tag for a program that go install
// made, a pseudo-version with the commit for one built in a checkout, "(devel)" for one built without
// knowing of git, and "unknown" where nothing was recorded.
func Of() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "unknown"
}
