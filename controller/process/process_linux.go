package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// starters are the programs between a host and its hooks, as proc_pid_stat(5) names them.
var starters = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ash": true, "ksh": true, "mksh": true, "fish": true, "busybox": true,
	"env": true, "timeout": true, "nice": true, "nohup": true, "setsid": true, "stdbuf": true, "sudo": true, "doas": true,
}

// Of names the process that has a number now; false if there is none.
func Of(pid int) (resources.Process, bool) {
	fields, _ := stat(pid)
	if len(fields) < 20 || fields[0] == "Z" {
		return resources.Process{}, false
	}
	started, err := strconv.ParseUint(fields[19], 10, 64) // field 22, counted from the third
	return resources.Process{PID: pid, Started: started, Namespace: Namespace()}, err == nil
}

// parentOf returns the number of a process's parent, 0 if there is none, and the name of its own program.
func parentOf(pid int) (parent int, name string) {
	fields, name := stat(pid)
	if len(fields) > 1 {
		parent, _ = strconv.Atoi(fields[1])
	}
	return parent, name
}

// stat reads what the system says of a process: its program, and the fields behind that.
func stat(pid int) (fields []string, name string) {
	if pid <= 0 {
		return nil, ""
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')') // a name may hold anything
	if err != nil || open < 0 || end < open {
		return nil, ""
	}
	return strings.Fields(string(data[end+1:])), string(data[open+1 : end])
}

// Namespace names the namespace in which this process's number counts; 0 if that is not known.
// The same number in another one, as of a container, is another process.
func Namespace() uint64 {
	link, _ := os.Readlink("/proc/self/ns/pid") // as pid:[4026531836]
	number, _ := strconv.ParseUint(strings.Trim(link, "pid:[]"), 10, 64)
	return number
}
