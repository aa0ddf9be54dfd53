package edges

import (
	_ "embed"
	"os/exec"
)

//go:embed python.py
var pythonScript string

// python asks the finders of the Python on the path, which load nothing.
func python(root string, paths []string) ([]answer, error) {
	return lines(exec.Command("python3", "-W", "ignore", "-I", "-c", pythonScript, root), paths)
}
