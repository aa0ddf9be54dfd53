package headlessagent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

const (
	maxOutput = 4 << 20         // bytes of the child's output that are read, at least
	maxErrors = 2 << 10         // bytes of its standard error, at least
	grace     = 2 * time.Second // for descendants of the child to close its output
)

// tail keeps at least the last limit bytes written to it, and at most twice as
// many.
type tail struct {
	bytes.Buffer
	limit int
}

// Write appends bytes. If there are more than twice the limit, it drops the
// oldest ones beyond the limit.
func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - t.limit; over > t.limit { // rarely, so that each byte is moved about once
		t.Next(over)
	}
	return n, err
}

// child returns the process that answers a question. It and its descendants end
// with ctx.
func child(ctx context.Context, h hosts.Headless, root, delegation, prompt string, env []string) *exec.Cmd {
	c := exec.CommandContext(ctx, h.Program, h.Args...)
	c.Dir, c.Stdin, c.WaitDelay = root, strings.NewReader(prompt), grace
	c.Env = append(slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(h.UnsetEnv, name)
	}), admission.DelegationVariable+"="+delegation, "PWD="+root)
	inGroup(c)
	return c
}

// ask runs a child and returns its outcome. It returns the cause of ctx if ctx
// ended, and an error if the host reports a failure or the child fails.
func ask(ctx context.Context, c *exec.Cmd) (hosts.Outcome, error) {
	output, complaints := &tail{limit: maxOutput}, &tail{limit: maxErrors}
	c.Stdout, c.Stderr = output, complaints
	ran := c.Run()
	if ctx.Err() != nil {
		return hosts.Outcome{}, context.Cause(ctx)
	}
	o, err := hosts.ReadOutcome(output.Bytes())
	switch {
	case o.Failure != "":
		err = errors.New(o.Failure)
	case err == nil && ran != nil:
		err = ran
	case err != nil && ran != nil:
		err = fmt.Errorf("%w: %s", ran, complaints)
	}
	return o, err
}
