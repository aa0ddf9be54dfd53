package main

import (
	"cmp"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// toolsAsked are the tools that --list asks about, as hosts name them.
var toolsAsked = [...]string{"read", "grep", "glob", "write", "edit", "bash", "webfetch", "task"}

// verbsAsked are the commands of idumb that --list asks about, besides create for each
// kind that has flags for it.
var verbsAsked = [...]string{
	"get tasks", "start", "review", "complete", "fail", "abandon", "recall", "edit task", "patch config", "apply", "import", "migrate", "archive", "restore", "delete task", "hook uninstall",
}

// rights is the answer to --list.
type rights struct {
	Agent string              `json:"agent,omitempty"`
	Role  string              `json:"role,omitempty"`
	Least bool                `json:"leastRole,omitempty"`
	Mode  string              `json:"mode"`
	Can   []right             `json:"can"`
	Paths resources.PathRules `json:"paths,omitzero"`
	Shell resources.RuleSet   `json:"shell,omitzero"`
	Tools resources.RuleSet   `json:"tools,omitzero"`
}

// listRights asks for everything that there is a name for.
func (a *app) listRights(root layout.Root, o canI, format printers.Format) error {
	all := rights{Agent: o.question.As}
	for _, words := range everything() {
		q, err := a.asked(o.question, words)
		if err != nil {
			return err
		}
		all.Can = append(all.Can, a.ask(root, q))
	}
	if first := all.Can[0]; first.Role != "" {
		all.Role, all.Least, all.Mode = first.Role, first.Least, first.Mode
		a.addRules(root, &all)
	}
	if format.Name != "" {
		return (&printers.Printer{Format: format}).PrintValue(a.stdout, all)
	}
	a.warnOf(all.Can[0])
	return a.printRights(all)
}

// everything is what --list asks, word by word.
func everything() [][]string {
	var all [][]string
	for _, tool := range toolsAsked {
		all = append(all, []string{tool})
	}
	for _, made := range creators() {
		kind, _ := resources.KindOf(made.kind)
		all = append(all, []string{"create", kind.Singular})
	}
	for _, verb := range verbsAsked {
		all = append(all, strings.Fields(verb))
	}
	return all
}

// addRules adds what the role says of files and commands, which are too many to ask for.
func (a *app) addRules(root layout.Root, all *rights) {
	if role, ok := hook.RoleIn(root, all.Role, a.now()); ok {
		all.Paths, all.Shell, all.Tools = role.Spec.Paths, role.Spec.Shell, role.Spec.Tools
	}
}

func (a *app) printRights(all rights) error {
	w := tabwriter.NewWriter(a.stdout, 0, 8, 3, ' ', 0)
	fmt.Fprintln(w, "ACTION\tANSWER\tRULE")
	for _, r := range all.Can {
		answer := "yes"
		switch {
		case r.Ask:
			answer = "ask"
		case !r.Allowed:
			answer = "no"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", strings.TrimSpace(r.Action+" "+r.Object), answer, cmp.Or(r.Rule, "<none>"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range [...]struct {
		name  string
		rules []string
	}{
		{"writes only", all.Paths.Write}, {"never writes", all.Paths.Deny}, {"runs only", all.Shell.Allow}, {"never runs", all.Shell.Deny},
		{"uses only", all.Tools.Allow}, {"never uses", all.Tools.Deny},
	} {
		if len(line.rules) > 0 {
			a.outf("%s: %s\n", line.name, terminal.EscapeLine(strings.Join(line.rules, ", ")))
		}
	}
	return nil
}
