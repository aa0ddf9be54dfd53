package hooks

import (
	"encoding/json"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// mostPatterns is how many patterns of an answer are kept.
const mostPatterns = 10

// keepAnswer writes down how the person answered a question of the host's own about a call (once,
// always or reject), with the patterns that the answer is for.
func (h *opencodeHandler) keepAnswer() {
	asked, reply := admission.Plain(h.in.Text("permission")), admission.Plain(h.in.Text("reply"))
	if asked == "" || reply == "" {
		return
	}
	var patterns []string
	_ = json.Unmarshal(h.in.Object["patterns"], &patterns) // without them the answer is still one
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
