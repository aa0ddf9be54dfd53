package oracles

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// script returns a command that runs an embedded script. The script remains in a temporary
// directory, because it is small.
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
