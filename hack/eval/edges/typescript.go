package edges

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed typescript.js
var typescriptScript []byte

// typescriptRelease is the npm package of the oracle.
const typescriptRelease = "typescript@5.9.3"

// typescript queries the resolver of TypeScript, which npm installs into a temporary directory. Its
// script prints a line for each file.
func typescript(root string, paths []string) (answers []answer, err error) {
	dir, err := os.MkdirTemp("", "edges-typescript-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	install := exec.Command("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--prefix", dir, typescriptRelease)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("install %s: %w: %s", typescriptRelease, err, out)
	}
	script := filepath.Join(dir, "edges.js")
	if err := os.WriteFile(script, typescriptScript, 0o600); err != nil {
		return nil, err
	}
	return lines(exec.Command("node", script, root), paths)
}
