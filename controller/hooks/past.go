package hooks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Triggers that count what comes again act at the next call, so the hook counts. What a
// session did since a file was last written stands in a log of its own, a line each; a write or
// a person's prompt begins it anew.

// pastCall is a line of that log.
type pastCall struct {
	at   time.Time
	what string // pastMade, ...
	id   string // equal for equal calls; of pastStarted the agent
}

// asked reports whether a line tells that the gate was asked about a call.
func (p pastCall) asked() bool { return p.what == pastMade || p.what == pastWaited }

// What a line of the log tells.
const (
	pastMade    = "call"
	pastWaited  = "wait" // a call that only waits for something: to make it again is no loop
	pastFailed  = "error"
	pastWent    = "ok"
	pastStarted = "start" // a subagent
	pastBroke   = "broke" // an error, by its fingerprint and, behind a point, the call that told it
	pastAnew    = "anew"  // something changed: what was counted does not go on, but for the call of that id, and errors
	pastStep    = "step"  // something was done to plans or tasks: what is looked at from then on is another thing
	pastScored  = "score" // what a subagent's report gives: see score
	pastSaid    = "said"  // not an id, but what the last error says, in a line
	pastTurn    = "turn"  // a prompt of the user; see runsOf
)

// Sizes of the log, in bytes: how much of its end is looked at, and from which on it is
// cut to that.
const (
	pastRead = 8 << 10
	pastKept = 32 << 10
)

// nobody is the id in lines that are about no call, and begins those that are about no call of
// this session.
const nobody = "-"

// callID is equal for calls that do the same: a command line whatever it is said to be
// for, and any other tool with the same arguments.
func (h *handler) callID() string {
	if h.id == "" {
		e := h.event
		parts := []string{e.Tool, strings.Join(strings.Fields(e.Command), " "), e.Delegates, e.Text, strings.Join(e.Paths, "\x00")}
		if e.Command == "" {
			parts = append(parts, e.Args.Digest())
		}
		h.id = idOf(append(parts, h.asItIs()...)...)
	}
	return h.id
}

func idOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// asItIs tells a file that is about to be read from what it was before: who reads a log
// that grows reads something new.
func (h *handler) asItIs() []string {
	if h.event.Action != admission.Read || len(h.event.Paths) != 1 {
		return nil
	}
	info, err := os.Stat(h.repo.resolver(h.env, h.event.Cwd).Abs(h.event.Paths[0]))
	if err != nil {
		return nil
	}
	return []string{strconv.FormatInt(info.ModTime().UnixNano(), 10), strconv.FormatInt(info.Size(), 10)}
}

// waiters are the tools and programs that only pass the time until something in the background
// has happened.
var waiters = [...]string{"TaskOutput", "BashOutput", "AgentOutputTool", "sleep", "wait"}

// waits reports whether a call passes the time. To ask again and again is then what is wanted.
func (h *handler) waits() bool {
	return slices.Contains(waiters[:], h.event.Tool) || h.event.Action == admission.Shell &&
		slices.ContainsFunc(h.event.CommandLine().Line.Commands, func(c command.Command) bool {
			return len(c.Words) > 0 && slices.Contains(waiters[:], path.Base(c.Words[0]))
		})
}

// note adds a line to the log.
func (h *handler) note(what, id string) { h.noteOf(h.sessionName(), what, id) }

func (h *handler) noteOf(session, what, id string) {
	h.repo.appendNotes(session, notesPast, []byte(strconv.FormatInt(h.repo.now.UnixMilli(), 10)+" "+what+" "+id+"\n"))
}

// forgetAbove begins to count anew for those who started this session, as far up as delegations
// go: who has work done in turns gets on when those who do it write.
func (h *handler) forgetAbove(id string) {
	name := h.parentName()
	for range 4 {
		if name == "" {
			return
		}
		h.noteOf(name, pastAnew, id)
		s, ok := h.repo.Session(name)
		if !ok {
			return
		}
		name = s.Spec.Parent
	}
}

// past is the end of the log: what a call is judged by. A log that has become long is cut to it.
func (h *handler) past() []pastCall {
	end, size := h.repo.lastNotes(h.sessionName(), notesPast, pastRead)
	if size > pastKept {
		_ = h.writeNotes(notesPast, end) // a line that is added meanwhile is lost, and one count with it
	}
	return readPast(end)
}

// MovedOn returns when a session, by the name of its record, last wrote a file or was given a prompt: a call that
// was denied before holds it up no longer. It returns the zero time if neither is known.
func MovedOn(root Root, session string) (at time.Time) {
	log, _ := folder{Root: root}.lastNotes(resources.NameOfID(session), notesPast, pastRead)
	for _, p := range readPast(log) {
		if p.what == pastAnew || p.what == pastTurn {
			at = p.at
		}
	}
	return at
}

// asked is when the gate was asked about a call, as far as the log still tells.
func (h *handler) asked(id string) (at []time.Time) {
	for line := range bytes.Lines(h.readNotes(notesPast)) {
		if !bytes.HasSuffix(line, []byte(id+"\n")) {
			continue
		}
		for _, p := range readPast(line) {
			if p.id == id && p.asked() {
				at = append(at, p.at)
			}
		}
	}
	return at
}

// readPast reads a log; lines that make no sense are left out.
func readPast(data []byte) []pastCall {
	list := make([]pastCall, 0, bytes.Count(data, []byte{'\n'}))
	for line := range strings.Lines(string(data)) {
		at, rest, _ := strings.Cut(line, " ")
		what, id, ok := strings.Cut(strings.TrimSpace(rest), " ")
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil && ok {
			list = append(list, pastCall{time.UnixMilli(ms), what, id})
		}
	}
	return list
}

// runs counts what came again, of a log as it stands: by the id of a call or an agent, and, with
// errorRun in front, by the fingerprint of an error, of all calls and (behind a point) of each.
type runs map[string]int

const errorRun = "="

// only is what goes on after something changed: an error that comes again whatever is changed is
// what a session is stuck at.
func (r runs) only(id string) runs {
	kept := runs{}
	for run, n := range r {
		if run == id || strings.HasPrefix(run, errorRun) {
			kept[run] = n
		}
	}
	return kept
}

// works forgets what a call failed with that succeeds by now.
func (r runs) works(call string) {
	delete(r, call)
	for run := range r {
		if of, told := strings.CutSuffix(run, "."+call); told {
			delete(r, run)
			delete(r, of)
		}
	}
}

// sameError is how often the error came that a call told, whichever calls told it.
func (r runs) sameError(call string) int {
	most := 0
	for run := range r {
		if of, told := strings.CutSuffix(run, "."+call); told {
			most = max(most, r[of])
		}
	}
	return most
}

func (r runs) most() int {
	most := 0
	for _, n := range r {
		most = max(most, n)
	}
	return most
}

// sinceTurn returns the lines since the user's last prompt.
func sinceTurn(past []pastCall) []pastCall {
	for i, p := range slices.Backward(past) {
		if p.what == pastTurn {
			return past[i+1:]
		}
	}
	return past
}

// runsOf counts repetitions for a trigger's event since a time. A prompt of the user ends every
// count but those of errors that occurred in the turn before it: an error that comes back turn after
// turn is one loop.
func runsOf(event string, past []pastCall, since time.Time) runs {
	if event == resources.TriggerReview {
		return reviewsOf(past, since)
	}
	r, last, turn := runs{}, "", map[string]bool{}
	for _, p := range past {
		if p.at.Before(since) {
			continue
		}
		switch {
		case p.what == pastTurn:
			maps.DeleteFunc(r, func(run string, _ int) bool { return !turn[run] })
			last, turn = "", map[string]bool{}
		case p.what == pastAnew:
			r, last = r.only(p.id), ""
		case event == resources.TriggerCall && p.what == pastMade:
			r[p.id]++
		case event == resources.TriggerError && p.what == pastFailed:
			r[p.id]++
			turn[p.id] = true
		case event == resources.TriggerError && p.what == pastBroke:
			fingerprint, _, _ := strings.Cut(p.id, ".")
			for _, run := range [...]string{errorRun + fingerprint, errorRun + p.id} {
				r[run]++
				turn[run] = true
			}
		case event == resources.TriggerError && p.what == pastWent:
			r.works(p.id)
		case event == resources.TriggerRound && p.what == pastStarted:
			last = r.started(p.id, last)
		}
	}
	return r
}

// started counts that an agent was started again after another one was.
func (r runs) started(agent, last string) string {
	if _, before := r[agent]; before && last != agent {
		r[agent]++
	} else if !before {
		r[agent] = 0
	}
	return agent
}

// noteOutcome notes how a call ended. A file that was written begins everything anew.
func (h *handler) noteOutcome() {
	switch e := h.event; {
	case e.Unsettled || e.Cancelled:
	case e.Failed:
		h.noteFailure()
	case e.Action == admission.Write:
		files := nobody + idOf(e.Paths...)
		h.note(pastAnew, files)
		h.forgetAbove(files)
	case e.Action == admission.Shell:
		h.note(pastWent, h.callID())
		if h.wroteByShell() {
			h.note(pastAnew, h.callID()) // to do this very thing again and again stays a loop
			h.forgetAbove(nobody + h.callID())
		}
	case e.Action == admission.Governance:
		h.note(pastStep, h.callID())
	case e.Action == admission.Delegate:
		if s := scoreOf(e.Output); s != "" {
			h.note(pastScored, s+" "+h.agentID())
		}
	}
}

// noteFailure notes that a call failed, and with which error.
func (h *handler) noteFailure() {
	h.note(pastFailed, h.callID())
	if lines := h.repo.contexts.Fingerprint(h.relative(h.event.Output)); len(lines) > 0 {
		h.note(pastBroke, idOf(lines[0])+"."+h.callID())
		h.note(pastSaid, admission.Plain(strings.Join(resources.MaskSecrets(strings.Fields(lines[0])), " ")))
	}
}

// wroteByShell reports whether a command line wrote files, as far as can be read off it.
func (h *handler) wroteByShell() bool {
	call, err := h.call()
	return err == nil && len(inRepo(call.Paths)) > 0
}
