package layout

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ProjectVariable is the environment variable in which a host names the root of the project that its session is in.
const ProjectVariable = "CLAUDE_PROJECT_DIR"

// FindFor returns the root whose .idumb governs work in dir. The rule is the same for the CLI, the hook, the MCP
// server and the controller:
//
//   - A project root that the host names has precedence: its .idumb governs the whole session, also in a linked
//     working tree that the session changes to. project is empty if the host names none.
//   - Otherwise Find walks up from dir. A linked working tree has its own .idumb. Without one it uses the main
//     working tree's, and paths are relative to its own root.
//
// A command of the CLI in another repository than the project's is about that repository (FindIn).
func FindFor(project, dir string) (Root, error) {
	if project != "" {
		if root, err := Find(project); err == nil {
			return root, nil
		}
	}
	return Find(dir)
}

// FindIn is FindFor for a command that is typed in dir. The project counts if dir is in it, or in another working
// tree of its repository.
func FindIn(project, dir string) (Root, error) {
	if project != "" {
		if root, err := Find(project); err == nil && root.shares(dir) {
			return root, nil
		}
	}
	return Find(dir)
}

// shares reports whether a directory belongs to the repository of a root: it is
// below the root and not in a nested repository, or in another working tree.
func (r Root) shares(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	home, err := filepath.EvalSymlinks(string(r))
	if err != nil {
		return false
	}
	for at := dir; ; at = filepath.Dir(at) {
		if at == home {
			return true
		}
		if exists(filepath.Join(at, ".git")) {
			common := SharedDir(at)
			return common != "" && common == SharedDir(home)
		}
		if exists(filepath.Join(at, Dir)) || at == filepath.Dir(at) {
			return false
		}
	}
}

// SharedDir returns the directory of git that all working trees of a repository share, links resolved; empty if dir is
// the root of no working tree.
func SharedDir(dir string) string {
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err != nil {
		return ""
	}
	common, err := filepath.EvalSymlinks(CommonDir(GitDir(dir)))
	if err != nil {
		return ""
	}
	return common
}

// Project returns the project root that an environment names; empty if it names none. env is as os.Environ returns
// it.
func Project(env []string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if dir, ok := strings.CutPrefix(env[i], ProjectVariable+"="); ok {
			return dir
		}
	}
	return ""
}

// ControllerLog is the log of a controller that runs in the background.
const ControllerLog = RunDir + "/controller.log"

// MaxControllerLog is the size in bytes at which the log is rotated to
// controller.log.1, and the previous one to controller.log.2.
const MaxControllerLog = 5 << 20

// OpenControllerLog opens the log for appending and creates it if necessary,
// readable only by its owner. It rotates a long log and follows no links.
func (r Root) OpenControllerLog() (*os.File, error) {
	run, err := r.Make(RunDir)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	name := path.Base(ControllerLog)
	if info, err := os.Lstat(r.Abs(ControllerLog)); err == nil && info.Size() > MaxControllerLog {
		_ = run.Rename(name+".1", run, name+".2") // it may not exist
		if err := run.Rename(name, run, name+".1"); err != nil {
			return nil, err
		}
	}
	return run.append(name)
}
