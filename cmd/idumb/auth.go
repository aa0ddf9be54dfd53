package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/tools"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

func newAuth(a *app) *cobra.Command {
	return withVerbs(newCommand("auth", nil, noSubVerb), newCanI(a), newShellCheck(a))
}

// canI contains the options of can-i.
type canI struct {
	question hooks.Question // common fields of all queries
	list     bool
	quiet    bool
	printFlags
}

func newCanI(a *app) *cobra.Command {
	var o canI
	c := newCommand("auth can-i", nil, func(c *cobra.Command, args []string) error { return a.canI(c, o, append(args, bypasses(c)...)) })
	c.Flags().StringVar(&o.question.As, "as", "", "the role or agent (default: an agent without a name)")
	c.Flags().StringVar(&o.question.Task, "task", "", "the task of the agent (default: the active task)")
	c.Flags().StringVar(&o.question.Delegation, "delegation", "", "the delegation of the agent")
	c.Flags().BoolVar(&o.list, "list", false, "list the permissions of the agent")
	c.Flags().BoolVarP(&o.quiet, "quiet", "q", false, "print nothing; the exit code is the answer")
	_ = c.Flags().MarkHidden("quiet")
	o.declare(c, "json", "yaml", "jsonpath=")
	c.MarkFlagsMutuallyExclusive("quiet", "output")
	c.MarkFlagsMutuallyExclusive("quiet", "list")
	a.completeFlagNames(c, "as", resources.Roles)
	a.completeFlagNames(c, "task", resources.Tasks)
	a.completeFlagNames(c, "delegation", resources.Delegations)
	return c
}

// canI runs idumb auth can-i: it prints whether an agent may do something. The exit code is 1 if
// it may not. With --list it prints all permissions of the agent.
func (a *app) canI(c *cobra.Command, o canI, args []string) error {
	p, err := o.printer(a.colour)
	if err != nil {
		return err
	}
	root, err := a.root()
	if err != nil {
		return err
	}
	if o.question.Dir, err = a.folder(); err != nil {
		return err
	}
	if err := o.check(root, args); err != nil {
		return err
	}
	if o.list {
		return a.listRights(c.Context(), root, o, p)
	}
	q, err := a.parseQuery(o.question, args)
	if err != nil {
		return err
	}
	answer, err := a.rights(c.Context(), root, false, q)
	if err != nil {
		return err
	}
	if err := a.tell(&answer.Can[0], q.strange, o.quiet, p); err != nil {
		return err
	}
	if !answer.Can[0].Allowed {
		return terminal.Exit(1)
	}
	return nil
}

// check returns an error for names that do not exist: for them the answer would always be yes.
func (o *canI) check(root layout.Root, args []string) error {
	if o.list == (len(args) > 0) {
		return fmt.Errorf("name a verb or tool, or use --list\nUsage: idumb auth can-i VERB|TOOL [PATH|COMMAND|NAME] --as ROLE")
	}
	for _, ref := range []struct {
		kind string
		name *string
	}{{resources.Tasks, &o.question.Task}, {resources.Delegations, &o.question.Delegation}} {
		if *ref.name == "" {
			continue
		}
		kind, _ := resources.KindOf(ref.kind)
		key := resources.Key{Kind: ref.kind, Name: strings.TrimPrefix(*ref.name, kind.Singular+"/")}
		if _, _, err := root.ReadSpec(key); err != nil {
			return apierrors.NotFound(key)
		}
		*ref.name = key.Name
	}
	return nil
}

// rights returns the gate's answers to the queries, from the controller or from the files. If
// whole is set, the answer also describes the limits of the role.
func (a *app) rights(ctx context.Context, root layout.Root, whole bool, asked ...canIQuery) (queries.Rights, error) {
	calls := make([]hooks.Question, len(asked))
	for i := range asked {
		calls[i] = asked[i].Question
	}
	by := answers{app: a, ctx: ctx, load: func() (*snapshot, error) { return &snapshot{root: root}, nil }} // the gate reads objects by name
	answer, err := ask[queries.Rights](by, queries.AskRights, queries.RightsValues(calls, frame.RelevantEnv(os.Environ()), whole))
	if err == nil && len(answer.Can) != len(asked) {
		err = errors.New("check permissions: the answer of the gate is incomplete")
	}
	for i := range answer.Can {
		answer.Can[i].Action, answer.Can[i].Object = asked[i].action, asked[i].target
	}
	return answer, err
}

// tell prints an answer: yes or no, and the reason.
func (a *app) tell(r *queries.Right, strange, quiet bool, p *printers.Printer) error {
	switch {
	case quiet:
		return nil
	case p.Format.Name != "":
		return p.PrintValue(a.stdout, r)
	}
	if strange {
		a.errf("Warning: unknown tool or command %q; unknown tools are allowed unless a role or task denies them\n", r.Action)
	}
	a.warnOf(r)
	if r.Allowed {
		a.outf("yes%s\n", terminal.EscapeLine(reservation(r)))
		return nil
	}
	answer := "no"
	if r.Ask {
		answer = "ask the user"
	}
	a.outf("%s - %s (%s)\n", answer, terminal.EscapeLine(admission.Plain(r.Text)), r.Rule)
	for _, why := range r.Reasons {
		a.outf("  why: %s\n", terminal.EscapeLine(admission.Plain(why)))
	}
	a.outf("  use instead: %s\n", terminal.EscapeLine(admission.Plain(r.UseInstead)))
	for _, at := range r.Evidence {
		a.outf("  evidence: %s\n", terminal.EscapeLine(admission.Plain(at)))
	}
	return nil
}

// warnOf prints assumptions of the answer that the user may not expect.
func (a *app) warnOf(r *queries.Right) {
	switch {
	case r.LeastRole:
		a.errf("Warning: no role lists the agent %q; the role with the fewest permissions applies: %q\n", r.Agent, r.Role)
	case r.Role == "":
		a.errf("Warning: no role applies, so no role restricts the agent; idumb init creates the roles\n")
	}
}

// reservation returns the warning about a granted permission: that governance is off or only logs,
// or the gate's advice. It returns "" if no warning applies.
func reservation(r *queries.Right) string {
	switch {
	case r.Mode == admission.ModeOff:
		return " - governance is off"
	case r.Rule != "":
		return " - mode log: it would be recorded as a violation of " + r.Rule + ": " + admission.Plain(r.Text)
	case r.Advice != "":
		return " - " + admission.Plain(r.Advice)
	}
	return ""
}

// canIQuery is one query with the words of the command line.
type canIQuery struct {
	hooks.Question
	action  string // action
	target  string // object of the action
	strange bool   // not a known tool of a host and not a command of idumb
}

// parseQuery parses the arguments of can-i. base contains the role or agent.
func (a *app) parseQuery(base hooks.Question, args []string) (canIQuery, error) {
	act, rest := args[0], args[1:]
	q := canIQuery{Question: base, action: act, target: strings.Join(rest, " ")}
	if name, own := ownTool(act); own {
		return q.ownTool(name, rest)
	}
	if slices.Contains(a.verbs, act) && !isFileTool(act, rest) {
		q.Tool, q.Action, q.Command = "bash", admission.Shell, strings.Join(append([]string{"idumb", act}, rest...), " ")
		return q, nil
	}
	q.Tool, q.Action = act, hosts.Toolbox(act)
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

// object sets the command, the delegate or the path that the query is about from the remaining
// words.
func (q *canIQuery) object(rest []string) error {
	switch {
	case q.Action == admission.Shell && len(rest) == 0:
		return nil // asks for the tool without a command
	case q.Action == admission.Shell:
		q.Command = strings.Join(rest, " ")
	case len(rest) > 1:
		return fmt.Errorf("%s takes one file or name; remove %q", q.action, rest[1])
	case q.Action == admission.Delegate:
		q.To = q.target
	default:
		q.Path = q.target
	}
	return nil
}

// ownTool returns a tool's name without the host's prefix, and whether it is one of idumb's tools.
func ownTool(act string) (string, bool) {
	for _, prefix := range []string{"mcp__idumb__", "idumb_"} {
		act = strings.TrimPrefix(act, prefix)
	}
	_, actions, _ := tools.Equivalent(act, "")
	return act, len(actions) > 0
}

// shellTool is idumb's tool that runs commands.
const shellTool = "govern_shell"

// ownTool returns the query for an action of one of idumb's tools: the equivalent command.
func (q canIQuery) ownTool(name string, rest []string) (canIQuery, error) {
	action := ""
	if len(rest) > 0 {
		action = rest[0]
	}
	command, actions, known := tools.Equivalent(name, action)
	if name == shellTool { // judged by the command that it runs, like the host's shell
		if known {
			rest = rest[1:]
		}
		q.Tool, q.Action, q.Command = "bash", admission.Shell, strings.Join(rest, " ")
		return q, nil
	}
	if !known {
		return q, fmt.Errorf("name an action of %s: %s", name, strings.Join(actions, ", "))
	}
	q.Tool, q.Action = name, admission.Governance
	if command != "" {
		q.Command = strings.Join(append([]string{command}, rest[1:]...), " ")
	}
	return q, nil
}

// isFileTool reports whether a word is a tool. "edit" is both a tool and a command of idumb; it is
// the command if a kind follows.
func isFileTool(act string, rest []string) bool {
	if hosts.Toolbox(act) == admission.Other {
		return false
	}
	if len(rest) == 0 {
		return true
	}
	kind, _, _ := strings.Cut(rest[0], "/")
	_, known := resources.LookupKind(kind)
	return !known
}

// listedTools lists the tools of --list, with their names in hosts.
var listedTools = [...]string{"read", "grep", "glob", "write", "edit", "bash", "webfetch", "task"}

// listedVerbs lists the commands of --list, in addition to create for each kind with flags.
var listedVerbs = [...]string{
	"get tasks", "start", "submit", "complete", "fail", "abandon", "delegation revoke", "edit task", "patch config", "apply", "import", "migrate", "archive", "restore", "delete task", "hook uninstall",
}

// rights is the answer to --list.
type rights struct {
	Agent     string `json:"agent,omitempty"`
	Role      string `json:"role,omitempty"`
	LeastRole bool   `json:"leastRole,omitempty"`
	Mode      string `json:"mode"`
	queries.Rights
}

// listRights runs idumb auth can-i --list: it sends listQueries to the gate and prints the
// answers.
func (a *app) listRights(ctx context.Context, root layout.Root, o canI, p *printers.Printer) error {
	var asked []canIQuery
	for _, words := range listQueries() {
		q, err := a.parseQuery(o.question, words)
		if err != nil {
			return err
		}
		asked = append(asked, q)
	}
	answer, err := a.rights(ctx, root, true, asked...)
	if err != nil {
		return err
	}
	all := rights{Agent: o.question.As, Rights: answer}
	if first := all.Can[0]; first.Role != "" {
		all.Role, all.LeastRole, all.Mode = first.Role, first.LeastRole, first.Mode
	}
	if p.Format.Name != "" {
		return p.PrintValue(a.stdout, all)
	}
	a.warnOf(&all.Can[0])
	return a.printRights(all)
}

// listQueries returns the questions of idumb auth can-i --list, each as words: tools, and commands
// of idumb.
func listQueries() [][]string {
	var all [][]string
	for _, tool := range listedTools {
		all = append(all, []string{tool})
	}
	for _, made := range creators() {
		kind, _ := resources.KindOf(made.kind)
		all = append(all, []string{"create", kind.Singular})
	}
	for _, verb := range listedVerbs {
		all = append(all, strings.Fields(verb))
	}
	return all
}

// printRights prints the permissions of an agent as a table, followed by the lists of paths,
// commands and tools.
func (a *app) printRights(all rights) error {
	t := printers.NewTable(a.stdout, 3)
	t.Header("ACTION", "ANSWER", "RULE")
	for _, r := range all.Can {
		answer := "yes"
		switch {
		case r.Ask:
			answer = "ask"
		case !r.Allowed:
			answer = "no"
		}
		t.Row(strings.TrimSpace(r.Action+" "+r.Object), answer, r.Rule)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if all.Planless {
		a.outf("no plan is active, so the answers leave out the rules of the role; with an active plan, it\n")
	}
	for _, line := range [...]struct {
		name  string
		rules []string
	}{
		{"writes only", all.Paths.Write}, {"never writes", all.Paths.Deny}, {"runs only", all.Shell.Allow}, {"runs only after a prompt", all.Shell.Ask}, {"never runs", all.Shell.Deny},
		{"uses only", all.Tools.Allow}, {"uses only after a prompt", all.Tools.Ask}, {"never uses", all.Tools.Deny},
	} {
		if len(line.rules) > 0 {
			a.outf("%s: %s\n", line.name, terminal.EscapeLine(strings.Join(line.rules, ", ")))
		}
	}
	return nil
}
