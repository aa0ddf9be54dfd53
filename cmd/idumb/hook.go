package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newHook(a *app) *cobra.Command {
	c := newCommand("hook", nil, noSubVerb)
	for _, host := range hosts.Names() {
		c.AddCommand(a.hookHost(host))
	}
	c.AddCommand(a.hookInstall(), a.hookUninstall(), a.hookStatus())
	return c
}

// hookHost returns the command that answers one event. The host defines the exit codes.
func (a *app) hookHost(host string) *cobra.Command {
	var lasting bool
	c := &cobra.Command{
		Use: host, Hidden: true, Short: "Answer one event of " + host + " on standard input", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			args := []string{host}
			if lasting {
				args = append(args, hooks.Lasting)
			}
			if code := hooks.Main(args, a.stdin, a.stdout, a.stderr, os.Environ(), a.now(), serve.AskHook(version.Current())); code != 0 {
				return terminal.Exit(code)
			}
			return nil
		},
	}
	if hooks.IsLasting(host) {
		c.Flags().BoolVar(&lasting, strings.TrimPrefix(hooks.Lasting, "--"), false, "answer one event per line until the end of input")
	}
	return c
}

// hookInstall returns the verb that installs the hooks of agent hosts.
func (a *app) hookInstall() *cobra.Command {
	var o agents.Options
	c := newCommand("hook install", cobra.MinimumNArgs(1), func(_ *cobra.Command, args []string) error {
		return a.eachHost(args, func(h agents.Host, root string) error {
			if err := userOnly(layout.Root(root), "hook install"); err != nil {
				return err
			}
			return a.installHost(h, root, o, false)
		})
	})
	c.ValidArgs = agents.HostNames()
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the changes as a diff without writing them")
	c.Flags().BoolVar(&o.Renew, "renew", false, "replace edited iDumb entries as well; the old file is saved as NAME.old")
	return c
}

// hookUninstall returns the verb that removes the hooks of agent hosts.
func (a *app) hookUninstall() *cobra.Command {
	var o agents.Options
	c := newCommand("hook uninstall", cobra.MinimumNArgs(1), func(_ *cobra.Command, args []string) error {
		return a.eachHost(args, func(h agents.Host, root string) error {
			if err := userOnly(layout.Root(root), "hook uninstall"); err != nil {
				return err
			}
			done, err := agents.Uninstall(h, root, agents.FindCommands(h.Name), o)
			return a.reportChanges(h, done, o, err)
		})
	})
	c.ValidArgs = agents.HostNames()
	c.Flags().BoolVar(&o.DryRun, "dry-run", false, "print the changes as a diff without writing them")
	return c
}

// eachHost calls do for each named host, after it has checked all names.
func (a *app) eachHost(names []string, do func(h agents.Host, root string) error) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	hosts, err := hostsNamed(names)
	if err != nil {
		return err
	}
	for _, h := range hosts {
		if err := do(h, string(root)); err != nil {
			return err
		}
	}
	return nil
}

// hostsNamed returns the hosts with these names. One argument may contain several names with
// commas.
func hostsNamed(names []string) (hosts []agents.Host, err error) {
	for _, name := range strings.Split(strings.Join(names, ","), ",") {
		h, err := agents.HostNamed(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		hosts = append(hosts, h)
	}
	return hosts, nil
}

// installHost installs iDumb into an agent's settings. It prints the result of each file, or, with
// brief, a summary.
func (a *app) installHost(h agents.Host, root string, o agents.Options, brief bool) error {
	done, err := agents.Install(h, root, agents.FindCommands(h.Name), o)
	if brief && err == nil {
		var files []string
		for _, c := range done {
			if c.Changed() {
				files = append(files, c.File)
			}
			if c.Backup != "" {
				a.errf("%s saved to %s\n", c.File, c.Backup)
			}
		}
		a.outf("hooks installed for %s, active from its next start: %s\n", h.Title, resources.Listed(files, 2, ", "))
	} else if err := a.reportChanges(h, done, o, err); err != nil {
		return err
	}
	if h.Trust != "" && !o.DryRun && changed(done) > 0 {
		a.errf("%s\n", wrapped("note: "+h.Trust))
	}
	for _, c := range agents.Conflicts(h, root) {
		a.errf("%s\n", wrapped("warning: "+c.File+": "+c.Reason+"; "+c.Remedy))
	}
	return nil
}

// reportChanges prints the result of each file, and the differences for a dry run. It returns err,
// the error of the operation.
func (a *app) reportChanges(h agents.Host, done []agents.Change, o agents.Options, err error) error {
	say, suffix := a.outf, ""
	if o.DryRun {
		say, suffix = a.errf, " (dry run)" // standard output contains only the differences
	}
	for _, c := range done {
		if what := whatBecame(c); what != "" {
			say("%-8s %s%s\n", what, c.File, suffix)
		}
		if len(c.Preserved) > 0 {
			say("%-8s %s: %s (edited)\n", "kept", c.File, strings.Join(c.Preserved, ", "))
		}
		if c.Backup != "" {
			a.errf("         saved to %s\n", c.Backup)
		}
	}
	if err == nil && changed(done) == 0 {
		say("%s: up to date%s\n", h.Title, suffix)
	}
	if o.DryRun {
		a.printChanges(done)
	}
	return err
}

// changed returns the number of entries that are changes.
func changed(done []agents.Change) (n int) {
	for _, c := range done {
		if c.Changed() {
			n++
		}
	}
	return n
}

// whatBecame returns created, changed or removed for a file that changed, otherwise "".
func whatBecame(c agents.Change) string {
	switch {
	case !c.Changed():
		return ""
	case c.OldContent == nil:
		return "created"
	case c.NewContent == nil:
		return "removed"
	}
	return "changed"
}

// hookStatus returns the verb that prints the state of the hooks: a table of all hosts, or the
// details of the given ones.
func (a *app) hookStatus() *cobra.Command {
	c := newCommand("hook status", nil, func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.hostTable()
		}
		return a.eachHost(args, a.hostState)
	})
	c.ValidArgs = agents.HostNames()
	return c
}

// hostTable prints a row for each host.
func (a *app) hostTable() error {
	root, err := a.root()
	if err != nil {
		return err
	}
	t := printers.NewTable(a.stdout, 4)
	t.Header("AGENT", "INSTALLED", "PROGRAM", "TESTED-WITH")
	var stale []string
	for _, h := range agents.Hosts() {
		s := agents.Status(h, string(root), agents.FindCommands(h.Name))
		t.Cell(h.Name)
		t.Cell(s.Summary())
		if word := s.Summary(); word == agents.InPart || word == agents.OtherVersion {
			stale = append(stale, h.Name)
		}
		t.Cell(h.Binary())
		t.Cell(h.Verified)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(stale) > 0 {
		a.errf("note: hooks differ from this version; update them with idumb hook install %s\n", strings.Join(stale, " "))
	}
	return nil
}

// hostState prints the installation state of one host.
func (a *app) hostState(h agents.Host, root string) error {
	s := agents.Status(h, root, agents.FindCommands(h.Name))
	a.outf("%s: %s\n", h.Title, s.Summary())
	for _, f := range s.Files {
		switch {
		case f.Err != nil:
			a.outf("  %v\n", f.Err)
		case len(f.Missing) > 0:
			a.outf("  %s\n", wrapped(fmt.Sprintf("%s: missing %s", f.File, strings.Join(f.Missing, ", "))))
		}
		if len(f.Edited) > 0 {
			a.outf("  %s: edited by you: %s\n", f.File, strings.Join(f.Edited, ", "))
		}
	}
	switch s.Summary() {
	case agents.NotInstalled, agents.InPart:
		a.outf("  install it with \"idumb hook install %s\"\n", h.Name)
	case agents.OtherVersion:
		a.outf("  update it with \"idumb hook install %s\"\n", h.Name)
	}
	return nil
}

// printChanges prints what would change, in the form of diff -u.
func (a *app) printChanges(done []agents.Change) {
	for _, c := range done {
		if !c.Changed() {
			continue
		}
		before, after := "a/"+c.File, "b/"+c.File
		if c.OldContent == nil {
			before = "/dev/null"
		}
		if c.NewContent == nil {
			after = "/dev/null"
		}
		text := agents.Unified(before, after, c.OldContent, c.NewContent)
		if terminal.Is(a.stdout) {
			text = terminal.Escape(text)
		}
		a.outf("%s", text)
	}
}

// wrapped breaks a note into lines that fit any terminal.
func wrapped(text string) string { return terminal.Wrap(text, 78, "  ") }
