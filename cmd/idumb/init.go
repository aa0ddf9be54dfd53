package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

func newInit(a *app) *cobra.Command {
	var o scaffold.Options
	var names []string
	var roles string
	c := newSetup("init", func(_ context.Context, w *writeFlags) error {
		o.DryRun = w.dry()
		return a.initialize(w, o, roles, names)
	})
	c.Flags().BoolVar(&o.Renew, "renew", false, "replace README, schemas and .gitignore that differ from this version's, keeping them as NAME.old")
	c.Flags().StringVar(&roles, "roles", scaffold.CoreRoles, "roles to write: core (coordinator, investigator, executor, solo) or full (those and seventeen more)")
	completeFlag(c, "roles", scaffold.RoleSets()...)
	c.Flags().StringSliceVar(&names, "agent", nil, "agents to put iDumb into: "+strings.Join(agents.HostNames(), ", ")+", or none (default: those in use here)")
	completeFlag(c, "agent", append(agents.HostNames(), noAgent)...)
	return c
}

// noAgent stands for no agent at all.
const noAgent = "none"

func (a *app) initialize(w *writeFlags, o scaffold.Options, roles string, names []string) error {
	dir, err := a.folder()
	if err != nil {
		return err
	}
	root := place(dir)
	if main := layout.MainRoot(root); main != "" && !present(filepath.Join(root, layout.Dir)) {
		a.errf("note: this linked working tree used the .idumb of %s until now; from now on it has its own\n", main)
	}
	hosts, err := hostsToInstall(root, names)
	if err != nil {
		return err
	}
	there := present(filepath.Join(root, layout.Dir))
	before := trustStore().Load(layout.Root(root)).State()
	made, err := a.scaffold(root, w, o, roles)
	if err != nil {
		return err
	}
	if !o.DryRun {
		a.trustOwn(layout.Root(root), before, there)
	}
	for _, h := range hosts {
		if err := a.installHost(h, root, agents.Options{DryRun: o.DryRun, Renew: o.Renew}); err != nil {
			return err
		}
	}
	if made > 0 && !o.DryRun {
		a.outf("%s", nextSteps(hosts))
	}
	return a.tellOlder(root)
}

// hostsToInstall are the agents named, or those that are in use.
func hostsToInstall(root string, names []string) (hosts []agents.Host, err error) {
	switch {
	case len(names) == 1 && names[0] == noAgent:
		return nil, nil
	case len(names) > 0:
		return hostsNamed(names)
	}
	for _, h := range agents.Hosts() {
		if h.Used(root) {
			hosts = append(hosts, h)
		}
	}
	return hosts, nil
}

// scaffold makes what is missing of .idumb, and returns how much that was.
func (a *app) scaffold(root string, w *writeFlags, o scaffold.Options, roles string) (made int, err error) {
	folder := filepath.Join(root, layout.Dir)
	entries, err := scaffold.Entries(roles)
	if err != nil {
		return 0, err
	}
	entries, added, err := scaffold.Fit(entries, root)
	if err != nil {
		return 0, err
	}
	done, err := scaffold.Write(folder, entries, o)
	made = a.reportInit(done, w.suffix())
	if err != nil {
		return made, err
	}
	if made == 0 {
		a.outf("%s is set up; nothing to do%s\n", folder, w.suffix())
		return 0, nil
	}
	if wrote(done, scaffold.ExecutorRole) && len(added) > 0 {
		a.outf("%s\n", wrapped("the role executor may write "+strings.Join(added, " ")+" as well: there is source"))
	}
	a.outf("%s: %d made or renewed, %d there already%s\n", folder, made, len(done)-made, w.suffix())
	return made, nil
}

func wrote(done []scaffold.Outcome, path string) bool {
	return slices.ContainsFunc(done, func(o scaffold.Outcome) bool { return o.Path == path && o.What == scaffold.Made })
}

// nextSteps are what a person does after init, as printed.
func nextSteps(hosts []agents.Host) string {
	var b strings.Builder
	b.WriteString(`
Next:
  idumb create workplan NAME --title "..." --accept "..." --state active
  idumb create task NAME --plan NAME --expect "..."
  idumb next                   what is ready, best first
  idumb up                     keep everything true, in the foreground
`)
	add := []string{layout.Dir}
	for _, h := range hosts {
		fmt.Fprintf(&b, "  %-28s start %s here: it is held to the plan\n", h.Program, h.Title)
		add = append(add, h.Shared...)
	}
	if len(hosts) == 0 {
		b.WriteString("  idumb hook install AGENT     hold " + strings.Join(agents.HostNames(), ", ") + " to the plan\n")
	} else {
		b.WriteString("  idumb doctor                 whether each agent is really held to it\n")
	}
	b.WriteString("  git add " + strings.Join(add, " ") + "\n")
	return b.String()
}

// reportInit says what was made, each with the suffix, and what of a person's was left alone, and
// returns how much was made.
func (a *app) reportInit(done []scaffold.Outcome, suffix string) int {
	made := 0
	for _, entry := range done {
		name := filepath.ToSlash(filepath.Join(layout.Dir, entry.Path))
		if entry.Mode.IsDir() {
			name += "/"
		}
		switch entry.What {
		case scaffold.Made, scaffold.Renewed:
			made++
			a.outf("%-8s %s%s\n", entry.What, name, suffix)
		case scaffold.Differs:
			a.outf("%-8s %s\n", "kept", name+differs(entry))
		}
	}
	return made
}

func differs(entry scaffold.Outcome) string {
	if entry.Ours {
		return " (differs from this version's; --renew replaces it)"
	}
	return " (yours)"
}

// place is where .idumb belongs: in git the root of the repository, elsewhere
// where one is already, or dir itself.
func place(dir string) string {
	initialized := ""
	for at := dir; ; at = filepath.Dir(at) {
		if present(filepath.Join(at, ".git")) {
			return at
		}
		if initialized == "" && present(filepath.Join(at, layout.Dir)) {
			initialized = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	if initialized != "" {
		return initialized
	}
	return dir
}

func present(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
