package lifecycle

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Program returns the path of idumb-controller. It searches the folder of the running program, and
// then the search path. It does not return programs of the repository.
func Program(searchPath string, root layout.Root) (string, error) {
	var folders []string
	if self, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(self))
		if real, err := filepath.EvalSymlinks(self); err == nil && filepath.Dir(real) != folders[0] {
			folders = append(folders, filepath.Dir(real))
		}
	}
	for _, dir := range filepath.SplitList(searchPath) {
		if filepath.IsAbs(dir) && !strings.HasPrefix(filepath.Clean(dir)+"/", filepath.Clean(string(root))+"/") {
			folders = append(folders, dir)
		}
	}
	name := "idumb-controller"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range folders {
		info, err := os.Stat(filepath.Join(dir, name))
		if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0) {
			return filepath.Join(dir, name), nil
		}
	}
	return "", errors.New("find idumb-controller: not beside this program and not on PATH; install all programs of iDumb there")
}
