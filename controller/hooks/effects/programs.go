package effects

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// ourPrograms lists the programs of iDumb. Hosts search for the last two in
// their program path.
var ourPrograms = [...]string{"idumb", "idumb-controller", "idumb-hook", "idumb-mcp"}

// isProgram reports whether a file is a program of iDumb. The file is in the
// folder of the running program, or it is outside the repository and a host may
// start it.
func (r Resolver) isProgram(real string, inside bool) bool {
	dir, name := filepath.Split(real)
	i := slices.Index(ourPrograms[:], strings.TrimSuffix(strings.ToLower(name), ".exe"))
	if i < 0 {
		return false
	}
	if !inside && i >= 2 {
		return true
	}
	own := r.programFolder()
	return own != "" && SameFolder(filepath.Clean(dir), own)
}

// programsBelow reports whether the programs of iDumb are in a folder or below it, and returns the
// path of one.
func (r Resolver) programsBelow(p admission.Path) (admission.Path, bool) {
	real, err := resolveLinks(r.Abs(p.Given))
	if err != nil {
		return p, false
	}
	own := r.programFolder()
	if _, holds := relativeTo(real, own); !holds || own == "" {
		return p, false
	}
	p.Program, p.Given = true, filepath.Join(own, ourPrograms[2])
	return p, true
}

// programFolder returns the folder of the running program, or an empty text if it
// is unknown.
func (r Resolver) programFolder() string {
	if r.programs != "" {
		return r.programs
	}
	file, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Dir(ResolveLinks(file))
}
