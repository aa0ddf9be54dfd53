package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// shellCheck contains the options of check-command.
type shellCheck struct {
	role   string
	output string
	stdin  bool
}

func newShellCheck(a *app) *cobra.Command {
	var o shellCheck
	c := newCommand("auth check-command", nil, func(_ *cobra.Command, args []string) error { return a.checkShell(o, args) })
	c.Flags().StringVar(&o.role, "as", "", "the role or agent (default: an agent without a name)")
	c.Flags().StringVarP(&o.output, "output", "o", "", "json")
	c.Flags().BoolVar(&o.stdin, "stdin", false, "read command lines as JSON strings, one per line")
	_ = c.Flags().MarkHidden("stdin")
	c.Flags().SetInterspersed(false) // flags after the first word belong to the command
	completeFlag(c, "output", "json")
	a.completeFlagNames(c, "as", resources.Roles)
	return c
}

// checkShell runs idumb auth check-command: it prints the shell gate's verdict on a command line,
// or on each line of standard input.
func (a *app) checkShell(o shellCheck, args []string) error {
	if o.output != "" && o.output != "json" {
		return fmt.Errorf("unable to match a printer suitable for the output format %q, allowed formats are: json", o.output)
	}
	if o.stdin == (len(args) > 0) {
		return errors.New("name a command after --, or use --stdin\nUsage: idumb auth check-command [--as ROLE] [-o json] -- 'COMMAND'")
	}
	dir, err := a.folder()
	if err != nil {
		return err
	}
	// Without a repository the line is judged as in one without iDumb's files.
	root, env := a.rootOr(dir), os.Environ()
	judge := func(line string) command.Verdict { return hooks.CheckShell(root, o.role, dir, line, env, a.now()) }
	if o.stdin {
		return a.checkLines(judge)
	}
	line := args[0]
	if len(args) > 1 { // the shell has removed the quotes
		line = command.Quoted(args)
	}
	v := judge(line)
	if o.output == "json" {
		return a.verdictLine(a.stdout, v)
	}
	a.tellVerdict(v)
	return nil
}

// checkLines judges each line of standard input and prints the verdict as a line of JSON, before
// it waits for further input.
func (a *app) checkLines(judge func(string) command.Verdict) error {
	in, out := bufio.NewReader(a.stdin), bufio.NewWriter(a.stdout)
	for {
		text, err := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(text))) > 0 {
			if err := a.verdictLine(out, judgeText(text, judge)); err != nil {
				return err
			}
			if in.Buffered() == 0 {
				if err := out.Flush(); err != nil {
					return err
				}
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return out.Flush()
		case err != nil:
			return errors.Join(out.Flush(), fmt.Errorf("read standard input: %w", err))
		}
	}
}

// judgeText judges a command line that is encoded as a JSON string.
func judgeText(text []byte, judge func(string) command.Verdict) command.Verdict {
	var line string
	err := json.Unmarshal(text, &line)
	if err == nil && strings.TrimSpace(string(text)) == "null" { // null leaves the string unchanged
		err = errors.New("it is null")
	}
	if err != nil {
		return command.Verdict{Verdict: command.Ask, Rule: "unreadable", Because: "the line is not a JSON string: " + err.Error(), UseInstead: "Write each command line as a JSON string on a separate line."}
	}
	return judge(line)
}

// verdictLine writes a verdict as one line of JSON.
func (a *app) verdictLine(w io.Writer, v command.Verdict) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// tellVerdict prints a verdict. Control characters are escaped.
func (a *app) tellVerdict(v command.Verdict) {
	if v.Verdict == command.Allow {
		a.outf("allow\n")
		return
	}
	a.outf("%s (%s)\nBECAUSE: %s\nUSE INSTEAD: %s\n", v.Verdict, v.Rule, admission.Plain(v.Because), admission.Plain(v.UseInstead))
}

// showShellRules prints the named rules. --as selects the rules of a role.
func (a *app) showShellRules(_ context.Context, g *getFlags, p *printers.Printer, names []string) error {
	all, err := a.effectiveShellRules(g.holder)
	if err != nil {
		return err
	}
	if all, err = rulesNamed(all, names); err != nil {
		return err
	}
	if p.Format.NeedsDocument() && len(names) == 1 && len(all) == 1 {
		return p.PrintValue(a.stdout, all[0])
	}
	table := recordTable[hooks.ShellRule]{
		headers: []string{"NAME", "VERDICT", "SOURCE", "REASON", "USE INSTEAD"}, always: 4, name: func(r hooks.ShellRule) string { return r.Name },
		row: func(r hooks.ShellRule) []string {
			return []string{r.Name, r.Verdict, r.Source, r.Because, r.UseInstead}
		},
	}
	return table.print(a, p, all)
}

// rootOr returns the current repository, or the directory if none exists.
func (a *app) rootOr(dir string) layout.Root {
	root, err := a.root()
	if err != nil {
		return layout.Root(dir)
	}
	return root
}

// effectiveShellRules returns the rules in effect for a role.
func (a *app) effectiveShellRules(role string) ([]hooks.ShellRule, error) {
	dir, err := a.folder()
	if err != nil {
		return nil, err
	}
	root := a.rootOr(dir)
	role = strings.TrimPrefix(role, "role/")
	if _, known := (hooks.Backend{}).RoleIn(root, role, os.Environ(), a.now()); role != "" && !known {
		return nil, fmt.Errorf("unknown role %q; `idumb get roles` lists all roles", role)
	}
	return hooks.ShellRules(root, role, os.Environ(), a.now()), nil
}

// rulesNamed returns the rules with these names, or all if names is empty.
func rulesNamed(all []hooks.ShellRule, names []string) ([]hooks.ShellRule, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(r hooks.ShellRule) bool { return r.Name == name }) {
			return nil, fmt.Errorf("unknown rule %q; `idumb get shellrules -o name` lists all rules", name)
		}
	}
	return slices.DeleteFunc(all, func(r hooks.ShellRule) bool { return !slices.Contains(names, r.Name) }), nil
}
