package edges

import (
	_ "embed"
	"os/exec"
)

//go:embed python.py
var pythonScript string

// python queries the import finders of the Python in PATH, without loading modules.
func python(root string, paths []string) ([]answer, error) {
	return lines(exec.Command("python3", "-W", "ignore", "-I", "-c", pythonScript, root), paths)
}
