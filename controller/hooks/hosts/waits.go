package hosts

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// question is a tool by which an agent asks the person.
type question struct {
	tool     string
	waitsFor string
}

// claudeQuestions, codexQuestions and openCodeQuestions are the tools that ask.
var (
	claudeQuestions = []question{
		{"AskUserQuestion", resources.WaitsForAnswer},
		{"ExitPlanMode", resources.WaitsForPermission},
	}
	codexQuestions    = []question{{"request_user_input", resources.WaitsForAnswer}}
	openCodeQuestions = []question{{"question", resources.WaitsForAnswer}}
)

// refineQuestion fills in what a call asks the person: the first of its questions.
func refineQuestion(e *Event, known []question) {
	for _, q := range known {
		if q.tool != e.Tool {
			continue
		}
		e.WaitsFor = q.waitsFor
		if all := Items(e.Args["questions"]); len(all) > 0 {
			if first, err := ReadObject(all[0]); err == nil {
				e.Text = first.Text("question")
			}
		}
	}
}

// notices are Claude Code's notifications that the person is waited for, by their type and, in versions that
// send none, by how their text begins. What is said of permission names a tool, not the call: the event
// PermissionRequest comes before it, and its words stay.
var notices = [...]struct{ kind, begins, waitsFor string }{
	{"permission_prompt", "Claude needs your permission", resources.WaitsForPermission},
	{"idle_prompt", "Claude is waiting for your input", resources.WaitsForInput},
	{"elicitation_dialog", "", resources.WaitsForAnswer},
}

// refineNotification reads what a notification says that is waited for; any other one is ignored.
func refineNotification(e *Event, in Object) {
	kind := in.Text("notification_type")
	e.Text = in.Text("message")
	for _, n := range notices {
		if kind == n.kind || kind == "" && n.begins != "" && strings.HasPrefix(e.Text, n.begins) {
			e.WaitsFor = n.waitsFor
			return
		}
	}
	e.Type, e.Text = Ignored, ""
}
