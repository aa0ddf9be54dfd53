package leases

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// maxPasswd is the maximum number of bytes of /etc/passwd that are read.
const maxPasswd = 1 << 20

// userName returns the name of the current user, independent of the environment.
// It reads passwd(5), because package os/user would link the C library into the
// hook. For an unknown user it returns the number.
func userName() string {
	uid := strconv.Itoa(os.Getuid())
	f, err := os.Open("/etc/passwd")
	if err != nil {
		return "user " + uid
	}
	defer f.Close()
	for lines := bufio.NewScanner(io.LimitReader(f, maxPasswd)); lines.Scan(); {
		if fields := strings.SplitN(lines.Text(), ":", 4); len(fields) == 4 && fields[2] == uid && fields[0] != "" {
			return fields[0]
		}
	}
	return "user " + uid
}
