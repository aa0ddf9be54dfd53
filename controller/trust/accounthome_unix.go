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

// AccountHome is the home folder that the system has on file for the user this process
// acts as, whatever HOME says; "" if it has none. It reads /etc/passwd, see passwd(5):
// package os/user would link the C library into the hook. Accounts that come over the
// network are not found.
func AccountHome() string {
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return ""
	}
	defer f.Close()
	return homeIn(f, os.Geteuid())
}

// homeIn looks a user up in a file of the form of passwd(5).
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
