package hooks

import (
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// mostPatterns limits the saved patterns of an answer.
const mostPatterns = 10

// keepAnswer records the person's answer (once, always or reject) to a question
// of the host about a call, with the patterns of the answer.
func (h *opencodeHandler) keepAnswer() {
	asked, reply := admission.Plain(h.request.Text("permission")), admission.Plain(h.request.Text("reply"))
	if asked == "" || reply == "" {
		return
	}
	var patterns []string
	_ = json.Unmarshal(h.request.Object["patterns"], &patterns) // an answer without patterns is valid
	for i, pattern := range patterns {
		patterns[i] = admission.Plain(strings.Join(resources.MaskSecrets(strings.Fields(pattern)), " "))
	}
	text := "the user answered " + reply + " to " + asked
	if len(patterns) > 0 {
		text += ": " + strings.Join(patterns[:min(len(patterns), mostPatterns)], ", ")
	}
	_ = h.repo.AppendEvent(resources.Event{
		Time: resources.NewTime(h.repo.now), Type: resources.Normal, Reason: "PermissionAnswered",
		Object: "session/" + h.sessionName(), Message: text, From: "hook/" + h.event.Host,
	})
}
