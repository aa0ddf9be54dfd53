package oracles

import (
	_ "embed"
	"os/exec"
)

//go:embed python.py
var pythonScript string

// python queries the parser of the Python in PATH. A file in the syntax of a newer Python has no
// answer.
func python() (*exec.Cmd, error) {
	return exec.Command("python3", "-W", "ignore", "-c", pythonScript), nil
}
