package hooks

import (
	"cmp"
	"strconv"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// exportsDir keeps the conversations of sessions that were split. They are local, as
// sessions are, and nobody but people reads them.
const exportsDir = resources.Sessions + "/exports"

// export keeps a conversation as the host tells it, before it goes on in a new session,
// and says what that one has to know.
func (h *opencodeHandler) export(r *hosts.Reply) {
	messages := h.in.Object["messages"]
	if h.sessionName() == "" || len(messages) == 0 {
		r.Problem = "there is no conversation to keep"
		return
	}
	file := ".idumb/" + exportsDir + "/" + h.sessionName() + "-" + strconv.FormatInt(h.repo.now.UnixMilli(), 10) + ".json"
	head := hosts.Line(map[string]string{
		"schema": memory.ExportSchema, "reason": memory.ExportSplit, "staleAfter": cmp.Or(h.repo.settings.SessionStaleAfter, "48h"),
		"host": h.event.Host, "session": h.event.Session, "record": h.sessionName(), "agent": h.event.Agent,
		"exportedAt": h.repo.now.UTC().Format("2006-01-02T15:04:05Z07:00"),
	})
	text := append(head[:len(head)-2], `,"messages":`...)
	text = append(append(text, messages...), "}\n"...)
	if err := h.repo.root.Replace(file, text); err != nil {
		r.Problem = "the conversation cannot be kept: " + err.Error()
		return
	}
	r.File, r.Summary = file, h.chain()
}

// adopt puts a session on the work of the one that it goes on for.
func (h *opencodeHandler) adopt() {
	from, ok := h.repo.Session(resources.NameOfID(h.in.Text("from")))
	if !ok || h.in.Text("from") == "" {
		return
	}
	h.updateSession(func(s *resources.SessionSpec) {
		s.ActiveTask = cmp.Or(s.ActiveTask, from.Spec.ActiveTask)
		s.Role = cmp.Or(s.Role, from.Spec.Role)
		s.Delegation = cmp.Or(s.Delegation, from.Spec.Delegation)
	})
}
