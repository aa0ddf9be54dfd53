package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

func newInit(a *app) *cobra.Command {
	var o scaffold.Options
	var names []string
	var roles string
	var private bool
	c := newSetup("init", func(ctx context.Context, w *writeFlags) error {
		o.DryRun = w.dry()
		dir, err := a.folder()
		if err != nil {
			return err
		}
		there := present(filepath.Join(initRoot(dir), layout.Dir))
		root, err := a.initialize(w, o, roles, names, private)
		if err != nil {
			return err
		}
		if !there && !w.dry() {
			a.offerOnboarding(ctx, layout.Root(root))
		}
		return a.tellOlder(root)
	})
	c.Flags().BoolVar(&o.Renew, "renew", false, "replace outdated README, schemas and .gitignore; old files are saved as NAME.old")
	c.Flags().StringVar(&roles, "roles", scaffold.CoreRoles, "roles to create: core (coordinator, investigator, executor, solo) or full (seventeen more)")
	completeFlag(c, "roles", scaffold.RoleSets()...)
	c.Flags().BoolVar(&private, "private", false, "exclude all created files from git, with this clone's .git/info/exclude")
	c.Flags().StringSliceVar(&names, "agent", nil, "agents to install hooks for: "+strings.Join(agents.HostNames(), ", ")+", or none (default: the agents in use)")
	completeFlag(c, "agent", append(agents.HostNames(), noAgent)...)
	return c
}

// noAgent is the value of --agent for no agent.
const noAgent = "none"

// initialize creates .idumb and installs hooks. It returns the repository's root.
func (a *app) initialize(w *writeFlags, o scaffold.Options, roles string, names []string, private bool) (root string, err error) {
	dir, err := a.folder()
	if err != nil {
		return root, err
	}
	root = initRoot(dir)
	if branch := githistory.OtherBranch(context.Background(), layout.Root(root)); branch != "" && !private {
		return root, fmt.Errorf("branch %s has .idumb, and new files would conflict with its next checkout; run \"%s\" instead", branch, githistory.CheckoutCommand(branch))
	}
	if main := layout.MainRoot(root); main != "" && !present(filepath.Join(root, layout.Dir)) {
		a.errf("note: this linked worktree used the .idumb of %s; it now has its own\n", main)
	}
	hosts, err := hostsToInstall(root, names)
	if err != nil {
		return root, err
	}
	if private && !o.DryRun {
		if err := a.keepPrivate(root, hosts); err != nil { // before any file exists that git would list
			return root, err
		}
	}
	there := present(filepath.Join(root, layout.Dir))
	brief := !there && !o.DryRun
	before := trustStore().Load(layout.Root(root)).State()
	made, err := a.scaffold(root, w, o, roles, brief)
	if err != nil {
		return root, err
	}
	if !o.DryRun {
		a.trustOwn(layout.Root(root), before, there)
	}
	for _, h := range hosts {
		if err := a.installHost(h, root, agents.Options{DryRun: o.DryRun, Renew: o.Renew}, brief); err != nil {
			return root, err
		}
	}
	if made > 0 && !o.DryRun {
		share := !private && present(filepath.Join(root, ".git"))
		add := []string{layout.Dir}
		for _, h := range hosts {
			add = append(add, h.Shared...)
		}
		if len(hosts) == 0 {
			a.outf("No agent hooks are installed; install them with idumb hook install %s\n", strings.Join(agents.HostNames(), "|"))
		}
		a.outf("Start with:  idumb add \"...\"   then: idumb status\n")
		if share {
			a.outf("Share it:    git add %s\n", strings.Join(add, " "))
		}
	}
	return root, nil
}

// hostsToInstall returns the named agents, or the agents in use.
func hostsToInstall(root string, names []string) (hosts []agents.Host, err error) {
	switch {
	case len(names) == 1 && names[0] == noAgent:
		return nil, nil
	case len(names) > 0:
		return hostsNamed(names)
	}
	for _, h := range agents.Hosts() {
		if h.InUse(root) {
			hosts = append(hosts, h)
		}
	}
	return hosts, nil
}

// scaffold creates the missing files of .idumb and returns their number.
func (a *app) scaffold(root string, w *writeFlags, o scaffold.Options, roles string, brief bool) (made int, err error) {
	folder := filepath.Join(root, layout.Dir)
	entries, err := scaffold.Entries(roles)
	if err != nil {
		return 0, err
	}
	o.Copy = true
	done, err := scaffold.Write(folder, entries, o)
	if brief && err == nil {
		made = len(done)
		a.outf("%s created: %s\n", folder, contents(done))
	} else {
		made = a.reportInit(done, w.suffix())
	}
	if err != nil {
		return made, err
	}
	if made == 0 {
		a.outf("%s is up to date%s\n", folder, w.suffix())
		return 0, nil
	}
	if !brief {
		a.outf("%s: %d created or updated, %d unchanged%s\n", folder, made, len(done)-made, w.suffix())
	}
	return made, nil
}

// contents describes the created files: "settings, 4 roles, 7 chainrules, ...".
func contents(done []scaffold.Outcome) string {
	counts := map[string]int{}
	for _, entry := range done {
		if kind, _, inside := strings.Cut(filepath.ToSlash(entry.Path), "/"); inside && strings.HasSuffix(entry.Path, ".json") {
			counts[kind]++
		}
	}
	text := "settings"
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		text += fmt.Sprintf(", %d %s", counts[kind], kind)
	}
	return text
}

// reportInit prints the created files with the suffix, and the kept files of a user. It returns the
// number of created files.
func (a *app) reportInit(done []scaffold.Outcome, suffix string) int {
	made := 0
	for _, entry := range done {
		name := filepath.ToSlash(filepath.Join(layout.Dir, entry.Path))
		if entry.Mode.IsDir() {
			name += "/"
		}
		switch entry.Result {
		case scaffold.Created, scaffold.Renewed:
			made++
			a.outf("%-8s %s%s\n", entry.Result, name, suffix)
		case scaffold.Differs:
			a.outf("%-8s %s\n", "kept", name+differs(entry))
		}
	}
	return made
}

// differs returns the note on a file that init keeps although its content differs.
func differs(entry scaffold.Outcome) string {
	if entry.Generated {
		return " (differs from this version; --renew replaces it)"
	}
	return " (yours)"
}

// initRoot returns the directory for .idumb: the root of the git repository, otherwise the nearest
// directory with a .idumb, otherwise dir.
func initRoot(dir string) string {
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

// present reports whether a path exists. A path whose existence cannot be checked counts as
// existing.
func present(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// keepPrivate makes git ignore the files of init in this clone and its linked trees. Files that git
// tracks remain tracked.
func (a *app) keepPrivate(root string, hosts []agents.Host) error {
	if layout.GitDir(root) == "" {
		return errors.New("--private requires a git repository, and " + root + " is not in one; run git init, then idumb init --private")
	}
	if err := upgrades.Exclude(root, hosts); err != nil {
		return fmt.Errorf("exclude the created files from git: %w", err)
	}
	a.outf("Private:     excluded from git in %s\n", upgrades.ExcludeFile(root))
	return nil
}
