package drive

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Answer is what a host's client got from the hook: what it printed, as it is, and the parts of it
// that decide and tell.
type Answer struct {
	Printed  string // everything, of both streams
	Decision string // "deny" or "ask" of a call, "block" of a stop or a change of settings; "" for no opinion
	Reason   string // why
	Context  string // what the model is told beside it
}

// Hook sends an event to idumb-hook as that command-hook host does, in the repository, and
// returns what it answered. No controller is started by it. An answer that is no JSON is text for
// the model, as hosts take it. It is an error if the hook ends with anything but 0.
func (r *Repo) Hook(host string, event map[string]any) (Answer, error) {
	return r.hook(host, event, order.run)
}

// hook has run carry out the call of the hook.
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

// order is a command in the repository, as an agent's host runs it.
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
