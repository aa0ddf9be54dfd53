package edges

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed Edges.java
var javaScript []byte

// java queries the parser of the javac in PATH.
func java(root string, paths []string) ([]answer, error) {
	dir, err := os.MkdirTemp("", "edges-java-")
	if err != nil {
		return nil, fmt.Errorf("oracle of Java: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "Edges.java")
	if err := os.WriteFile(file, javaScript, 0o600); err != nil {
		return nil, fmt.Errorf("oracle of Java: %w", err)
	}
	return lines(exec.Command("java", file, root), paths)
}
