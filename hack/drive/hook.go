package drive

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

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
