package hook

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// maxHolds is how often one turn is kept from ending. The host itself would give
// up at nine; an agent that cannot do what is asked must be able to say so.
const maxHolds = 3

// stop is the pre-stop gate: an agent does not end its turn while the task that
// its session works on lacks evidence that it asks for.
func (h *handler) stop() Answer {
	memo := h.readMemo()
	held := memo.Held
	if !h.event.AlreadyHeld {
		held = 0
	}
	text := ""
	if held < maxHolds && !h.event.Waiting && h.repo.settings.Mode == admission.ModeEnforce {
		text = h.checklist()
	}
	if text != "" {
		held++
	}
	if held != memo.Held {
		memo.Held = held
		h.writeMemo(memo)
	}
	h.updateSession(func(*resources.SessionSpec) {})
	return Answer{Hold: text}
}

// checklist says what is still missing for the session's task, "" if nothing
// is. Only a task that the session started or wrote for counts: a session that
// merely answers a question is not kept.
func (h *handler) checklist() string {
	s, ok := h.repo.Session(h.sessionName())
	if !ok || s.Spec.ActiveTask == "" {
		return ""
	}
	t, ok := h.repo.Task(s.Spec.ActiveTask)
	if !ok || t.Spec.State != resources.TaskActive {
		return ""
	}
	missing := resources.MissingEvidence(t, h.repo.Evidence(t.Metadata.Name))
	if len(missing) == 0 {
		return ""
	}
	name := t.Metadata.Name
	var b strings.Builder
	b.WriteString("GOVERNANCE: task \"" + name + "\" is active and not done.\n\n")
	for _, item := range t.Spec.Evidence {
		mark := "x"
		for _, m := range missing {
			if m == item {
				mark = " "
			}
		}
		b.WriteString("- [" + mark + "] " + admission.Plain(item.String()) + "\n")
	}
	b.WriteString("\nExpected: " + admission.Plain(t.Spec.ExpectedOutput) + "\n")
	b.WriteString("USE INSTEAD: do what is missing, then `idumb complete " + name + " --evidence \"...\"`. If you cannot: `idumb fail " + name +
		" --reason \"...\"`. If you need the person, say what you ask and stop again.")
	return b.String()
}
