package hooks

import (
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
)

// AskController sends an event of a host to the controller, with the
// environment of the caller, and returns the answer. After an error the
// controller has kept no trace of the event.
type AskController func(host string, env []string, event []byte) (Answered, error)

// Answered is an answer of the controller, as sent to the host.
type Answered struct {
	Stdout, Stderr []byte
	Exit           int
}

// ErrSilent is the error of AskController if a controller runs but does not
// answer. The caller should not wait.
var ErrSilent = errors.New("the controller does not answer")

// ErrNewer is the error of AskController if the controller has a later version
// and does not understand this one.
var ErrNewer = errors.New("the controller is of a later version")

var errNobody = errors.New("the controller was not queried")

// queryController sends the event to the controller and returns its answer.
func (r *run) queryController(input []byte) (result, error) {
	if r.ask == nil {
		return result{}, errNobody
	}
	a, err := r.ask(r.host.Name(), r.env, input)
	r.outdated = errors.Is(err, ErrNewer)
	return result{Answered: a}, err
}

// Timeouts for a controller that is starting. The context that it packs is
// worth the wait, and is not available elsewhere.
const (
	startPatience = 1500 * time.Millisecond // for the start of a session
	packPatience  = 500 * time.Millisecond  // for other events that need context
	askAgain      = 10 * time.Millisecond
)

// patience returns how long an event waits for a controller.
func patience(m hosts.EventType) time.Duration {
	switch m {
	case hosts.SessionStart:
		return startPatience
	case hosts.Prompt, hosts.SubagentStart, hosts.BeforeCompact:
		return packPatience
	}
	return 0
}

// startedVariable tells the controller that it was started for the session that
// begins, and that the person must be informed.
const (
	startedVariable  = "IDUMB_STARTED"
	startedForOneJob = "ci"
)

// revive starts a controller if an event finds none, and sets the notice about it.
// It waits for the answer of a starting controller, for at most wait. It returns
// false if the controller has not answered, and this process must.
func (r *run) revive(h *handler, input []byte, wait time.Duration) (result, bool) {
	if r.serving != "" {
		return result{}, false
	}
	soon := h.startController()
	if r.outdated {
		h.notice = outdatedNotice
		return result{}, false
	}
	if r.ask == nil || wait == 0 || !soon && !h.repo.ControllerAlive() {
		return result{}, false
	}
	switch h.notice {
	case startedNotice:
		r.env = append(slices.Clip(r.env), startedVariable+"=1")
	case oneJobNotice:
		r.env = append(slices.Clip(r.env), startedVariable+"="+startedForOneJob)
	}
	a, err := r.ask.until(time.Now().Add(wait), soon, r.host.Name(), r.env, input)
	return result{Answered: a}, err == nil
}

// until repeats the question until the controller answers or end has come, and
// returns the last error. A controller that was just started may be silent at
// first; for any other one ErrSilent ends the wait.
func (ask AskController) until(end time.Time, started bool, host string, env []string, event []byte) (a Answered, err error) {
	for err = errNobody; time.Now().Before(end); time.Sleep(askAgain) {
		if a, err = ask(host, env, event); err == nil || !started && errors.Is(err, ErrSilent) {
			break
		}
	}
	return a, err
}
