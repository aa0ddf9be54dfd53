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

// Triggers that count repetitions act at the next call, so the hook counts
// them. The latest actions of a session are in a log, one a line. A write or a
// person's prompt restarts most counts, see runsOf.

// pastCall is a line of the session's log of actions.
type pastCall struct {
	time time.Time
	kind string // pastMade, ...
	id   string // equal for equal calls; for pastStarted the agent
}

// isCall reports whether the line records that the gate judged a call.
func (p pastCall) isCall() bool { return p.kind == pastMade || p.kind == pastWaited }

// Kinds of lines in the log.
const (
	pastMade    = "call"
	pastWaited  = "wait" // a call that only waits; repeating it is not a loop
	pastFailed  = "error"
	pastWent    = "ok"
	pastStarted = "start" // a subagent
	pastBroke   = "broke" // an error: its fingerprint, a dot, and the call
	pastAnew    = "anew"  // a change: counts restart, except for the call with the id and for errors
	pastStep    = "step"  // a change to plans or tasks: later reads have a new subject
	pastScored  = "score" // the score in a subagent's report, see score
	pastSaid    = "said"  // the text of the last error in one line, instead of an id
	pastTurn    = "turn"  // a prompt of the user; see runsOf
)

// Sizes of the log, in bytes: the part of its end that is read, and the size at
// which it is cut to that part.
const (
	pastRead = 8 << 10
	pastKept = 32 << 10
)

// noCall is the id in lines without a call, and the prefix of ids of calls of
// another session.
const noCall = "-"

// callID returns an id that is equal for equal calls: for the same command line
// regardless of its description, and for any other tool with the same
// arguments. A read of one file also depends on the file's time and size.
func (h *handler) callID() string {
	if h.id == "" {
		e := h.event
		parts := []string{e.Tool, strings.Join(strings.Fields(e.Command), " "), e.DelegateTo, e.Text, strings.Join(e.Paths, "\x00")}
		if e.Command == "" {
			parts = append(parts, e.Args.Digest())
		}
		h.id = idOf(append(parts, h.fileStamp()...)...)
	}
	return h.id
}

// idOf returns a hash of parts, as 16 hexadecimal digits.
func idOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// fileStamp returns the time and size of a file that is about to be read, because
// a repeated read of a growing log is not a loop.
func (h *handler) fileStamp() []string {
	if h.event.Action != admission.Read || len(h.event.Paths) != 1 {
		return nil
	}
	info, err := os.Stat(h.repo.resolver(h.env, h.event.Cwd).Abs(h.event.Paths[0]))
	if err != nil {
		return nil
	}
	return []string{strconv.FormatInt(info.ModTime().UnixNano(), 10), strconv.FormatInt(info.Size(), 10)}
}

// waiters lists the tools and programs that only wait for background work.
var waiters = [...]string{"TaskOutput", "BashOutput", "AgentOutputTool", "sleep", "wait"}

// waits reports whether a call only waits. Its repetition is intended.
func (h *handler) waits() bool {
	return slices.Contains(waiters[:], h.event.Tool) || h.event.Action == admission.Shell &&
		slices.ContainsFunc(h.event.CommandLine().Line.Commands, func(c command.Command) bool {
			return len(c.Words) > 0 && slices.Contains(waiters[:], path.Base(c.Words[0]))
		})
}

// note adds a line to the log of the acting session's actions: what happened, and the ID of the
// call.
func (h *handler) note(what, id string) { h.noteOf(h.sessionName(), what, id) }

// noteOf adds a line to the log of a session: the time, what happened, and the ID of the call.
func (h *handler) noteOf(session, what, id string) {
	h.repo.appendNotes(session, notesPast, []byte(strconv.FormatInt(h.repo.now.UnixMilli(), 10)+" "+what+" "+id+"\n"))
}

// forgetAbove restarts the counts of the sessions that led to this one, up to
// four levels. A session that delegates work makes progress when its subagents
// write.
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

// callLog returns the end of the log, by which a call is judged. It cuts a log
// that is too long.
func (h *handler) callLog() []pastCall {
	end, size := h.repo.lastNotes(h.sessionName(), notesPast, pastRead)
	if size > pastKept {
		_ = h.writeNotes(notesPast, end) // a line that is added at the same time is lost, and with it one count
	}
	return readPast(end)
}

// MovedOn returns when a session, given by the name of its record, last wrote a
// file or received a prompt. An earlier denial then no longer blocks the
// session. It returns the zero time if neither is in the log.
func MovedOn(root Root, session string) (at time.Time) {
	log, _ := folder{Root: root}.lastNotes(resources.NameOfID(session), notesPast, pastRead)
	for _, p := range readPast(log) {
		if p.kind == pastAnew || p.kind == pastTurn {
			at = p.time
		}
	}
	return at
}

// judgedTimes returns the times in the log at which the gate judged a call.
func (h *handler) judgedTimes(id string) (at []time.Time) {
	for line := range bytes.Lines(h.readNotes(notesPast)) {
		if !bytes.HasSuffix(line, []byte(id+"\n")) {
			continue
		}
		for _, p := range readPast(line) {
			if p.id == id && p.isCall() {
				at = append(at, p.time)
			}
		}
	}
	return at
}

// readPast parses the log of a session's actions and skips invalid lines.
func readPast(data []byte) []pastCall {
	list := make([]pastCall, 0, bytes.Count(data, []byte{'\n'}))
	for at, rest := range timedLines(data) {
		if what, id, ok := strings.Cut(rest, " "); ok {
			list = append(list, pastCall{at, what, id})
		}
	}
	return list
}

// runs counts repetitions in a log. The key is the id of a call or an agent.
// With the prefix errorRun it is the fingerprint of an error, for all calls,
// or, with a dot and a call, for one call.
type runs map[string]int

const errorRun = "="

// only returns the counts that continue after a change. These include errors,
// because a session is stuck if an error remains after every change.
func (r runs) only(id string) runs {
	kept := runs{}
	for run, n := range r {
		if run == id || strings.HasPrefix(run, errorRun) {
			kept[run] = n
		}
	}
	return kept
}

// works removes the count of a call that now succeeds, and of its errors.
func (r runs) works(call string) {
	delete(r, call)
	for run := range r {
		if of, told := strings.CutSuffix(run, "."+call); told {
			delete(r, run)
			delete(r, of)
		}
	}
}

// sameError returns the count of the most frequent error of a call, including
// its occurrences in other calls.
func (r runs) sameError(call string) int {
	most := 0
	for run := range r {
		if of, told := strings.CutSuffix(run, "."+call); told {
			most = max(most, r[of])
		}
	}
	return most
}

// maximum returns the highest count.
func (r runs) maximum() int {
	most := 0
	for _, n := range r {
		most = max(most, n)
	}
	return most
}

// sinceTurn returns the lines since the user's last prompt.
func sinceTurn(past []pastCall) []pastCall {
	for i, p := range slices.Backward(past) {
		if p.kind == pastTurn {
			return past[i+1:]
		}
	}
	return past
}

// runsOf counts repetitions for a trigger's event since a time. A prompt of the
// user ends every count, except counts of errors that occurred in the turn
// before it. An error that recurs in every turn is one loop.
func runsOf(event string, past []pastCall, since time.Time) runs {
	if event == resources.TriggerReview {
		return reviewsOf(past, since)
	}
	r, last, turn := runs{}, "", map[string]bool{}
	for _, p := range past {
		if p.time.Before(since) {
			continue
		}
		switch {
		case p.kind == pastTurn:
			maps.DeleteFunc(r, func(run string, _ int) bool { return !turn[run] })
			last, turn = "", map[string]bool{}
		case p.kind == pastAnew:
			r, last = r.only(p.id), ""
		case event == resources.TriggerCall && p.kind == pastMade:
			r[p.id]++
		case event == resources.TriggerError && p.kind == pastFailed:
			r[p.id]++
			turn[p.id] = true
		case event == resources.TriggerError && p.kind == pastBroke:
			fingerprint, _, _ := strings.Cut(p.id, ".")
			for _, run := range [...]string{errorRun + fingerprint, errorRun + p.id} {
				r[run]++
				turn[run] = true
			}
		case event == resources.TriggerError && p.kind == pastWent:
			r.works(p.id)
		case event == resources.TriggerRound && p.kind == pastStarted:
			last = r.started(p.id, last)
		}
	}
	return r
}

// started counts a repeated start of an agent after the start of another agent.
// It returns agent, which is now the last one.
func (r runs) started(agent, last string) string {
	if _, before := r[agent]; before && last != agent {
		r[agent]++
	} else if !before {
		r[agent] = 0
	}
	return agent
}

// noteOutcome records the outcome of a call. A written file restarts the counts,
// except those of errors.
func (h *handler) noteOutcome() {
	switch e := h.event; {
	case e.OutcomeUnknown || e.Cancelled:
	case e.Failed:
		h.note(pastFailed, h.callID())
		if lines := h.repo.contexts.Fingerprint(h.trimRoot(h.event.Output)); len(lines) > 0 {
			h.note(pastBroke, idOf(lines[0])+"."+h.callID())
			h.note(pastSaid, admission.Plain(strings.Join(resources.MaskSecrets(strings.Fields(lines[0])), " ")))
		}
	case e.Action == admission.Write:
		files := noCall + idOf(e.Paths...)
		h.note(pastAnew, files)
		h.forgetAbove(files)
	case e.Action == admission.Shell:
		h.note(pastWent, h.callID())
		h.noteEnd()
		if h.wroteByShell() {
			h.note(pastAnew, h.callID()) // repeating this call still counts as a loop
			h.forgetAbove(noCall + h.callID())
		}
	case e.Action == admission.Governance:
		h.note(pastStep, h.callID())
		h.noteEnd()
	case e.Action == admission.Delegate:
		if s := scoreOf(e.Output); s != "" {
			h.note(pastScored, s+" "+h.agentID())
		}
	}
}

// wroteByShell reports whether a command line shows that it wrote files.
func (h *handler) wroteByShell() bool {
	call, err := h.call()
	return err == nil && len(inRepo(call.Paths)) > 0
}
