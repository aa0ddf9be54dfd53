package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

const shellRulesDoc = `List the rules of the shell gate as they hold here: each with its verdict, what such
a command does, and a safe step in its place (-o wide).

SOURCE says who set the verdict: "shipped" is idumb itself; .idumb/shell.json is the
repository, which may only make a rule stricter; shell.json in the folder of your own
settings, outside of any repository, may make one milder; role/NAME is a role's
spec.shell. Rules of the last three may be about commands, by their first words: then
NAME is those words.`

const shellRulesExamples = `  idumb shell rules
  idumb shell rules git-force-push -o yaml
  idumb shell rules --as executor -o wide
  idumb shell rules -o jsonpath='{.items[?(@.verdict=="ask")].name}'`

// shellRulesFlags are the flags of shell rules.
type shellRulesFlags struct {
	as        string
	output    string
	noHeaders bool
}

func newShellRules(a *app) *cobra.Command {
	var f shellRulesFlags
	c := &cobra.Command{
		Use: "rules [NAME...] [flags]", Short: "List the rules of the shell gate", Long: shellRulesDoc, Example: shellRulesExamples,
		RunE: func(_ *cobra.Command, names []string) error { return a.shellRules(&f, names) },
	}
	c.Flags().StringVar(&f.as, "as", "", "only what holds for this role (default: the rules of all roles)")
	c.Flags().StringVarP(&f.output, "output", "o", "", "wide, name, json, yaml, jsonpath=...")
	c.Flags().BoolVar(&f.noHeaders, "no-headers", false, "leave out the names of the columns")
	completeFlag(c, "output", "wide", "name", "json", "yaml", "jsonpath=")
	a.completeFlagNames(c, "as", resources.Roles)
	return c
}

func (a *app) shellRules(f *shellRulesFlags, names []string) error {
	format, err := printers.ParseFormat(f.output, "json", "jsonpath", "name", "wide", "yaml")
	if err != nil {
		return err
	}
	all, err := a.heldShellRules(f.as)
	if err != nil {
		return err
	}
	if all, err = rulesNamed(all, names); err != nil {
		return err
	}
	p := &printers.Printer{Format: format, NoHeaders: f.noHeaders}
	switch {
	case format.Name == "name":
		for _, r := range all {
			a.outf("%s\n", r.Name)
		}
		return nil
	case !format.Table() && len(names) == 1 && len(all) == 1:
		return p.PrintValue(a.stdout, all[0])
	case !format.Table():
		return p.PrintItems(a.stdout, items(all))
	}
	return a.shellRuleTable(p, all)
}

// heldShellRules are the rules as they hold in the repository, or where there is none.
func (a *app) heldShellRules(role string) ([]hook.ShellRule, error) {
	dir, err := a.folder()
	if err != nil {
		return nil, err
	}
	root, err := layout.Find(dir)
	if err != nil {
		root = layout.Root(dir)
	}
	role = strings.TrimPrefix(role, "role/")
	if _, known := hook.RoleIn(root, role, a.now()); role != "" && !known {
		return nil, fmt.Errorf("there is no role %q here; `idumb get roles` lists them", role)
	}
	return hook.ShellRules(root, role, os.Environ(), a.now()), nil
}

// rulesNamed keeps the rules of those names, all for none.
func rulesNamed(all []hook.ShellRule, names []string) ([]hook.ShellRule, error) {
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(r hook.ShellRule) bool { return r.Name == name }) {
			return nil, fmt.Errorf("there is no rule %q; `idumb shell rules -o name` lists them", name)
		}
	}
	return slices.DeleteFunc(all, func(r hook.ShellRule) bool { return !slices.Contains(names, r.Name) }), nil
}

func (a *app) shellRuleTable(p *printers.Printer, all []hook.ShellRule) error {
	headers := []string{"NAME", "VERDICT", "SOURCE", "REASON"}
	wide := p.Format.Name == "wide"
	if wide {
		headers = append(headers, "USE INSTEAD")
	}
	t := printers.NewTable(a.stdout, len(headers))
	if !p.NoHeaders {
		t.Header(headers...)
	}
	for _, r := range all {
		t.Cell(r.Name)
		t.Cell(r.Verdict)
		t.Cell(r.Source)
		t.Cell(r.Because)
		if wide {
			t.Cell(r.UseInstead)
		}
	}
	return t.Flush()
}
