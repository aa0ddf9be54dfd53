package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/trust"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

const (
	startPatience = time.Minute // a first listing of 100,000 objects takes seconds
	stopPatience  = 30 * time.Second
	pollEvery     = 10 * time.Millisecond
	logFile       = layout.ControllerLog
)

// Start starts a controller in the background, as this same program with these
// arguments (those of a command that calls Foreground), and returns when it has
// read everything there is. It returns a *controller.RunningError if there is one
// already.
func Start(ctx context.Context, root string, args ...string) (controller.Holder, error) {
	if status, err := Inspect(root); err != nil || status.Running {
		return controller.Holder{}, errors.Join(err, status.asError())
	}
	if err := trust.Owned(layout.Root(root)); err != nil {
		return controller.Holder{}, err
	}
	cmd, err := background(root, args)
	if err != nil {
		return controller.Holder{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return awaitStart(ctx, root, cmd.Process.Pid, ended)
}

// background starts the process with its output going to the log.
func background(root string, args []string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program to start it in the background: %w", err)
	}
	log, err := layout.Root(root).OpenControllerLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = root, log, log, detached()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return cmd, nil
}

// awaitStart waits until the process says in its heartbeat that it is there.
func awaitStart(ctx context.Context, root string, pid int, ended <-chan error) (controller.Holder, error) {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		select {
		case err := <-ended:
			return controller.Holder{}, fmt.Errorf("the controller ended at once: %w; its log is %s:\n%s", orEnded(err), logFile, logTail(root))
		case <-ctx.Done():
			return controller.Holder{}, fmt.Errorf("the controller (pid %d) was started but does not say that it is ready: %w; look at %s", pid, ctx.Err(), logFile)
		case <-time.After(pollEvery):
		}
		if h, err := controller.ReadHeartbeat(root); err == nil && h.PID == pid {
			return controller.Holder{PID: pid, Since: h.Since, Version: h.Version}, nil
		}
	}
}

func orEnded(err error) error {
	if err == nil {
		return errors.New("without an error")
	}
	return err
}

// logTail returns the last lines of the log.
func logTail(root string) string {
	const tail = 2000
	run, err := layout.Root(root).Open(layout.RunDir)
	if err != nil {
		return ""
	}
	defer run.Close()
	data, _, _ := run.ReadLog("controller.log")
	return string(data[max(0, len(data)-tail):])
}

// Stop asks the controller of the repository to end and waits until it has. It
// returns who that was; a zero Holder: none was running.
func Stop(ctx context.Context, root string) (controller.Holder, error) {
	status, err := Inspect(root)
	if err != nil || !status.Running {
		return controller.Holder{}, err
	}
	pid := status.Holder.PID
	if pid <= 0 {
		return status.Holder, errors.New("a controller runs, but does not say as which process; end it by hand")
	}
	process, err := os.FindProcess(pid)
	if err == nil {
		err = terminate(process)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return status.Holder, fmt.Errorf("stop the controller (pid %d): %w", pid, err)
	}
	return status.Holder, awaitEnd(ctx, root, pid)
}

func awaitEnd(ctx context.Context, root string, pid int) error {
	ctx, cancel := context.WithTimeout(ctx, stopPatience)
	defer cancel()
	for layout.Root(root).ControllerAlive() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the controller (pid %d) was asked to end and has not: %w; look at %s, or kill it: nothing is lost", pid, ctx.Err(), logFile)
		case <-time.After(pollEvery):
		}
	}
	return nil
}

// Logs copies the log of the repository's background controller to w and, with
// follow, what is added to it, until ctx ends.
func Logs(ctx context.Context, root string, w io.Writer, follow bool) error {
	path := layout.Root(root).Abs(logFile)
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no log; it is written by controllers that \"idumb controller start\" starts")
	}
	if err != nil {
		return layout.Explain(logFile, err)
	}
	defer f.Close()
	for {
		if _, err := io.Copy(w, f); err != nil || !follow {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}

// followEvery is how often a log that is followed is looked at.
const followEvery = 200 * time.Millisecond
