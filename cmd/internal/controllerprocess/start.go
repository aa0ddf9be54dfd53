package controllerprocess

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/lifecycle"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
)

const (
	startTimeout = time.Minute // the first listing of 100,000 objects takes seconds
	stopTimeout  = 30 * time.Second
	askTimeout   = 2 * time.Second // a hanging controller accepts connections without answering
	pollInterval = 10 * time.Millisecond
	logFile      = layout.ControllerLog
)

// Start starts idumb-controller in the background. It returns when the controller has read all
// objects. It returns a *lease.RunningError if a controller is already running.
func Start(ctx context.Context, root string) (lease.Holder, error) {
	if status, err := inspectHolder(ctx, root); err != nil || status.Running {
		return lease.Holder{}, errors.Join(err, status.asError())
	}
	if err := trust.Owned(layout.Root(root)); err != nil {
		return lease.Holder{}, err
	}
	cmd, err := background(root)
	if err != nil {
		return lease.Holder{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return awaitStart(ctx, root, cmd.Process.Pid, ended)
}

// inspectHolder returns the status. A controller that has just begun to start has locked the file
// and has neither written its name nor opened its socket, so it waits up to askTimeout for these.
func inspectHolder(ctx context.Context, root string) (Status, error) {
	for deadline := time.Now().Add(askTimeout); ; time.Sleep(pollInterval) {
		s, err := Inspect(ctx, root)
		if err != nil || !s.lockedByOther() || time.Now().After(deadline) || ctx.Err() != nil {
			return s, err
		}
	}
}

// background starts the process with its output redirected to the log.
func background(root string) (*exec.Cmd, error) {
	program, err := lifecycle.Program(os.Getenv("PATH"), layout.Root(root))
	if err != nil {
		return nil, err
	}
	log, err := layout.Root(root).OpenControllerLog()
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(program)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = root, log, log, detached()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	return cmd, nil
}

// Replace replaces this process by idumb-controller with args, in the foreground. It returns only
// an error.
func Replace(root string, args ...string) error {
	program, err := lifecycle.Program(os.Getenv("PATH"), layout.Root(root))
	if err != nil {
		return err
	}
	return fmt.Errorf("start %s: %w", program, syscall.Exec(program, append([]string{program, "-C", root}, args...), os.Environ()))
}

// awaitStart waits for the heartbeat of the process.
func awaitStart(ctx context.Context, root string, pid int, ended <-chan error) (lease.Holder, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		select {
		case err := <-ended:
			if status, unknown := inspectHolder(ctx, root); err == nil && unknown == nil && status.Running { // another one was faster
				return lease.Holder{}, status.asError()
			}
			return lease.Holder{}, fmt.Errorf("the controller exited before it was ready: %w; log %s:\n%s", orEnded(err), logFile, logTail(root))
		case <-ctx.Done():
			return lease.Holder{}, fmt.Errorf("the controller (pid %d) was started but is not ready: %w; see %s", pid, ctx.Err(), logFile)
		case <-time.After(pollInterval):
		}
		if h, err := readHeartbeat(root); err == nil && h.PID == pid {
			return lease.Holder{PID: pid, Since: h.Since, Version: h.Version}, nil
		}
	}
}

// orEnded returns err, or an error that states that the controller ended without one.
func orEnded(err error) error {
	if err == nil {
		return errors.New("without an error")
	}
	return err
}

// logTail returns the end of the log.
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

// Stop requests the controller of the repository to end, over its socket, and waits until it has.
// It returns the holder of the controller's lease, zero if no controller was running. It never
// kills a process by its number, because the number may belong to another process in another
// container. Automatic starts are disabled until a user starts a controller.
func Stop(ctx context.Context, root string) (lease.Holder, error) {
	if err := lifecycle.Stop(layout.Root(root)); err != nil {
		return lease.Holder{}, err
	}
	client, err := dial(ctx, root)
	if client == nil {
		return lease.Holder{}, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	status := ask(ctx, client)
	if err := client.Ask(ctx, http.MethodPost, "/stop", nil); err != nil {
		return status.Holder, fmt.Errorf("stop the controller (%s): %w; if it hangs, kill it: no data is lost", status.Holder.Process(), err)
	}
	return status.Holder, awaitEnd(ctx, root, status.Holder)
}

// dial connects to the controller of the repository. It returns nil without an error if no
// controller is running. It retries, because a new controller opens its socket after a moment.
func dial(ctx context.Context, root string) (*serve.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	for {
		client, err := serve.Dial(ctx, layout.Root(root))
		if err == nil || !layout.Root(root).ControllerAlive() {
			return client, nil
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			holder, _ := lease.ReadHolder(root)
			return nil, fmt.Errorf("a controller (%[2]s) holds %[1]s but does not answer: %[3]w; stop it on its machine or in its container", layout.ControllerLock, holder.Process(), err)
		}
	}
}

// awaitEnd waits until no controller is running. It returns an error when ctx ends before.
func awaitEnd(ctx context.Context, root string, who lease.Holder) error {
	for layout.Root(root).ControllerAlive() {
		select {
		case <-ctx.Done():
			return fmt.Errorf("the controller (%s) did not stop in time: %w; see %s, or kill it: no data is lost", who.Process(), ctx.Err(), logFile)
		case <-time.After(pollInterval):
		}
	}
	return nil
}

// Logs copies the log of the repository's background controller to w. With follow it continues
// until ctx is cancelled.
func Logs(ctx context.Context, root string, w io.Writer, follow bool) error {
	path := layout.Root(root).Abs(logFile)
	f, err := openLog(path)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("no log found; only a background controller writes one: idumb controller start")
	}
	if err != nil {
		return layout.Explain(logFile, err)
	}
	defer func() { f.Close() }()
	for {
		if _, err := io.Copy(w, f); err != nil || !follow {
			return err
		}
		if next, err := openLog(path); err == nil && !sameFile(f, next) {
			f.Close() // the log was rotated
			f = next
			continue
		} else if err == nil {
			next.Close()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followInterval):
		}
	}
}

// openLog opens the log for reading. It does not follow a link.
func openLog(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDONLY|noFollow, 0) }

// sameFile reports whether two open files are the same file.
func sameFile(a, b *os.File) bool {
	x, err := a.Stat()
	y, other := b.Stat()
	return err == nil && other == nil && os.SameFile(x, y)
}

// followInterval is the interval of reading a followed log.
const followInterval = 200 * time.Millisecond
