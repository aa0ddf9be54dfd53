package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/resources/admission"
)

const (
	defaultTimeout = 120 // seconds
	maxTimeout     = 600
	// killPatience is how long the tool waits for the remaining output after it has killed a
	// command's processes.
	killPatience = 2 * time.Second
)

const shellName = "govern_shell"

// shellTool returns the tool that runs commands.
func shellTool() tool {
	return tool{
		name: shellName,
		doc:  "Run a command in the repository's root, by the rules of the host's shell; how it ends counts as evidence.",
		params: []param{
			{name: "command"},
			{name: "timeoutSeconds", kind: number, max: maxTimeout, isHidden: true},
		},
		actions: []action{{name: "run", required: list("command"), optional: list("timeoutSeconds"), run: runCommand}},
	}
}

// runCommand runs a command line if the gate permits it. The result is recorded in the same way as
// by the hook.
func runCommand(c *call) (answer, error) {
	command := c.args.text("command")
	if j := c.askVerdict("", command); j.Verdict.Outcome == admission.Deny {
		return nil, deniedCommand(&j)
	}
	seconds := c.args.number("timeoutSeconds", defaultTimeout)
	if seconds == 0 {
		seconds = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(c.ctx, time.Duration(seconds)*time.Second)
	defer cancel()
	var out truncatedOutput
	ended, err := c.run(ctx, command, &out)
	if err != nil {
		return nil, err
	}
	work := c.askGate("", "").Work // the command may have started a task
	ended.Printed = out.String()
	c.gate.Ran(command, ended, work)
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, refusal(fmt.Sprintf("The command did not end within %d s and was stopped with its child processes.", seconds),
			"It takes longer, or waits for input that never comes.", c.repeat("timeoutSeconds", min(maxTimeout, 2*seconds)), "output so far: "+out.String())
	}
	took := max(1, ended.Took.Milliseconds())
	return answer{{"exitCode", &ended.ExitCode}, {"durationMs", &took}, {"output", out.String()}, {"task", work}}, nil
}

// run runs a command line in the repository's root and then kills all processes that it started. An
// exit code is not an error.
func (c *call) run(ctx context.Context, command string, out *truncatedOutput) (hooks.Ended, error) {
	defer reporting(ctx, out)()
	cmd := shellCommand(ctx, command)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = string(c.root), out, out, killPatience
	cmd.Env = append(c.service.Env[:len(c.service.Env):len(c.service.Env)], "NO_COLOR=1", "TERM=dumb", "PAGER=cat", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0")
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	endGroup(cmd)
	var exit *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return hooks.Ended{ExitCode: -1, Took: took}, nil
	case err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay):
		return hooks.Ended{}, fmt.Errorf("the shell could not be started: %w", err)
	}
	return hooks.Ended{ExitCode: cmd.ProcessState.ExitCode(), Took: took}, nil
}

// deniedCommand converts the gate's denial of a command to a refusal.
func deniedCommand(j *judgement) error {
	r := &j.Verdict.Reason
	return denial(*r, r.UseInstead, cmp.Or(strings.Join(r.Evidence, "; "), "rule "+r.Rule))
}
