package hooks

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// opened returns what tells whether the session used one of its role's first tools; nil
// where no session is known, in which it could not be remembered.
func (h *handler) opened() func() bool {
	if h.sessionName() == "" {
		return nil
	}
	return func() bool { return h.readMemo().Opened }
}

// opening remembers that one was used. A role without first tools costs nothing.
func (h *handler) opening(v admission.Verdict) {
	if !v.Opens || v.Outcome == admission.Deny {
		return
	}
	if m := h.readMemo(); !m.Opened {
		m.Opened = true
		h.writeMemo(m)
	}
}

// named lists the tasks and delegations that the prompt of a subagent names.
func named(text string) []resources.Key {
	var keys []resources.Key
	for _, name := range tags(text) {
		keys = append(keys, resources.Key{Kind: resources.Delegations, Name: name})
	}
	for _, name := range tagged(text, taskTag) {
		keys = append(keys, resources.Key{Kind: resources.Tasks, Name: name})
	}
	return keys
}
