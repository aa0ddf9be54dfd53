package hooks

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A person who is asked about a call that makes a decision agrees by letting
// the call run, because no host sends the answer. The gate therefore records
// the decision that it asked about, for the command or tool that then runs. The
// next call of the same session removes the record, because the person was not
// asked about that call.

// askedToDecide records the decisions that the person is asked about, with the
// asking session. Without names it removes the record of the session.
func (h *handler) askedToDecide(names []string) {
	top, me := h.topSession(), h.sessionName()
	if top == "" {
		return
	}
	file := layout.NotesPath(top, notesDecides)
	if len(names) > 0 {
		_ = h.repo.Replace(file, []byte(me+"\n"+strings.Join(names, "\n")+"\n"))
		return
	}
	before := string(h.repo.notes(top, notesDecides))
	if asker, _, _ := strings.Cut(before, "\n"); before != "" && (asker == me || me == top) {
		_ = h.repo.Remove(file)
	}
}

// agreed reports whether the person was asked if the current call may make a
// decision.
func (h *handler) agreed(decision string) bool {
	lines := strings.Split(string(h.repo.notes(h.topSession(), notesDecides)), "\n")
	return decision != "" && slices.Contains(lines[1:], decision)
}

// MayDecide reports whether the caller may make the decision with the name:
// because of its role, or because the person was asked about this call.
func (g *Gate) MayDecide(decision string) bool {
	return admission.MayDecide(g.owner(), decision, g.h.repo) || g.h.agreed(decision)
}

// MayDecide returns a function that reports which decisions the agent of a
// session may make. It is for commands that the agent's shell runs.
func MayDecide(root Root, session string, env []string, now time.Time) func(decision string) bool {
	return func(decision string) bool {
		return Backend{}.OpenGate(root, callers.Caller{Session: session}, env, now).MayDecide(decision)
	}
}

// mayDecide reports whether the acting agent may make a decision because of its
// role.
func (h *handler) mayDecide(decision string) bool {
	return admission.MayDecide(h.self(), decision, h.repo)
}

// decidesByTool returns the command that is equivalent to a call of iDumb's
// plan tool, if the call makes a decision, else an empty text.
func (h *handler) decidesByTool() string {
	if !h.event.Own || !strings.HasSuffix(h.event.Tool, "govern_plan") || h.event.Args.Text("action") != admission.DecideTool {
		return ""
	}
	name := h.event.Args.Text("name")
	if _, behind, qualified := strings.Cut(name, "/"); qualified {
		name = behind
	}
	if verb := h.event.Args.Text("do"); admission.DecidesVerb(verb) && resources.CheckName(name) == nil {
		return "idumb decide " + verb + " " + name
	}
	return ""
}
