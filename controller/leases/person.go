package leases

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
)

// maxPasswd is how much of /etc/passwd is looked through, in bytes.
const maxPasswd = 1 << 20

// person is the name of the user that this process acts as, whatever its environment says: from
// passwd(5), for package os/user would link the C library into the hook. One that is not on file
// is called by its number.
func person() string {
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
