package drive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// order is a command that is to be run.
type order struct {
	Args, Env  []string
	Dir, Stdin string
}

// outcome is what came of an order.
type outcome struct {
	Out, Err string
	Code     int // -1: it did not run
}

func (o order) run() outcome {
	cmd := exec.Command(o.Args[0], o.Args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Dir, o.Env, strings.NewReader(o.Stdin), &stdout, &stderr
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return outcome{Err: err.Error(), Code: -1}
	}
	return outcome{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
}

// Client is a process of its own that runs hooks and commands, as an agent's host does: what the
// product learns from the processes above a command it learns from this one. One goroutine uses it.
type Client struct {
	repo *Repo
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
}

// clientWord is the argument with which a driver is started to be a client.
const clientWord = "agent-host"

// ServeClient is what a driver that uses clients calls first: started as a client it is one, and
// does not return.
func ServeClient() {
	if len(os.Args) != 2 || os.Args[1] != clientWord {
		return
	}
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for {
		var o order
		if in.Decode(&o) != nil || out.Encode(o.run()) != nil {
			os.Exit(0)
		}
	}
}

// NewClient starts a client in the repository; the driver calls ServeClient. Close ends it.
func (r *Repo) NewClient() (*Client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &Client{repo: r, cmd: exec.Command(self, clientWord)}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	c.cmd.Stderr, c.out = os.Stderr, json.NewDecoder(bufio.NewReader(out))
	return c, c.cmd.Start()
}

// run has the client run an order.
func (c *Client) run(o order) (done outcome) {
	err := json.NewEncoder(c.in).Encode(o)
	if err == nil {
		err = c.out.Decode(&done)
	}
	if err != nil {
		return outcome{Err: "the client is gone: " + err.Error(), Code: -1}
	}
	return done
}

// Hook is Repo.Hook, from this client.
func (c *Client) Hook(host string, event map[string]any) (Answer, error) {
	return c.repo.hook(host, event, c.run)
}

// Shell runs a script as the agent's shell does, with the programs in its path, up to the first command
// that fails. It returns both streams, and whether all went well.
func (c *Client) Shell(script string) (string, bool) { return c.repo.shell(script, c.run) }

// Shell runs such a script as a person does, below no agent's host.
func (r *Repo) Shell(script string) (string, bool) { return r.shell(script, order.run) }

func (r *Repo) shell(script string, run func(order) outcome) (string, bool) {
	o := r.order("sh", "-ec", "exec 2>&1\n"+script)
	o.Env = append(o.Env, "PATH="+r.Bin.Dir+string(os.PathListSeparator)+os.Getenv("PATH"), "IDUMB_ENFORCE=", "NO_COLOR=1")
	done := run(o)
	return strings.TrimSpace(done.Out + done.Err), done.Code == 0
}

// Close ends the client, and returns when it has ended.
func (c *Client) Close() error {
	c.in.Close()
	return c.cmd.Wait()
}
