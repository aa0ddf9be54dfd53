package hook

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/trust"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// AutoStartVariable overrides config.controller.autoStart: "false", "off" or "0"
// keeps sessions from starting a controller, anything else but "" lets them.
const AutoStartVariable = "IDUMB_AUTOSTART"

// autoStartIdle is how long after the last session a controller lives that a session
// started.
const autoStartIdle = 30 * time.Minute

// startedNotice is what is said about a controller that was started.
const startedNotice = "iDumb: the controller was started in the background; it ends 30 minutes after the last session."

// startController starts a controller in the background where none runs, and returns
// what to say about it, "" for nothing. It does not wait for it, and what goes wrong with
// it goes wrong in its log: everything works without one, only slower. Of two that
// are started at once, the one that comes second finds the lease taken, and ends.
func (h *handler) startController() string {
	if !h.mayStartController() || h.repo.root.ControllerAlive() || !h.repo.trusted() {
		return ""
	}
	if err := trust.Owned(h.repo.root); err != nil {
		return "iDumb: no controller was started: " + err.Error()
	}
	program, args := controllerProgram(h.env.get("PATH"), string(h.repo.root))
	if program == "" || runInBackground(h.repo.root, program, args, h.env) != nil {
		return ""
	}
	return startedNotice
}

func (h *handler) mayStartController() bool {
	switch strings.ToLower(h.env.get(AutoStartVariable)) {
	case "":
		return h.repo.settings.Controller.StartsItself()
	case "0", "off", "false", "no":
		return false
	}
	return true
}

// controllers are the programs that run a controller, best first, with their arguments.
var controllers = [...]struct {
	name string
	args []string
}{
	{"idumb-controller", nil},
	{"idumb", []string{"up"}},
}

// controllerProgram returns the program that runs a controller, "" if there is none: of
// those beside this one, or else in the search path, the first that is there. What the
// repository brings along is not run.
func controllerProgram(searchPath, root string) (program string, args []string) {
	var folders []string
	if self, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(self))
		if real, err := filepath.EvalSymlinks(self); err == nil && filepath.Dir(real) != folders[0] {
			folders = append(folders, filepath.Dir(real))
		}
	}
	for _, dir := range filepath.SplitList(searchPath) {
		if filepath.IsAbs(dir) && !strings.HasPrefix(filepath.Clean(dir)+"/", filepath.Clean(root)+"/") {
			folders = append(folders, dir)
		}
	}
	for _, c := range controllers {
		for _, dir := range folders {
			if file := filepath.Join(dir, c.name+programSuffix); isProgram(file) {
				return file, append(c.args[:len(c.args):len(c.args)], "--until-idle", autoStartIdle.String())
			}
		}
	}
	return "", nil
}

func isProgram(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode().Perm()&0o111 != 0)
}

// runInBackground starts a program that this one and its host may end without. It
// keeps nothing of theirs open: a host waits until the last one has closed its pipes.
func runInBackground(root layout.Root, program string, args []string, env environment) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	log, err := root.OpenControllerLog()
	if err != nil {
		return err
	}
	defer log.Close()
	keepToOurselves()
	p, err := os.StartProcess(program, append([]string{program}, args...), &os.ProcAttr{
		Dir: string(root), Env: env, Files: []*os.File{null, log, log}, Sys: detached(),
	})
	if err != nil {
		return err
	}
	go p.Wait() // in a process that lasts, so that no zombie is left
	return nil
}
