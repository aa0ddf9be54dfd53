package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// asking is one question with the words in which it was asked.
type asking struct {
	hook.Question
	said    string // what is to be done
	about   string // to what
	strange bool   // no host's tool that is known, and no command of idumb, is called so
}

// environ is the environment that the gate looks at.
func environ() []string { return os.Environ() }

// asked reads the words behind can-i. Base holds who would do it.
func (a *app) asked(base hook.Question, args []string) (asking, error) {
	act, rest := args[0], args[1:]
	q := asking{Question: base, said: act, about: strings.Join(rest, " ")}
	if name, own := ownTool(act); own {
		return q.ownTool(name, rest)
	}
	if slices.Contains(a.verbs, act) && !isFileTool(act, rest) {
		q.Tool, q.Action, q.Command = "bash", admission.Shell, strings.Join(append([]string{"idumb", act}, rest...), " ")
		return q, nil
	}
	q.Tool, q.Action = act, hook.Toolbox(act)
	switch act {
	case "delegate":
		q.Tool, q.Action = "task", admission.Delegate
	case "run", "exec":
		q.Tool, q.Action = "bash", admission.Shell
	default:
		q.strange = q.Action == admission.Other && !strings.Contains(act, "_") && !admission.KnownTool(act)
	}
	return q, q.object(rest)
}

// object takes in what a tool would be used on.
func (q *asking) object(rest []string) error {
	switch {
	case q.Action == admission.Shell && len(rest) == 0:
		return nil // whether it may use the tool at all
	case q.Action == admission.Shell:
		q.Command = strings.Join(rest, " ")
	case len(rest) > 1:
		return fmt.Errorf("%s takes one file or name, and not %q as well", q.said, rest[1])
	case q.Action == admission.Delegate:
		q.To = q.about
	default:
		q.Path = q.about
	}
	return nil
}

// ownTool takes off what hosts put before the names of idumb's own tools.
func ownTool(act string) (string, bool) {
	for _, prefix := range []string{"mcp__idumb__", "idumb_"} {
		act = strings.TrimPrefix(act, prefix)
	}
	_, actions, _ := tools.Equivalent(act, "")
	return act, len(actions) > 0
}

// shellTool is our own tool that runs commands.
const shellTool = "govern_shell"

// ownTool asks for an action of one of idumb's own tools, by the command that does the same.
func (q asking) ownTool(name string, rest []string) (asking, error) {
	action := ""
	if len(rest) > 0 {
		action = rest[0]
	}
	command, actions, known := tools.Equivalent(name, action)
	if name == shellTool { // it is judged by the command that it runs, as the host's own shell is
		if known {
			rest = rest[1:]
		}
		q.Tool, q.Action, q.Command = "bash", admission.Shell, strings.Join(rest, " ")
		return q, nil
	}
	if !known {
		return q, fmt.Errorf("say which action of %s: %s", name, strings.Join(actions, ", "))
	}
	q.Tool, q.Action = name, admission.Governance
	if command != "" {
		q.Command = strings.Join(append([]string{command}, rest[1:]...), " ")
	}
	return q, nil
}

// isFileTool: "edit" is a tool and a command of idumb; it is the command where what
// follows is a kind.
func isFileTool(act string, rest []string) bool {
	if hook.Toolbox(act) == admission.Other {
		return false
	}
	if len(rest) == 0 {
		return true
	}
	kind, _, _ := strings.Cut(rest[0], "/")
	_, known := resources.LookupKind(kind)
	return !known
}
