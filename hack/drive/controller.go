package drive

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Controller is a running idumb-controller.
type Controller struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed after its exit
	err   error         // result of the process; valid after ended is closed
}

// StartController starts idumb-controller. It does not wait until the controller is ready.
func (r *Repo) StartController() (*Controller, error) { return r.startController(nil) }

// startController redirects the controller's output to out, if it is not nil.
func (r *Repo) startController(out *bytes.Buffer) (*Controller, error) {
	c := &Controller{cmd: exec.Command(r.Bin.Path("idumb-controller")), ended: make(chan struct{})}
	c.cmd.Dir = r.Dir
	c.cmd.Env = append(os.Environ(), r.Env()...) // the caller's settings, because the controller answers only its user
	if out != nil {
		c.cmd.Stdout, c.cmd.Stderr = out, out
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.ended)
	}()
	return c, nil
}

// StartControllers starts two controllers at once. One of them must end without an error and report
// only that the other one is running. It returns the other one.
func (r *Repo) StartControllers() (*Controller, error) {
	var said [2]bytes.Buffer
	a, err := r.startController(&said[0])
	if err != nil {
		return nil, err
	}
	b, err := r.startController(&said[1])
	if err != nil {
		a.Kill()
		return nil, err
	}
	leads, ended, text := a, b, &said[1]
	select {
	case <-a.ended:
		leads, ended, text = b, a, &said[0]
	case <-b.ended:
	case <-time.After(20 * time.Second):
		a.Kill()
		b.Kill()
		return nil, fmt.Errorf("%w: of two controllers none ends", ErrTimeout)
	}
	if ended.err != nil || strings.Count(text.String(), "\n") != 1 || !strings.Contains(text.String(), "already running") {
		leads.Kill()
		return nil, fmt.Errorf("the second of two controllers does not just say that one runs: %w\n%s", ended.err, text)
	}
	return leads, nil
}

// Leads reports whether a controller holds the repository's lock.
func (r *Repo) Leads() bool { return layout.Root(r.Dir).ControllerAlive() }

// PID returns the process ID.
func (c *Controller) PID() int { return c.cmd.Process.Pid }

// Kill ends the controller with SIGKILL and waits for it.
func (c *Controller) Kill() {
	c.cmd.Process.Kill()
	<-c.ended
}

// Stop interrupts the controller like Ctrl-C and waits for it.
func (c *Controller) Stop() error {
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if <-c.ended; c.err != nil {
		return fmt.Errorf("the controller ended with an error: %w", c.err)
	}
	return nil
}

// Hang suspends the controller until Continue. It keeps its lock and its sockets.
func (c *Controller) Hang() error { return hang(c.cmd.Process) }

// Continue resumes a suspended controller.
func (c *Controller) Continue() error { return goOn(c.cmd.Process) }
