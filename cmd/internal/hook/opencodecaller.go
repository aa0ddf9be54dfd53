package hook

import (
	"github.com/idumb-dev/idumb/cmd/internal/callers"
	"github.com/idumb-dev/idumb/resources/admission"
)

// rememberCaller leaves word for the MCP server of who makes a call of our tools:
// the server itself is told nothing but the call's id, which the shim puts among
// its arguments.
func (h *opencodeHandler) rememberCaller(a Answer) {
	if !h.event.Own || a.Deny != "" || h.event.CallID == "" {
		return
	}
	role := h.recordedRole()
	if r := admission.RoleOf(admission.Call{Session: h.sessionName(), Agent: h.event.Agent, Role: role}, h.repo); r != nil {
		role = r.Metadata.Name
	}
	// Without a record the caller is somebody unnamed, in the default role.
	_ = callers.Record(h.repo.root, h.event.CallID, callers.Caller{
		Host: h.event.Host, Session: h.sessionName(), Agent: h.event.Agent, Role: role, Time: h.repo.now,
	})
}
