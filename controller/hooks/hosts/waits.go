package hosts

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// question is a tool with which an agent asks the person.
type question struct {
	tool     string
	waitsFor string
}

// Tools that ask the person, by host.
var (
	claudeQuestions = []question{
		{"AskUserQuestion", resources.WaitsForAnswer},
		{"ExitPlanMode", resources.WaitsForPermission},
	}
	codexQuestions    = []question{{"request_user_input", resources.WaitsForAnswer}}
	copilotQuestions  = []question{{"ask_user", resources.WaitsForAnswer}}
	geminiQuestions   = []question{{"ask_user", resources.WaitsForAnswer}, {"exit_plan_mode", resources.WaitsForPermission}}
	openCodeQuestions = []question{{"question", resources.WaitsForAnswer}}
)

// refineQuestion fills in the first question that a call asks the person.
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

// waitNotices lists the notifications of Claude Code that mean that the agent waits
// for the person. They are matched by type, or by the beginning of the text for
// versions that send no type. The text about a permission names a tool, not the
// call. The event PermissionRequest precedes it, and its text is kept.
var waitNotices = [...]struct{ kind, begins, waitsFor string }{
	{"permission_prompt", "Claude needs your permission", resources.WaitsForPermission},
	{"idle_prompt", "Claude is waiting for your input", resources.WaitsForInput},
	{"elicitation_dialog", "", resources.WaitsForAnswer},
}

// refineNotification sets WaitsFor. It ignores any other
// notification.
func refineNotification(e *Event, in Object) {
	kind := in.Text("notification_type")
	e.Text = in.Text("message")
	for _, n := range waitNotices {
		if kind == n.kind || kind == "" && n.begins != "" && strings.HasPrefix(e.Text, n.begins) {
			e.WaitsFor = n.waitsFor
			return
		}
	}
	e.Type, e.Text = Ignored, ""
}
