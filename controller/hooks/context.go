package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/status"
)

// An agent receives a complete pack when its conversation begins, resumes after
// a pause, or was compacted. Afterwards it receives only changes. The content
// that it has received is recorded next to the session's record.

// scanPatience is the time that the start of a session waits for the first scan
// of a project (001 section VI), so that its first context names the stack.
const scanPatience = 300 * time.Millisecond

// sessionStart returns the complete packed context: at the start, on resuming,
// and after a compaction. A conversation that its host resumes at once still
// contains the context, for example if the host runs one process for each
// prompt, and gets only the changes.
func (h *handler) sessionStart() hosts.Answer {
	if h.event.AfterPrompt && h.knownPack() != "" { // the answer to the prompt contained the context
		return hosts.Answer{}
	}
	if h.repo.readsFiles {
		h.repo.findLost()
	}
	away, knew := h.away(), h.knownPack()
	if h.event.Compacted {
		away = 0
	}
	if !h.event.Resumed || h.event.Compacted || h.event.Forgot {
		h.loseContext()
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
		h.repo.code.FirstScan(scanPatience)
	}
	notice, trouble := h.startNotice(), ""
	if !h.event.Compacted {
		trouble = h.exportsNotice()
	}
	answer := hosts.Answer{Notice: inLines(notice, trouble)}
	if h.event.Resumed && !h.event.Compacted && !h.event.Forgot && !h.isReturn(away) && h.knownPack() != "" {
		answer.Context = h.flow(h.expiredSnippets() + h.update())
	} else {
		answer.Context = h.fullPack(away, inLines(forAgents(notice), trouble))
	}
	sharing := h.sharing()
	if advice := sharing.Advice(); sharing.HasHidden() && h.repo.settings.Mode != admission.ModeOff {
		if !strings.Contains(answer.Context, sharing.Quoted()) {
			answer.Context = inLines(advice, answer.Context)
		}
		answer.Notice = inLines(answer.Notice, "iDumb: "+sharing.Clause()+": "+sharing.Commands())
	}
	if h.event.Compacted {
		h.exportCompaction(knew, h.knownPack())
	}
	if _, untrusted := h.repo.trustLine(); untrusted != "" {
		answer.Notice = untrusted
	}
	if !h.event.Resumed && !h.event.Compacted {
		answer.Notice = inLines(h.splitNotice(), answer.Notice)
	}
	return answer
}

// splitWords is the beginning of the notice about hooks of an earlier version.
const splitWords = "iDumb: an earlier version installed hooks in "

// splitNotice warns the user of hooks from which another host would run parts
// of prompts as a program.
func (h *handler) splitNotice() string {
	files := hosts.SplitSettings(string(h.repo.Root))
	if len(files) == 0 {
		return ""
	}
	return splitWords + files[0] + " whose \"args\" GitHub Copilot CLI drops: a shell then executes text of your prompts. See: idumb doctor"
}

// noteReturn records that the session resumes after a pause.
func (h *handler) noteReturn(s *resources.SessionSpec, away idleTime) {
	if h.isReturn(away) {
		s.ResumedAt = resources.NewTime(h.repo.now)
		s.Enter(resources.StateResumed)
	}
}

// forAgents returns a notice about the controller, or an empty text if it is
// only for the person.
func forAgents(notice string) string {
	if notice == startedNotice || notice == oneJobNotice {
		return ""
	}
	return notice
}

// fullPack returns the pack with additional texts, within the host's limit, and
// records it as received. It is empty for a host that requests context for each
// request.
func (h *handler) fullPack(away idleTime, notice string) string {
	if h.composes() {
		h.resetReceipts("")
		return ""
	}
	text := h.context()
	before := h.knownPack()
	h.remember(text)
	h.resetReceipts(text)
	dated := h.dated()
	room := h.limit - characters(text) - characters(dated) - 1
	if notice != "" && characters(notice) < room {
		notice += "\n"
		room -= characters(notice)
	} else {
		notice = ""
	}
	since := h.changesDuring(away, before, text, room)
	h.logDelivery(since + dated + wholeTold + notice)
	return since + dated + text + notice
}

// changesDuring returns the changes during a pause, within the given room.
func (h *handler) changesDuring(away idleTime, before, now string, room int) string {
	line := strings.Replace(h.returned(away), ".\n", ". ", 1)
	if line == "" || before == "" {
		return ""
	}
	update := h.repo.contexts.Update(before, now, nil)
	texts := []string{line + "The current context follows.\n"}
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

// prompt counts the turn and returns the changes since the session last received
// context, or the whole pack after a pause or a loss of context. The text is added
// at the end of the conversation, to keep the prompt cache valid. It is empty if
// nothing changed.
func (h *handler) prompt() hosts.Answer {
	away := h.away()
	h.noteEnd()
	outputs := h.countOutputs()
	h.updateSession(func(s *resources.SessionSpec) {
		s.Counters.Outputs, s.Counters.StaleOutputs = outputs.All, outputs.Stale
		s.Counters.Turns++
		s.Counters.QuietTurns++
		s.Counters.Repeats = 0
		if midTurn(s) && !h.composes() {
			s.Counters.Cancels++ // the previous turn did not end: the person stopped it, and most hosts send no event for that
		}
		s.Enter(resources.StateWorking)
		if looksCompacted(h.event.Text) {
			s.Counters.Compactions++
			s.Enter(resources.StateCompacted)
		} else if h.readState().LostContext {
			s.Enter(resources.StateCompacted)
		}
		h.noteReturn(s, away)
	})
	h.updateState(func(m *sessionState) {
		m.HeldOnce, m.HeldWith, m.Agents = false, "", nil
		m.Receipts = slices.DeleteFunc(m.Receipts, func(g receipt) bool { return g.TurnOnly })
	})
	h.beginTurn()
	if h.record().State == resources.StateCompacted {
		h.loseContext()
	}
	if looksCompacted(h.event.Text) {
		knew := cmp.Or(h.knownPack(), string(h.readNotes(notesBase)))
		defer func() { h.exportCompaction(knew, h.context()) }()
	}
	if isFarewell(h.event.Text) {
		h.saveTurnText("")
		return hosts.Answer{}
	}
	if h.composes() {
		h.saveTurnText(h.flow(h.takenOver() + h.results() + h.soonStale() + h.returned(away) + h.expiredSnippets() + h.promptSnippets(h.limit)))
		return hosts.Answer{}
	}
	if h.purifies() || h.isReturn(away) {
		text := h.fullPack(away, inLines(h.takenOver(), h.results(), h.soonStale()))
		return hosts.Answer{Context: text + h.promptSnippets(h.limit-characters(text))}
	}
	text := h.takenOver() + h.results() + h.soonStale() + h.update()
	text = h.expiredSnippets() + text
	return hosts.Answer{Context: h.flow(text + h.promptSnippets(h.limit-characters(text)))}
}

// returned returns the line that greets a session after a pause, or "".
func (h *handler) returned(away idleTime) string {
	if !h.isReturn(away) || !h.repo.trusted() {
		return ""
	}
	return "This session was resumed: you were away for " + away.String() + ".\n"
}

// saveTurnText saves a text that is sent only with the requests of this turn.
func (h *handler) saveTurnText(text string) {
	h.updateState(func(m *sessionState) { m.TurnContext = text })
}

// update returns the changes for the session, and records them as received.
func (h *handler) update() string {
	now := h.context()
	told := h.repo.contexts.PackSnippets(now)
	text := h.since(h.knownPack(), now, append(h.receivedIDs(told), h.readState().Completed...))
	if text == "" {
		return ""
	}
	h.remember(now)
	h.updateState(func(m *sessionState) {
		m.Completed = nil
		m.addReceipts(told, false)
	})
	dated := h.dated()
	if characters(dated+text) > h.limit { // the whole pack, with lines in front
		text = now
	}
	text = dated + text
	h.logDelivery(strings.Replace(text, now, wholeTold, 1))
	return text
}

// switched returns the context of a task that the call activated, at once,
// because an agent that runs to its end receives no other prompt. It also
// reports that the call moved the work to another plan. It returns nothing for
// hosts that request context for each request, and for a hook without a
// controller.
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

// receivedIDs returns the IDs of the objects that the session has received.
func (h *handler) receivedIDs(list []Snippet) (ids []string) {
	m := h.readState()
	for _, t := range list {
		if m.delivered(t) {
			ids = append(ids, t.ID)
		}
	}
	return append(ids, m.deliveredIDs()...)
}

// since returns the difference between two contexts, without known mems and
// anchors. In an untrusted repository it computes no difference, and returns the
// new context.
func (h *handler) since(before, now string, known []string) string {
	if h.repo.trusted() {
		return h.repo.contexts.Update(before, now, known)
	}
	if before == now {
		return ""
	}
	return now
}

// lateDelegation gives a subagent its delegation if it was found only after the
// start. Some hosts send only with the first call which call started the
// subagent.
func (h *handler) lateDelegation() string {
	if h.record().Delegation == "" || h.composes() || !h.noteDelegation() {
		return ""
	}
	return h.update()
}

// beforeCompact adds text to the instructions of the summary that the summary
// must keep. The complete context is sent again after the compaction. If the
// host sends no event then, it is sent with the result of the next call, or with
// the next prompt.
func (h *handler) beforeCompact() hosts.Answer {
	if h.host().DropsContext {
		h.loseContext()
		h.updateSession(func(s *resources.SessionSpec) { s.Counters.Compactions++ })
		h.updateState(func(m *sessionState) { m.LostContext = true })
		return hosts.Answer{}
	}
	if !h.repo.trusted() {
		return hosts.Answer{}
	}
	text := ""
	for _, l := range h.keep() {
		if l += "\n"; characters(text+l) <= h.limit/2 {
			text += l
		}
	}
	const order = "Copy the following lines into the summary, word for word:\n"
	if rest := h.repo.contexts.Compaction(h.context(), h.limit-characters(text+order)); rest != "" {
		text += order + rest
	}
	return hosts.Answer{Context: text}
}

// afterLoss returns the complete context for an agent whose host dropped it in a
// compaction during the turn.
func (h *handler) afterLoss() string {
	if !h.host().DropsContext || !h.readState().LostContext {
		return ""
	}
	return h.fullPack(0, "")
}

// keep returns sentences about the current work of the session.
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

// characters returns the length in UTF-16 code units, as hosts count it.
func characters(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// idleTime is the time since the last event of a session.
type idleTime time.Duration

// String returns the pause in a form for people.
func (p idleTime) String() string {
	d := time.Duration(p)
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours())/24)
	case d >= time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d min", int(d.Minutes()))
}

// away returns the time between the previous event of this session and this
// one, or 0 for a new session.
func (h *handler) away() idleTime {
	seen := h.record().LastSeenAt
	if seen.IsZero() {
		return 0
	}
	return idleTime(max(0, h.repo.now.Sub(seen.Time)))
}

// isReturn reports whether a session resumes after a pause. The pause must be
// long enough to make the session idle, or at least a minute if the host
// resumes the session.
func (h *handler) isReturn(away idleTime) bool {
	idle := resources.Duration(h.repo.settings.SessionIdleAfter, 0)
	return away >= idleTime(idle) || h.event.Resumed && away >= idleTime(time.Minute)
}
