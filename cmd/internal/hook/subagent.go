package hook

import "github.com/idumb-dev/idumb/resources"

// subagentStart gives a subagent the whole context: it knows nothing of what its
// parent was told. Its record is made here, under its parent's task.
func (h *handler) subagentStart() Answer {
	h.updateSession(func(*resources.SessionSpec) {})
	text := h.context()
	h.remember(text)
	return Answer{Context: text}
}
