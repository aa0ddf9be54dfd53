package drive

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// order is a command to run.
type order struct {
	Args, Env  []string
	Dir, Stdin string
}

// outcome is the result of an order.
type outcome struct {
	Out, Err string
	Code     int // exit code; -1 if it did not start
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

// Client is a separate process that runs hooks and commands like an agent's host. The product
// detects it as the parent of its processes. It is not safe for concurrent use.
type Client struct {
	repo *Repo
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
}

// clientWord is the argument that starts a driver as a client.
const clientWord = "agent-host"

// ServeClient must be called first by a driver that uses clients. In a process that was started as
// a client, it serves and does not return.
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

// NewClient starts a client in the repository. The driver must call ServeClient. Close ends the
// client.
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

func (c *Client) run(o order) (done outcome) {
	err := json.NewEncoder(c.in).Encode(o)
	if err == nil {
		err = c.out.Decode(&done)
	}
	if err != nil {
		return outcome{Err: "the client ended: " + err.Error(), Code: -1}
	}
	return done
}

// Hook is Repo.Hook, called from this client.
func (c *Client) Hook(host string, event map[string]any) (Answer, error) {
	return c.repo.hook(host, event, c.run)
}

// Shell runs a script like the agent's shell, with the programs in PATH, up to the first failing
// command. It returns both streams, and whether all commands succeeded.
func (c *Client) Shell(script string) (string, bool) { return c.repo.shell(script, c.run) }

// Shell runs such a script like a user, without a parent agent.
func (r *Repo) Shell(script string) (string, bool) { return r.shell(script, order.run) }

func (r *Repo) shell(script string, run func(order) outcome) (string, bool) {
	o := r.order("sh", "-ec", "exec 2>&1\n"+script)
	o.Env = append(o.Env, "PATH="+r.Bin.Dir+string(os.PathListSeparator)+os.Getenv("PATH"), "IDUMB_ENFORCE=", "NO_COLOR=1")
	done := run(o)
	return strings.TrimSpace(done.Out + done.Err), done.Code == 0
}

// Close ends the client and waits for its exit.
func (c *Client) Close() error {
	c.in.Close()
	return c.cmd.Wait()
}

// Answer is the hook's answer to a host: its raw output, the decision and the texts.
type Answer struct {
	Printed  string // output of both streams
	Decision string // "deny" or "ask" for a call, "block" for a stop or a change of settings; empty for no opinion
	Reason   string // reason of the decision
	Context  string // additional context for the model
}

// Hook sends an event to idumb-hook like the command hook of a host, and returns the answer. It
// starts no controller. Output that is not JSON is text for the model, as hosts interpret it. It
// returns an error if the hook exits with a code other than 0.
func (r *Repo) Hook(host string, event map[string]any) (Answer, error) {
	return r.hook(host, event, order.run)
}

// hook calls the hook by means of run.
func (r *Repo) hook(host string, event map[string]any, run func(order) outcome) (Answer, error) {
	input, err := json.Marshal(event)
	if err != nil {
		return Answer{}, err
	}
	o := r.order(r.Bin.Path("idumb-hook"), host)
	o.Stdin = string(input)
	done := run(o)
	if done.Code != 0 {
		return Answer{}, fmt.Errorf("idumb-hook %s: exit code %d: %s%s", host, done.Code, done.Out, done.Err)
	}
	return readAnswer(done.Out, done.Err), nil
}

// order returns a command in the repository as an agent's host runs it.
func (r *Repo) order(args ...string) order {
	return order{Args: args, Dir: r.Dir, Env: append(os.Environ(), append(r.Env(), "CLAUDE_PROJECT_DIR="+r.Dir, "IDUMB_AUTOSTART=off")...)}
}

func readAnswer(stdout, stderr string) Answer {
	var out struct {
		Decision, Reason string
		Specific         struct {
			PermissionDecision, PermissionDecisionReason, AdditionalContext string
		} `json:"hookSpecificOutput"`
	}
	a := Answer{Printed: stderr + stdout}
	if json.Unmarshal([]byte(stdout), &out) != nil {
		a.Context = strings.TrimSpace(stdout)
		return a
	}
	a.Decision, a.Reason, a.Context = out.Decision, out.Reason, out.Specific.AdditionalContext
	if out.Specific.PermissionDecision != "" {
		a.Decision, a.Reason = out.Specific.PermissionDecision, out.Specific.PermissionDecisionReason
	}
	return a
}
