package hook

import "github.com/idumb-dev/idumb/resources/admission"

// settingsChange keeps settings that were changed while an agent works from being
// applied to it: an agent could switch off its own gate. A person's change holds
// from the next session on.
func (h *handler) settingsChange() Answer {
	if h.repo.settings.Mode != admission.ModeEnforce {
		return Answer{}
	}
	return Answer{Refuse: "iDumb: settings that decide which hooks run changed while an agent works; they are applied from the next session on."}
}
