package drive

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Controller is a running idumb-controller.
type Controller struct {
	cmd   *exec.Cmd
	out   bytes.Buffer  // what it says; to be read when it has ended
	ended chan struct{} // closed when it has
	err   error         // how it ended; to be read when it has
}

// StartController starts idumb-controller, and does not wait until it has read everything.
func (r *Repo) StartController() (*Controller, error) {
	c := &Controller{cmd: exec.Command(r.Bin.Path("idumb-controller")), ended: make(chan struct{})}
	c.cmd.Dir = r.Dir
	c.cmd.Env = append(os.Environ(), r.Env()...) // the settings of whoever asks, else it does not answer them
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.out
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.ended)
	}()
	return c, nil
}

// StartControllers starts two at once. One of them must end, without an error and saying that
// another one runs; the other one is returned.
func (r *Repo) StartControllers() (*Controller, error) {
	a, err := r.StartController()
	if err != nil {
		return nil, err
	}
	b, err := r.StartController()
	if err != nil {
		a.Kill()
		return nil, err
	}
	loser := b
	select {
	case <-a.ended:
		a, loser = b, a
	case <-b.ended:
	case <-time.After(20 * time.Second):
		a.Kill()
		b.Kill()
		return nil, fmt.Errorf("%w: of two controllers none ends", ErrTimeout)
	}
	if said := loser.out.String(); loser.err != nil || strings.Count(said, "\n") != 1 || !strings.Contains(said, "already running") {
		a.Kill()
		return nil, fmt.Errorf("the second of two controllers does not just say that one runs: %w\n%s", loser.err, said)
	}
	return a, nil
}

// Leads reports whether a controller holds the repository's lock.
func (r *Repo) Leads() bool { return layout.Root(r.Dir).ControllerAlive() }

// PID is the process's number.
func (c *Controller) PID() int { return c.cmd.Process.Pid }

// Kill ends the controller with SIGKILL and waits for it.
func (c *Controller) Kill() {
	c.cmd.Process.Kill()
	<-c.ended
}

// Stop ends the controller as Ctrl-C does and waits for it.
func (c *Controller) Stop() error {
	if err := c.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	if <-c.ended; c.err != nil {
		return fmt.Errorf("the controller: %w\n%s", c.err, c.out.String())
	}
	return nil
}

// Hang stops the controller, so that it holds its lock and its sockets and does nothing, until
// Continue.
func (c *Controller) Hang() error { return hang(c.cmd.Process) }

// Continue lets a controller go on that hangs.
func (c *Controller) Continue() error { return goOn(c.cmd.Process) }
