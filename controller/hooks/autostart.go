package hooks

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// AutoStartVariable overrides config.controller.autoStart. With "false", "off"
// or "0" sessions do not start a controller; with any other non-empty value
// they do.
const AutoStartVariable = "IDUMB_AUTOSTART"

// autoStartIdle is the time that a controller started by a session keeps running
// after the last session.
const autoStartIdle = 30 * time.Minute

// Notices about the controller at the start of a session.
const (
	startedNotice  = "iDumb: the controller was started in the background; it ends 30 minutes after the last session."
	oneJobNotice   = "iDumb: the controller was started in the background; it ends with the last session."
	outdatedNotice = "iDumb: the controller here is of a later version than this hook, which works from the files instead; install that version, or end the controller with `idumb controller stop` and start this one's."
	stoppedNotice  = "iDumb: the user stopped the controller, so hooks read the files, and the packed context may be outdated; `idumb controller start` starts it again."
	spentNotice    = "iDumb: no controller was started, because the last ones ended early; `idumb doctor` shows the reason."
)

// startNotice returns the notice for the start of a session about the controller.
// The notice that the person stopped it is not repeated after a compaction.
func (h *handler) startNotice() string {
	switch h.env.get(startedVariable) {
	case "":
		if h.event.Compacted && h.notice == stoppedNotice {
			return ""
		}
		return h.notice
	case startedForOneJob:
		return oneJobNotice
	}
	return startedNotice
}

// startController starts a controller in the background if none is running. It
// returns true if one will run soon. It does not wait. Errors of the controller
// are in its log, because hooks work without a controller, only slower. The
// notice for the user is in h.notice.
func (h *handler) startController() (soon bool) {
	if !AutoStarts(h.repo.settings, h.env.get(AutoStartVariable)) || h.repo.ControllerAlive() {
		return false
	}
	if lifecycle.Stopped(h.repo.Root) {
		h.notice = stoppedNotice
		return false
	}
	if !h.repo.trusted() {
		return false
	}
	if err := trust.Owned(h.repo.Root); err != nil {
		h.notice = "iDumb: no controller was started: " + err.Error()
		return false
	}
	program, err := lifecycle.Program(h.env.get("PATH"), h.repo.Root)
	if err != nil {
		return false
	}
	begun, err := lifecycle.RecordStart(h.repo.Root, h.repo.now)
	switch {
	case errors.Is(err, lifecycle.ErrStarting):
		return true
	case errors.Is(err, lifecycle.ErrRestartLimit):
		h.notice = spentNotice
	}
	if err != nil {
		return false
	}
	defer begun.Close()
	if runInBackground(h.repo.Root, program, h.env, begun) != nil {
		return false
	}
	h.notice = startedNotice
	if h.env.get(lifecycle.OneJobVariable) == lifecycle.OneJob {
		h.notice = oneJobNotice
	}
	return true
}

// AutoStarts reports whether a session may start a controller. variable is the
// value of AutoStartVariable.
func AutoStarts(settings *resources.ConfigSpec, variable string) bool {
	if settings.Mode == admission.ModeOff {
		return false
	}
	switch strings.ToLower(variable) {
	case "":
		return settings.Controller.StartsItself()
	case "0", "off", "false", "no":
		return false
	}
	return true
}

// runInBackground starts a program that keeps running when this process and the host end. The
// program inherits no pipes, because a host waits until all its pipes close. The lock file from
// lifecycle.RecordStart is passed on.
func runInBackground(root Root, program string, env environment, begun *os.File) error {
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
	closeOnExec()
	p, err := os.StartProcess(program, []string{program, "--until-idle", autoStartIdle.String()}, &os.ProcAttr{
		Dir: string(root), Env: env, Files: []*os.File{null, log, log, begun}, Sys: detached(),
	})
	if err != nil {
		return err
	}
	go p.Wait() // avoids zombies in a long-running process
	return nil
}
