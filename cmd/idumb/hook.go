package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/hook"
)

const hookDoc = `Answer an agent's host, or put the hook into its settings.

hook HOST reads one event of that host on standard input and answers it, as
idumb-hook does; hosts start it, people do not.`

func newHook(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "hook (HOST|install|uninstall|status) [flags]", Short: "Hold an agent to the plan", Long: hookDoc,
		Example: "  idumb hook install claude --dry-run\n  idumb hook install claude\n  idumb hook status claude",
		RunE:    noSubVerb,
	}
	for _, host := range hook.HostNames() {
		c.AddCommand(a.hookHost(host))
	}
	c.AddCommand(a.hookInstall(), a.hookUninstall(), a.hookStatus())
	return c
}

// hookHost answers one event. The exit code is the host's language.
func (a *app) hookHost(host string) *cobra.Command {
	return &cobra.Command{
		Use: host, Short: "Answer one event of " + host + " on standard input", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			code := hook.Main([]string{host}, a.stdin, a.stdout, a.stderr, os.Environ(), a.now())
			if code != 0 {
				return failure.Exit(code)
			}
			return nil
		},
	}
}

func (a *app) hookInstall() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use: "install HOST", Short: "Put the hook into a host's settings", Args: cobra.ExactArgs(1), ValidArgs: agents.Hosts(),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.root()
			if err != nil {
				return err
			}
			change, err := agents.Install(args[0], string(root), agents.FindCommand(args[0]), dryRun)
			return a.echoHook(change, "installed", dryRun, err)
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print what the file would hold, and write nothing")
	return c
}

func (a *app) hookUninstall() *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use: "uninstall HOST", Short: "Take the hook out of a host's settings", Args: cobra.ExactArgs(1), ValidArgs: agents.Hosts(),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.root()
			if err != nil {
				return err
			}
			change, err := agents.Uninstall(args[0], string(root), dryRun)
			return a.echoHook(change, "uninstalled", dryRun, err)
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "print what the file would hold, and write nothing")
	return c
}

// echoHook says what became of a host's settings; a dry run prints them.
func (a *app) echoHook(change agents.Change, what string, dryRun bool, err error) error {
	switch {
	case err != nil:
		return err
	case !change.Changed():
		a.outf("%s unchanged\n", change.File)
	case dryRun && change.After == nil:
		a.outf("%s would be removed (dry run)\n", change.File)
	case dryRun:
		a.errf("%s would hold (dry run):\n", change.File)
		a.outf("%s", change.After)
	default:
		a.outf("hook %s in %s\n", what, change.File)
		if change.Backup != "" {
			a.errf("the file as it was is kept in %s\n", change.Backup)
		}
	}
	return nil
}

func (a *app) hookStatus() *cobra.Command {
	return &cobra.Command{
		Use: "status HOST", Short: "Say whether the hook is installed", Args: cobra.ExactArgs(1), ValidArgs: agents.Hosts(),
		RunE: func(_ *cobra.Command, args []string) error {
			root, err := a.root()
			if err != nil {
				return err
			}
			state, err := agents.Status(args[0], string(root))
			if err != nil {
				return err
			}
			a.outf("%s\n", hookState(args[0], state))
			return nil
		},
	}
}

func hookState(host string, s agents.State) string {
	switch {
	case s.Installed():
		return fmt.Sprintf("installed in %s for %s", s.File, strings.Join(s.Events, ", "))
	case len(s.Events) == 0:
		return fmt.Sprintf("not installed in %s; install it with \"idumb hook install %s\"", s.File, host)
	}
	return fmt.Sprintf("installed in part in %s: missing for %s; run \"idumb hook install %s\"", s.File, strings.Join(s.Missing, ", "), host)
}
