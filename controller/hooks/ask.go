package hooks

import (
	"errors"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
)

// AskController has the controller answer an event of a host, as the host sends it, for somebody with
// that environment. An error says that it did not, and leaves no trace of the event.
type AskController func(host string, env []string, event []byte) (Answered, error)

// Answered is an answer of the controller's, as the host gets it.
type Answered struct {
	Stdout, Stderr []byte
	Exit           int
}

// ErrSilent is why AskController has no answer where there is a controller that hangs: there is no use
// in waiting for it.
var ErrSilent = errors.New("the controller does not answer")

// ErrNewer is why AskController has no answer where there is a controller of a later version,
// which does not understand this one.
var ErrNewer = errors.New("the controller is of a later version")

var errNobody = errors.New("nobody is asked")

// asked is the controller's answer.
func (r *run) asked(input []byte) (result, error) {
	if r.ask == nil {
		return result{}, errNobody
	}
	a, err := r.ask(r.host.Name(), r.env, input)
	r.outdated = errors.Is(err, ErrNewer)
	return result{Answered: a}, err
}

// How long a host's patience lasts for a controller that begins: what it packs is worth
// waiting for, and is not to be had elsewhere.
const (
	startPatience = 1500 * time.Millisecond // of a session's start
	packPatience  = 500 * time.Millisecond  // of whatever else brings context
	askAgain      = 10 * time.Millisecond
)

// patience is how long an event waits for a controller.
func patience(m hosts.EventType) time.Duration {
	switch m {
	case hosts.SessionStart:
		return startPatience
	case hosts.Prompt, hosts.SubagentStart, hosts.BeforeCompact:
		return packPatience
	}
	return 0
}

// startedVariable tells the controller that it was started for the session that begins, and
// that the person is to be told so.
const (
	startedVariable  = "IDUMB_STARTED"
	startedForOneJob = "ci"
)

// revive sees to it that a controller runs, whichever event it was that found none, and waits
// for the answers of one that is about to begin, as long as the event is worth it.
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

// until asks again and again, for a controller that is about to begin: of one that was started
// just now it is no wonder that it is silent at first.
func (ask AskController) until(end time.Time, started bool, host string, env []string, event []byte) (a Answered, err error) {
	for err = errNobody; time.Now().Before(end); time.Sleep(askAgain) {
		if a, err = ask(host, env, event); err == nil || !started && errors.Is(err, ErrSilent) {
			break
		}
	}
	return a, err
}
