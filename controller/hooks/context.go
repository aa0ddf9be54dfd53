package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// An agent is given a whole pack when its conversation begins, is taken up again after a
// pause, or was compacted, and afterwards what changed since it last was told. What it knows is
// kept beside the session's record (notes.go).

// sessionStart puts the whole packed context in front of the agent: at the start, on
// coming back, and after a compaction has thrown it away. A conversation that its host takes
// up at once, as one process a prompt does, still holds what it was told.
func (h *handler) sessionStart() hosts.Answer {
	if h.repo.alone {
		h.repo.findLost()
	}
	away, knew := h.away(), h.known()
	if h.event.Compacted {
		away = 0
	}
	if !h.event.Resumed || h.event.Compacted {
		h.forgetComments()
	}
	h.updateSession(func(s *resources.SessionSpec) {
		s.Enter(resources.StateNew)
		if h.event.Compacted {
			s.Counters.Compactions++
			s.Enter(resources.StateCompacted)
		}
		h.noteReturn(s, away)
	})
	if h.repo.code != nil {
		h.repo.code.Warm()
	}
	notice, trouble := h.started(), ""
	if !h.event.Compacted {
		trouble = h.exportsNotice()
	}
	answer := hosts.Answer{Notice: inLines(notice, trouble)}
	if h.event.Resumed && !h.event.Compacted && !h.isReturn(away) && h.known() != "" {
		answer.Context = h.flow(h.atEnd() + h.update())
	} else {
		answer.Context = h.whole(away, inLines(forAgents(notice), trouble))
	}
	sharing := h.sharing()
	if advice := sharing.Advice(); sharing.Hidden() && h.repo.settings.Mode != admission.ModeOff {
		if !strings.Contains(answer.Context, sharing.Quoted()) {
			answer.Context = inLines(advice, answer.Context)
		}
		answer.Notice = inLines(answer.Notice, "iDumb: "+sharing.What()+": "+sharing.Commands())
	}
	if h.event.Compacted {
		h.exportCompaction(knew, h.known())
	}
	if _, untrusted := h.repo.trustLine(); untrusted != "" {
		answer.Notice = untrusted
	}
	if !h.event.Resumed && !h.event.Compacted {
		answer.Notice = inLines(h.splitNotice(), answer.Notice)
	}
	return answer
}

// splitWords begin the notice of hooks that an earlier version installed.
const splitWords = "iDumb: an earlier version installed hooks in "

// splitNotice tells the user of hooks from which another host makes a program of their prompts.
func (h *handler) splitNotice() string {
	files := hosts.SplitSettings(string(h.repo.Root))
	if len(files) == 0 {
		return ""
	}
	return splitWords + files[0] + " whose \"args\" GitHub Copilot CLI drops: a shell then executes text of your prompts. See: idumb doctor"
}

// noteReturn writes into the record that the session goes on after a pause.
func (h *handler) noteReturn(s *resources.SessionSpec, away pause) {
	if h.isReturn(away) {
		s.ResumedAt = resources.NewTime(h.repo.now)
		s.Enter(resources.StateResumed)
	}
}

// forAgents is a notice about the controller without what is news for the person alone.
func forAgents(notice string) string {
	if notice == startedNotice || notice == oneJobNotice {
		return ""
	}
	return notice
}

// whole is the pack, with what is to be said beside it, as far as the host has room.
func (h *handler) whole(away pause, notice string) string {
	if h.composes() {
		h.sayAnew("")
		return ""
	}
	text := h.context()
	before := h.known()
	h.remember(text)
	h.sayAnew(text)
	dated := h.dated()
	room := h.limit - characters(text) - characters(dated) - 1
	if notice != "" && characters(notice) < room {
		notice += "\n"
		room -= characters(notice)
	} else {
		notice = ""
	}
	since := h.sinceThen(away, before, text, room)
	h.noteTold(since + dated + wholeTold + notice)
	return since + dated + text + notice
}

// sinceThen tells whoever comes back what changed meanwhile, as far as there is room for it.
func (h *handler) sinceThen(away pause, before, now string, room int) string {
	line := strings.Replace(h.returned(away), ".\n", ". ", 1)
	if line == "" || before == "" {
		return ""
	}
	update := h.repo.contexts.Update(before, now, nil)
	texts := []string{line + "What follows is as it is now.\n"}
	switch news := strings.TrimSuffix(update, now); {
	case update == "":
		texts = []string{line + "Nothing changed since then.\n"}
	case news != "":
		texts = append([]string{line + "Changed since then:\n" + news}, texts...)
	}
	for _, text := range texts {
		if characters(text) <= room {
			return text
		}
	}
	return ""
}

// prompt tells what changed since the session was last told. It goes out at the end of
// the conversation, where it costs only itself; and nothing goes out if nothing did.
func (h *handler) prompt() hosts.Answer {
	away := h.away()
	h.updateSession(func(s *resources.SessionSpec) {
		s.Counters.Turns++
		s.Counters.QuietTurns++
		s.Counters.Repeats = 0
		if midTurn(s) && !h.composes() {
			s.Counters.Cancels++ // the turn before never ended: the person stopped it, of which most hosts say nothing
		}
		s.Enter(resources.StateWorking)
		if looksCompacted(h.event.Text) {
			s.Counters.Compactions++
			s.Enter(resources.StateCompacted)
		} else if h.readMemo().Lost {
			s.Enter(resources.StateCompacted)
		}
		h.noteReturn(s, away)
	})
	h.updateMemo(func(m *memo) {
		m.Held = false
		m.endTurn()
	})
	h.beginTurn()
	if h.record().State == resources.StateCompacted {
		h.forgetComments()
	}
	if looksCompacted(h.event.Text) {
		knew := cmp.Or(h.known(), string(h.readNotes(notesBase)))
		defer func() { h.exportCompaction(knew, h.context()) }()
	}
	if h.composes() {
		h.sayAside(h.flow(h.takenOver() + h.researched() + h.soonStale() + h.returned(away) + h.atEnd() + h.atPrompt(h.limit)))
		return hosts.Answer{}
	}
	if h.purifies() || h.isReturn(away) {
		text := h.whole(away, inLines(h.takenOver(), h.researched(), h.soonStale()))
		return hosts.Answer{Context: text + h.atPrompt(h.limit-characters(text))}
	}
	text := h.takenOver() + h.researched() + h.soonStale() + h.update()
	text = h.atEnd() + text
	return hosts.Answer{Context: h.flow(text + h.atPrompt(h.limit-characters(text)))}
}

// returned is the line that greets a session after a pause.
func (h *handler) returned(away pause) string {
	if !h.isReturn(away) || !h.repo.trusted() {
		return ""
	}
	return "This session was resumed: you were away for " + away.String() + ".\n"
}

// sayAside keeps what goes with the requests of this turn.
func (h *handler) sayAside(text string) {
	h.updateMemo(func(m *memo) { m.Aside = text })
}

// update is what the session has to be told, which then counts as told.
func (h *handler) update() string {
	now := h.context()
	told := h.repo.contexts.Given(now)
	text := h.since(h.known(), now, h.given(told))
	if text == "" {
		return ""
	}
	h.remember(now)
	h.updateMemo(func(m *memo) { m.give(told, false) })
	dated := h.dated()
	if characters(dated+text) > h.limit { // the pack as a whole, with lines in front
		text = now
	}
	text = dated + text
	h.noteTold(strings.Replace(text, now, wholeTold, 1))
	return text
}

// switched tells what bears on the task that the call started or put the session on, and what waits for it, or
// that the call turned the work to another plan, at once: an agent that runs to its end sees no other prompt. Hosts that ask for the context of each
// request have it anyway, and a hook alone knows nothing new.
func (h *handler) switched(from string) string {
	_, alone := h.repo.contexts.(lastPacks)
	aside := ""
	if t, ok := h.repo.Task(from); ok && h.record().Delegation == "" && h.record().ActiveTask == from {
		aside = h.setAside(t)
	}
	if now := h.record().ActiveTask; now == from && !h.startsTask || now == "" && aside == "" || alone || h.composes() {
		return aside
	}
	return aside + h.update()
}

// given are the IDs of those that the session was told.
func (h *handler) given(list []Told) (ids []string) {
	m := h.readMemo()
	for _, t := range list {
		if m.knows(t) {
			ids = append(ids, t.ID)
		}
	}
	return append(ids, m.heardBeside()...)
}

// since is what changed from one context to the next, without the mems and anchors that are known. What
// is not trusted is not even told as a difference.
func (h *handler) since(before, now string, known []string) string {
	if h.repo.trusted() {
		return h.repo.contexts.Update(before, now, known)
	}
	if before == now {
		return ""
	}
	return now
}

// subagentStart gives a subagent the whole context: it knows nothing of what its
// parent was told. Its record is made here, under its parent's task or its delegation.
func (h *handler) subagentStart() hosts.Answer {
	h.updateSession(func(*resources.SessionSpec) {})
	h.noteDelegation()
	return hosts.Answer{Context: h.whole(0, "")}
}

// lateDelegation tells a subagent of its delegation if that was found out only after it
// had started: some hosts say with its first call which call started it.
func (h *handler) lateDelegation() string {
	if h.record().Delegation == "" || h.composes() || !h.noteDelegation() {
		return ""
	}
	return h.update()
}

// beforeCompact adds to the instructions of the summary what it must keep; the whole
// context comes again after it.
func (h *handler) beforeCompact() hosts.Answer {
	if !h.repo.trusted() {
		return hosts.Answer{}
	}
	text := ""
	for _, l := range h.keep() {
		if l += "\n"; characters(text+l) <= h.limit/2 {
			text += l
		}
	}
	const order = "Keep what follows in the summary as well, word for word:\n"
	if rest := h.repo.contexts.Compaction(h.context(), h.limit-characters(text+order)); rest != "" {
		text += order + rest
	}
	return hosts.Answer{Context: text}
}

// keep is what the session is about right now, in sentences.
func (h *handler) keep() []string {
	t, ok := h.work()
	if !ok {
		return nil
	}
	name := t.Metadata.Name
	keep := []string{"Keep in the summary, word for word: the active iDumb task is \"" + name + "\" of plan \"" + t.Spec.WorkPlan + "\"."}
	for _, item := range status.MissingEvidence(t, h.repo.Evidence(name)) {
		keep = append(keep, "Evidence still missing: "+admission.Plain(item.String()))
	}
	return keep
}

// characters counts as hosts do, in UTF-16 code units.
func characters(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// pause is how long nothing was heard of a session.
type pause time.Duration

// String says it as people do.
func (p pause) String() string {
	d := time.Duration(p)
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours())/24)
	case d >= time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// away is how long nothing was heard of this session before this event; 0 for a
// session that begins.
func (h *handler) away() pause {
	seen := h.record().LastSeenAt
	if seen.IsZero() {
		return 0
	}
	return pause(max(0, h.repo.now.Sub(seen.Time)))
}

// isReturn reports whether a session goes on after a pause: one that makes it idle, or
// a shorter one if it had ended, or its host resumes it.
func (h *handler) isReturn(away pause) bool {
	idle := resources.Duration(h.repo.settings.SessionIdleAfter, 0)
	return away >= pause(idle) || h.event.Resumed && away >= pause(time.Minute)
}
