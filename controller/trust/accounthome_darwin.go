package trust

import (
	"os/user"
	"path/filepath"
)

// AccountHome is the home folder that the system has on file for the user this process
// acts as, whatever HOME says; "" if it has none. Here package os/user asks a library
// that every program links anyway.
func AccountHome() string {
	u, err := user.Current()
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
