package oracles

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed typescript.js
var typescriptScript []byte

// typescriptRelease is the npm package of the oracle: the last one with its parser as a library.
const typescriptRelease = "typescript@5.9.3"

// typescript queries the parser of TypeScript, which npm installs into a temporary directory.
func typescript() (*exec.Cmd, error) {
	dir, err := os.MkdirTemp("", "oracle-typescript-")
	if err != nil {
		return nil, err
	}
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--prefix", dir, typescriptRelease)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install %s: %w: %s", typescriptRelease, err, out)
	}
	script := filepath.Join(dir, "oracle.js")
	return exec.Command("node", script), os.WriteFile(script, typescriptScript, 0o600)
}
