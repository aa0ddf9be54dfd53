//go:build unix && !darwin && !ios

package trust

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// AccountHome returns the home directory of the current user according to the
// system, independent of HOME. It returns "" if there is none. It reads
// /etc/passwd, see passwd(5), because package os/user would link the C library
// into the hook. Network accounts are not found.
func AccountHome() string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	return homeIn(f, os.Geteuid())
}

// homeIn returns the home directory of a user in a file in the format of
// passwd(5), or "".
func homeIn(passwd io.Reader, uid int) string {
	const home, uidField, fields = 5, 2, 7
	want := strconv.Itoa(uid)
	for lines := bufio.NewScanner(io.LimitReader(passwd, maxRecord)); lines.Scan(); {
		f := strings.Split(lines.Text(), ":")
		if len(f) == fields && f[uidField] == want && filepath.IsAbs(f[home]) {
			return filepath.Clean(f[home])
		}
	}
	return ""
}
