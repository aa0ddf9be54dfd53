package hooks

import (
	"io"
	"os"
)

// program is the file that this process runs, as it was when the process began. The zero program
// is never replaced.
type program struct {
	path string
	info os.FileInfo // nil: not known
}

// thisProgram is this process's, if it is the one that reads its standard input: else another
// program in its place would not go on with that.
func thisProgram(stdin io.Reader) program {
	if stdin != os.Stdin {
		return program{}
	}

	path, err := os.Executable()
	if err != nil {
		return program{}
	}
	info, err := os.Stat(path)
	if err != nil {
		return program{}
	}
	return program{path, info}
}

// replaced reports whether there is another file in its place.
func (p program) replaced() bool {
	if p.info == nil {
		return false
	}
	now, err := os.Stat(p.path)
	return err == nil && now.Mode().IsRegular() && (!os.SameFile(now, p.info) || now.Size() != p.info.Size() || !now.ModTime().Equal(p.info.ModTime()))
}
