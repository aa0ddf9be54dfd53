package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// starters are the programs between a host and its hooks, as proc_pid_stat(5) names them.
var starters = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ash": true, "ksh": true, "mksh": true, "fish": true, "busybox": true,
	"env": true, "timeout": true, "nice": true, "nohup": true, "setsid": true, "stdbuf": true, "sudo": true, "doas": true,
}

// look reads what proc_pid_stat(5) has of a process. One that nobody waited for runs no more.
func look(pid int) seen {
	if pid <= 0 {
		return seen{}
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')') // a name may hold anything
	if err != nil || open < 0 || end < open {
		return seen{}
	}
	fields := strings.Fields(string(data[end+1:])) // from the third on
	if len(fields) < 20 {
		return seen{}
	}
	parent, _ := strconv.Atoi(fields[1])
	started, err := strconv.ParseUint(fields[19], 10, 64)
	return seen{pid: pid, parent: parent, started: started, name: string(data[open+1 : end]), runs: err == nil && fields[0] != "Z"}
}

// Namespace names the namespace in which this process's number counts; 0 if that is not known.
// The same number in another one, as of a container, is another process.
func Namespace() uint64 {
	link, _ := os.Readlink("/proc/self/ns/pid") // as pid:[4026531836]
	number, _ := strconv.ParseUint(strings.Trim(link, "pid:[]"), 10, 64)
	return number
}
