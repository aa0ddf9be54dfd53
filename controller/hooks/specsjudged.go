package hooks

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// The visible effect of a call on plans and tasks is judged before the call.
// The effect of a script is not visible, so the changes are judged by the same
// rules after it has run. The state before the call comes from the controller,
// which sees every change, or from the ledger if no controller was running
// before the call. If the controller has ended since the call began, the
// changes are unknown.

// watchesSpecs reports whether a call may change plans and tasks directly.
func (h *handler) watchesSpecs() bool {
	switch h.event.Action {
	case admission.Shell, admission.Write, admission.Other:
		return h.sessionName() != ""
	}
	return false
}

func (h *handler) specCall() string { return h.sessionName() + " " + h.event.CallID + " " + h.callID() }

// beginSpecs records the state of plans and tasks before a call.
func (h *handler) beginSpecs() {
	switch {
	case !h.watchesSpecs():
	case h.repo.changed != nil:
		h.repo.changed.begin(h.specCall())
	case h.repo.readsFiles:
		for _, c := range h.repo.sweep() {
			if !h.isSettled(c, h.repo.now) {
				h.judgeSpec(c, false)
			}
		}
	}
}

// specsAfter judges the changes in a call, and returns the violations.
func (h *handler) specsAfter() string {
	if !h.watchesSpecs() {
		return ""
	}
	since := h.judgedAt()
	changes := h.specChanges(since)
	if len(changes) == 0 {
		return ""
	}
	call, _ := h.call()
	others := h.othersRan(since) || h.repo.GitRan(since)
	var broke []string
	var made []specChange
	for _, c := range changes {
		i := slices.IndexFunc(call.Planned, func(p admission.Planned) bool { return p.Key == c.key })
		known := i >= 0 && call.Planned[i].Known // it was judged before, or the person was asked
		if known && c.old != nil {
			continue
		}
		if h.isSettled(c, since) {
			continue
		}
		mine := i >= 0 || !others
		if c.old == nil && mine {
			made = append(made, c)
		}
		if text := h.judgeSpec(c, mine); text != "" && !known {
			broke = append(broke, text)
		}
	}
	h.madeBy(made...)
	if len(broke) == 0 {
		return ""
	}
	reason := resources.ReasonGotThrough
	if h.repo.settings.Mode != admission.ModeEnforce {
		reason = resources.ReasonWouldDeny
	}
	what := "It ran, and: " + strings.Join(broke, "; ") + "."
	h.report(reason, call, admission.Verdict{Reason: admission.Reason{Rule: "persons-plan", What: what}}, true)
	h.updateState(func(m *sessionState) { m.Broke = append(m.Broke, broke...) })
	return "GOVERNANCE: during this call plans or tasks changed in ways that agents must not change them: " + strings.Join(broke, "; ") +
		".\n\nIf this call made the change, undo it now (`idumb restore` restores removed objects) and ask the user for the change that you need. Tell the user in any case."
}

// specChanges returns the changes in a call that was judged at the given time.
func (h *handler) specChanges(since time.Time) []specChange {
	if h.repo.changed == nil {
		if !h.repo.readsFiles {
			return nil
		}
		return h.repo.sweep()
	}
	changes, known := h.repo.changed.end(h.specCall())
	if !known {
		if info, err := os.Lstat(h.repo.Abs(specsFile)); err != nil || info.ModTime().Before(since) {
			return nil // the usual case; it avoids reading the ledger, which is large
		}
		if before := h.repo.specs.ledger(); !before.scanned.IsZero() {
			return h.repo.specs.changedSince(before)
		}
		return nil
	}
	return changes
}

// isSettled reports whether there is nothing to judge: a command judged the
// change, or the file exists again or is invalid and its last valid version counts.
func (h *handler) isSettled(c specChange, since time.Time) bool {
	return c.new == nil && exists(h.repo.Abs(layout.Path(c.key))) || h.byCommand(c, since)
}

// judgeSpec judges one change. It returns the violation if this call made the
// change. If another session may have made it, judgeSpec only writes an event.
func (h *handler) judgeSpec(c specChange, mine bool) string {
	var refused *apierrors.Refusal
	archived := c.old == nil && exists(h.repo.Abs(layout.ArchivePath(c.key)))
	if !errors.As(admission.Transition(c.old, c.new, h.mayDecide, archived, h.repo), &refused) {
		return ""
	}
	text := refused.Act() + " (" + refused.Why + ")"
	if mine {
		return text
	}
	h.warn("ChangedMeanwhile", c.key.String(), "changed during the call, by an unknown writer: "+admission.Plain(text), nil)
	return ""
}

// brokeNotice informs the person once about the effects of the session's calls
// on the plan.
func (h *handler) brokeNotice() string {
	broke := h.readState().Broke
	if len(broke) == 0 {
		return ""
	}
	h.updateState(func(m *sessionState) { m.Broke = nil })
	return brokeWords + admission.Plain(strings.Join(broke, "; ")) + ". See: idumb get violations"
}

const brokeWords = "iDumb: this session's calls changed your plan in a way that you did not allow: "

// byCommand reports whether a command made the change. The command has judged
// it.
func (h *handler) byCommand(c specChange, since time.Time) bool {
	rev := ""
	if c.new != nil {
		rev = c.new.Source().Revision
	}
	return slices.ContainsFunc(h.repo.WriteLog(since.Add(-time.Second)), func(w layout.WriteEntry) bool { return w.Key == c.key && w.Rev == rev })
}

// recently is the maximum time before a call at which a running call of another
// session may have begun.
const recently = 2 * time.Minute

// othersRan reports whether a session of another agent made a call since the
// given time, or shortly before.
func (h *handler) othersRan(since time.Time) bool {
	files, _ := h.repo.Root.Names(layout.HookDir)
	mine := h.topSession()
	for _, file := range files {
		session, isCalls := strings.CutSuffix(file, notesCalls)
		if !isCalls || h.above(session, "") == mine {
			continue
		}
		if info, err := os.Stat(h.repo.Abs(layout.HookDir + "/" + file)); err == nil && info.ModTime().After(since.Add(-recently)) {
			return true
		}
	}
	return false
}

// madeBy requests an annotation with the session that created plans and tasks as
// files. It is written to each file that still contains that version.
func (h *handler) madeBy(changes ...specChange) {
	var args requests.Args
	for _, c := range changes {
		if c.new.Head().Metadata.Annotations[resources.AnnotationMadeBy] == "" {
			args.Names = append(args.Names, requests.NamesOf(c.key)...)
			args.Revisions = append(args.Revisions, c.new.Source().Revision)
		}
	}
	if len(args.Names) > 0 {
		h.carry(requests.NoteMaker, args)
	}
}

// withSpecs adds the effects of a call on plans and tasks to the answer.
func (h *handler) withSpecs(a hosts.Answer) hosts.Answer {
	switch text := h.specsAfter(); {
	case text == "":
	case h.repo.settings.Mode != admission.ModeEnforce:
		a.Context = strings.TrimPrefix(a.Context+"\n"+letPass+text, "\n")
	default:
		a.LateReason = strings.TrimPrefix(a.LateReason+"\n\n"+text, "\n\n")
	}
	return a
}
