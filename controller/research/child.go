package research

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
	maxOutput = 4 << 20
	maxErrors = 2 << 10
	grace     = 2 * time.Second // for descendants of the child to close its output
)

// tail keeps the last bytes written to it.
type tail struct {
	bytes.Buffer
	limit int
}

// Write appends bytes and drops the oldest ones beyond the limit from time to
// time.
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

// ask runs a child and returns its outcome.
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
