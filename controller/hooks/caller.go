package hooks

import (
	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources/admission"
)

// nameCaller leaves word for the MCP server of who makes a call of one of our tools:
// the server is told no more than the call's id. Without it, the caller is somebody
// unnamed in the default role.
func (h *handler) nameCaller() {
	e := h.event
	if !e.Own || e.CallID == "" {
		return
	}
	who := callers.Caller{
		Host: e.Host, Session: h.sessionName(), Agent: e.Agent, Subagent: e.Subagent, Role: h.recordedRole(), Time: h.repo.now,
	}
	if role := admission.RoleOf(admission.Call{Session: who.Session, Agent: who.Agent, Role: who.Role}, h.repo); role != nil {
		who.Role = role.Metadata.Name
	}
	_ = callers.Record(h.repo.root, e.CallID, who)
}
