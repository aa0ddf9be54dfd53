package trust

import (
	"os/user"
	"path/filepath"
)

// AccountHome returns the home directory of the current user according to the
// system, independent of HOME. It returns "" if there is none. On this system
// package os/user uses a library that every program links anyway.
func AccountHome() string {
	u, err := user.Current()
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
