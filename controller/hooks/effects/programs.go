package effects

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
func (r Resolver) isProgram(real string, inside bool) bool {
	dir, name := filepath.Split(real)
	i := slices.Index(ourPrograms[:], strings.TrimSuffix(strings.ToLower(name), ".exe"))
	if i < 0 {
		return false
	}
	if !inside && i >= 2 {
		return true
	}
	own := r.ownFolder()
	return own != "" && SameFolder(filepath.Clean(dir), own)
}

// programsBelow finds iDumb's programs below a folder.
func (r Resolver) programsBelow(p admission.Path) (admission.Path, bool) {
	real, err := follow(r.Abs(p.Given))
	if err != nil {
		return p, false
	}
	own := r.ownFolder()
	if _, holds := below(real, own); !holds || own == "" {
		return p, false
	}
	p.Program, p.Given = true, filepath.Join(own, ourPrograms[2])
	return p, true
}

// ownFolder is the folder of the program that runs, "" if it cannot be told.
func (r Resolver) ownFolder() string {
	if r.programs != "" {
		return r.programs
	}
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Dir(Followed(file))
}
