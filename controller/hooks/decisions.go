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

// A person who is asked about a call that decides something agrees by letting it run: no host says so
// in any other way. So the gate leaves word of what it asked about, for the command or the tool that
// then runs; and the next call of the same session takes the word back, for that one was not asked about.

// askedToDecide leaves word of the decisions that the person is asked about, with who asks; none takes
// back what the session left.
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

// agreed reports whether the person was asked about the call that runs now, whether it may decide about
// a decision.
func (h *handler) agreed(decision string) bool {
	lines := strings.Split(string(h.repo.notes(h.topSession(), notesDecides)), "\n")
	return decision != "" && slices.Contains(lines[1:], decision)
}

// MayDecide reports whether the caller decides about the decision of that name: its role does, or the
// person was asked about this call.
func (g *Gate) MayDecide(decision string) bool {
	return admission.MayDecide(g.owner(), decision, g.h.repo) || g.h.agreed(decision)
}

// MayDecide is what tells of which decisions the agent of a session may decide, for the commands that
// its shell runs.
func MayDecide(root Root, session string, env []string, now time.Time) func(decision string) bool {
	return func(decision string) bool {
		return Backend{}.OpenGate(root, callers.Caller{Session: session}, env, now).MayDecide(decision)
	}
}

// mayDecide reports whether whoever acts decides about a decision by its role.
func (h *handler) mayDecide(decision string) bool {
	return admission.MayDecide(h.self(), decision, h.repo)
}

// decidesByTool is the command that does what a call of our tool for plans does, if that decides
// something; "" if not.
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
