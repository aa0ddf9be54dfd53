package hooks

import (
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// What a call may do to plans and tasks is judged before it runs, as far as that can be read off
// it. A script does what it does: once it has run, what changed in it is held against the same
// rules. What was there before is known from the controller, which sees every change, or from the
// ledger of the files where no controller was asked before the call. Of a call before which a
// controller answered that is gone since, nothing is known.

// watchesSpecs reports whether a call may change plans and tasks by itself.
func (h *handler) watchesSpecs() bool {
	switch h.event.Action {
	case admission.Shell, admission.Write, admission.Other:
		return h.sessionName() != ""
	}
	return false
}

// specCall names a call for Specs.
func (h *handler) specCall() string { return h.sessionName() + " " + h.event.CallID + " " + h.callID() }

// beginSpecs remembers how plans and tasks stand before a call.
func (h *handler) beginSpecs() {
	switch {
	case !h.watchesSpecs():
	case h.repo.changed != nil:
		h.repo.changed.begin(h.specCall())
	case h.repo.alone:
		for _, c := range h.repo.sweep() {
			h.judgeSpec(c, h.repo.now, false)
		}
	}
}

// specsAfter judges what changed in a call, and says what went against the rules.
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
	for _, c := range changes {
		i := slices.IndexFunc(call.Planned, func(p admission.Planned) bool { return p.Key == c.key })
		known := i >= 0 && call.Planned[i].Known // it was judged before, or the person was asked
		if known && c.old != nil {
			continue
		}
		if text := h.judgeSpec(c, since, i >= 0 || !others); text != "" && !known {
			broke = append(broke, text)
		}
	}
	if len(broke) == 0 {
		return ""
	}
	h.reportSpecs(call, broke)
	return "GOVERNANCE: in this call plans or tasks changed as no agent changes them: " + strings.Join(broke, "; ") +
		".\n\nIf this call did it, put that back now (`idumb restore` brings back what was removed); what you think should change, ask for. Tell the user either way."
}

// specChanges are what changed in a call that was judged then.
func (h *handler) specChanges(since time.Time) []specChange {
	if h.repo.changed == nil {
		if !h.repo.alone {
			return nil
		}
		return h.repo.sweep()
	}
	changes, known := h.repo.changed.end(h.specCall())
	if !known {
		return h.repo.sinceLedger(since)
	}
	return changes
}

// judgeSpec judges one change since then. It returns what is against the rules in one that this
// call made; of one that somebody else may have made there is an event, and no more.
func (h *handler) judgeSpec(c specChange, since time.Time, mine bool) string {
	if c.new == nil && exists(h.repo.Abs(layout.Path(c.key))) || h.byCommand(c, since) {
		return "" // it is back, or cannot be read, and its last good version counts; or a command judged it
	}
	if c.old == nil && mine {
		h.madeBy(c)
	}
	var refused *apierrors.Refusal
	archived := c.old == nil && exists(h.repo.Abs(layout.ArchivePath(c.key)))
	if !errors.As(admission.Transition(c.old, c.new, h.mayDecide, archived, h.repo), &refused) {
		return ""
	}
	text := strings.TrimPrefix(refused.What, "agents do not ") + " (" + refused.Why + ")"
	if mine {
		return text
	}
	h.warn("ChangedMeanwhile", c.key.String(), "changed meanwhile, by whom is unknown: "+admission.Plain(text), nil)
	return ""
}

// reportSpecs counts what a call did against the rules, and keeps it for the person's next prompt.
func (h *handler) reportSpecs(call admission.Call, broke []string) {
	reason := resources.ReasonGotThrough
	if h.repo.settings.Mode != admission.ModeEnforce {
		reason = resources.ReasonWouldDeny
	}
	what := "It ran, and: " + strings.Join(broke, "; ") + "."
	h.report(reason, call, admission.Verdict{Reason: admission.Reason{Rule: "persons-plan", What: what}}, true)
	h.updateMemo(func(m *memo) { m.Broke = append(m.Broke, broke...) })
}

// brokeNotice tells the person, once, what the session's calls did to the plan.
func (h *handler) brokeNotice() string {
	broke := h.readMemo().Broke
	if len(broke) == 0 {
		return ""
	}
	h.updateMemo(func(m *memo) { m.Broke = nil })
	return brokeWords + admission.Plain(strings.Join(broke, "; ")) + ". See: idumb get violations"
}

const brokeWords = "iDumb: this session's calls changed your plan in a way that you did not allow: "

// byCommand reports whether a command made a change, which it judged itself.
func (h *handler) byCommand(c specChange, since time.Time) bool {
	rev := ""
	if c.new != nil {
		rev = c.new.Source().Revision
	}
	return slices.ContainsFunc(h.repo.Written(since.Add(-time.Second)), func(w layout.Written) bool { return w.Key == c.key && w.Rev == rev })
}

// recently is how long before a call another session's call may have begun that still runs.
const recently = 2 * time.Minute

// othersRan reports whether a session of somebody else's made a call since then, or shortly before.
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

// madeBy has it noted in a plan or task that an agent wrote as a file which session made it, if the
// file still holds that version.
func (h *handler) madeBy(c specChange) {
	if c.new.Head().Metadata.Annotations[resources.AnnotationMadeBy] == "" {
		h.carry(wishes.NoteMaker, wishes.Args{Names: wishes.NamesOf(c.key), Over: []string{c.new.Source().Revision}})
	}
}

// withSpecs adds to the answer of a call that ran what it did to plans and tasks.
func (h *handler) withSpecs(a hosts.Answer) hosts.Answer {
	text := h.specsAfter()
	switch {
	case text == "":
	case h.repo.settings.Mode != admission.ModeEnforce:
		a.Context = strings.TrimPrefix(a.Context+"\n"+letPass+text, "\n")
	default:
		a.Late = strings.TrimPrefix(a.Late+"\n\n"+text, "\n\n")
	}
	return a
}
