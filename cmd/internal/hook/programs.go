package hook

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// ourPrograms are iDumb's own; the last two are looked for wherever a host looks for
// programs.
var ourPrograms = [...]string{"idumb", "idumb-controller", "idumb-hook", "idumb-mcp"}

// isProgram reports whether a file is a program of iDumb's: one that stands beside this
// one, or outside the repository one that a host might start in its place.
func (r resolver) isProgram(real string, inside bool) bool {
	dir, name := filepath.Split(real)
	i := slices.Index(ourPrograms[:], strings.TrimSuffix(strings.ToLower(name), ".exe"))
	if i < 0 {
		return false
	}
	return !inside && i >= 2 || r.programs != "" && sameFolder(filepath.Clean(dir), r.programs)
}

// programsBelow finds iDumb's programs below a folder.
func (r resolver) programsBelow(p admission.Path) (admission.Path, bool) {
	real, err := follow(r.abs(p.Given))
	if err != nil {
		return p, false
	}
	if _, holds := below(real, r.programs); !holds || r.programs == "" {
		return p, false
	}
	p.Program, p.Given = true, filepath.Join(r.programs, ourPrograms[2])
	return p, true
}

// ownFolder is the folder of the program that runs.
func ownFolder() string {
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Dir(followed(file))
}
