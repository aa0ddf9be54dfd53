package hooks

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/resources/admission"
)

// queuePatience limits how long a call that queued a command waits for the
// controller to execute it. It is shorter than a hook's timeout for an answer
// of the controller.
const queuePatience = 250 * time.Millisecond

// queued reports the results of commands that this call could not execute in
// its sandbox and therefore queued. The controller executes them outside the
// sandbox. queued waits for it briefly, so that later events count for a task
// that was started.
func (h *handler) queued() string {
	if !strings.Contains(h.event.Command, "idumb") {
		return ""
	}
	since := h.judgedAt()
	waiting := h.waitingSince(since)
	for end := time.Now().Add(queuePatience); len(waiting) > 0 && h.repo.ControllerAlive() && time.Now().Before(end); waiting = h.waitingSince(since) {
		time.Sleep(askAgain / 2)
	}
	var text strings.Builder
	for _, o := range requests.Outcomes(h.repo.Root) {
		switch verb, _, _ := strings.Cut(o.Wish, " "); {
		case requests.Request{Verb: verb}.IsFromHook():
		case !h.wished(o.Wish, o.Queued.Time, since):
		case o.Reason == "":
			text.WriteString("iDumb carried out what this call queued, because its shell may not write there: " + admission.Plain(o.Wish) + ".\n")
		default:
			text.WriteString("iDumb refused what this call queued: " + admission.Plain(o.Wish+": "+o.Reason) + "\n")
		}
	}
	for _, w := range waiting {
		text.WriteString("iDumb: what this call queued waits in " + requests.File + " for a controller (`idumb controller start`): " + admission.Plain(w.String()) + ".\n")
	}
	return text.String()
}

// waitingSince returns the requests that this call queued and that still wait for a controller.
// The call began at since.
func (h *handler) waitingSince(since time.Time) (mine []requests.Request) {
	for _, w := range requests.Waiting(h.repo.Root) {
		if !w.IsFromHook() && h.wished(w.String(), w.Time.Time, since) {
			mine = append(mine, w)
		}
	}
	return mine
}

// wished reports whether this call queued a request. The request was queued
// while the call ran, and the command line contains its verb and object. The
// object may be missing if it is in a file, is selected or has a generated
// name.
func (h *handler) wished(wish string, at, since time.Time) bool {
	verb, about, _ := strings.Cut(wish, " ")
	_, name, _ := strings.Cut(about, "/")
	name, _, _ = strings.Cut(name, ",")
	line := h.event.Command
	return !at.Before(since) && strings.Contains(line, verb) && (strings.Contains(line, name) || strings.Contains(line, " -"))
}

// judgedAt returns when the gate judged this call, in whole seconds like the
// times of requests. If the gate did not judge it, judgedAt returns the time
// one minute ago.
func (h *handler) judgedAt() time.Time {
	at := h.repo.now.Add(-time.Minute)
	for _, p := range h.callLog() {
		if p.isCall() && p.id == h.callID() {
			at = p.time
		}
	}
	return at.Truncate(time.Second)
}
