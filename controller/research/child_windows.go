package research

import "os/exec"

// inGroup leaves a child as it is: it alone is killed.
func inGroup(*exec.Cmd) {}

// alone leaves a process as it is: none ends there with the one that started it.
func alone(*exec.Cmd) {}
