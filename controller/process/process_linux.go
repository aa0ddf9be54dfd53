package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// starters lists programs that may run between a host and its hooks, by their
// names in proc_pid_stat(5).
var starters = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ash": true, "ksh": true, "mksh": true, "fish": true, "busybox": true,
	"env": true, "timeout": true, "nice": true, "nohup": true, "setsid": true, "stdbuf": true, "sudo": true, "doas": true,
}

// look reads proc_pid_stat(5) of a process. A zombie counts as ended.
func look(pid int) seen {
	if pid <= 0 {
		return seen{}
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')') // a name may contain any characters
	if err != nil || open < 0 || end < open {
		return seen{}
	}
	fields := strings.Fields(string(data[end+1:])) // starting with the third field
	if len(fields) < 20 {
		return seen{}
	}
	parent, _ := strconv.Atoi(fields[1])
	started, err := strconv.ParseUint(fields[19], 10, 64)
	return seen{pid: pid, parent: parent, started: started, name: string(data[open+1 : end]), runs: err == nil && fields[0] != "Z"}
}

// Namespace identifies the PID namespace of this process; 0 if unknown. The
// same PID in another namespace, such as a container, is another process.
func Namespace() uint64 {
	link, _ := os.Readlink("/proc/self/ns/pid") // such as pid:[4026531836]
	number, _ := strconv.ParseUint(strings.Trim(link, "pid:[]"), 10, 64)
	return number
}
