package agents

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Command is how an agent's host starts our hook: a program and its arguments,
// without a shell in between.
type Command struct {
	Program string
	Args    []string
}

// FindCommand returns the best way to start the hook of a host on this machine.
// A bare name comes first, so that settings that a team shares hold no path of
// one machine: idumb-hook in PATH; then idumb-hook beside the running program;
// then idumb, which answers the same and starts a little slower.
func FindCommand(host string) Command {
	if inPath("idumb-hook") {
		return Command{"idumb-hook", []string{host}}
	}
	self, err := os.Executable()
	if err == nil {
		if beside := filepath.Join(filepath.Dir(self), programName("idumb-hook")); isFile(beside) {
			return Command{beside, []string{host}}
		}
	}
	if err != nil || inPath("idumb") {
		return Command{"idumb", []string{"hook", host}}
	}
	return Command{self, []string{"hook", host}}
}

// inPath reports whether a bare name starts a program, from any folder: a match
// in the current folder does not count.
func inPath(program string) bool {
	found, err := exec.LookPath(program)
	return err == nil && filepath.IsAbs(found)
}

func programName(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
