package hooks

import (
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/resources/admission"
)

// settingsChange keeps settings that were changed while an agent works from being
// applied to it: an agent could switch off its own gate. A person's change holds
// from the next session on.
func (h *handler) settingsChange() hosts.Answer {
	if h.repo.settings.Mode != admission.ModeEnforce {
		return hosts.Answer{}
	}
	file := "The agent's settings"
	if h.event.File != "" {
		file = admission.Plain(h.event.File)
	}
	text := "iDumb: " + file + " changed while an agent works, and decides which hooks hold it. The change is not applied to this session; it holds from the next one on."
	return hosts.Answer{Refuse: text, Notice: text}
}
