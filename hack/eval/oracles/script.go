package oracles

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// script is a command that runs a text of ours, which stays in a folder for temporary files: it
// is small, and the same each time.
func script(text, name string, command ...string) (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "oracle")
	if err != nil {
		return nil, fmt.Errorf("oracle %s: %w", name, err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return nil, fmt.Errorf("oracle %s: %w", name, err)
	}
	return exec.Command(command[0], append(command[1:], path)...), nil
}
