package oracles

import (
	_ "embed"
	"os/exec"
)

//go:embed python.py
var pythonScript string

// python asks the Python on the path, by its own parser: a file in a newer Python's syntax than
// that has no answer.
func python() (*exec.Cmd, error) {
	return exec.Command("python3", "-W", "ignore", "-c", pythonScript), nil
}
