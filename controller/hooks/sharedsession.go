package hooks

import (
	"slices"

	"github.com/idumb-dev/idumb/resources/admission"
)

// Some hosts do not tell the calls of a subagent from the calls of the session
// that started it. While such subagents run, a call of the session counts as a
// call of each of them, and is denied if any of them may not make it.

// endAgent records that the subagent of the call has ended.
func (h *handler) endAgent() {
	if !h.host().SharesSession {
		return
	}
	h.updateState(func(m *sessionState) {
		if i := slices.Index(m.Agents, h.event.DelegateTo); i >= 0 {
			m.Agents = slices.Delete(m.Agents, i, i+1)
		}
	})
}

// asEach returns the call as a call of each running subagent. For a host that
// tells them apart it returns only the call.
func (h *handler) asEach(call admission.Call) []admission.Call {
	if !h.host().SharesSession || call.Agent != "" {
		return []admission.Call{call}
	}
	var calls []admission.Call
	agents := h.readState().Agents
	for i, agent := range agents {
		if !slices.Contains(agents[:i], agent) {
			c := call
			c.Agent, c.Role = agent, ""
			calls = append(calls, c)
		}
	}
	if len(calls) == 0 {
		return []admission.Call{call}
	}
	return calls
}
