package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/scaffold"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

const initDoc = `Set up iDumb in a repository: the folders of .idumb, a README for agents, JSON
Schemas for editors, roles and settings. In git this is the root of the
repository, elsewhere the folder above that has a .idumb already, or this one.
What is there stays as it is; running it again makes what is missing.`

func newInit(a *app) *cobra.Command {
	var w writeFlags
	var o scaffold.Options
	c := &cobra.Command{
		Use: "init", Short: "Set up iDumb in this repository", Long: initDoc, Args: cobra.NoArgs,
		Example: "  idumb init\n  idumb -C ~/project init --dry-run",
		RunE: func(*cobra.Command, []string) error {
			if err := w.check(); err != nil {
				return err
			}
			o.DryRun = w.dry()
			return a.initialize(&w, o)
		},
	}
	addDryRun(c, &w)
	c.Flags().BoolVar(&o.Renew, "renew", false, "replace README, schemas and .gitignore that differ from this version's, keeping them as NAME.old")
	return c
}

func (a *app) initialize(w *writeFlags, o scaffold.Options) error {
	dir, err := a.folder()
	if err != nil {
		return err
	}
	root := filepath.Join(place(dir), layout.Dir)
	entries, err := scaffold.Entries()
	if err != nil {
		return err
	}
	done, err := scaffold.Write(root, entries, o)
	made := a.reportInit(done, w.suffix())
	if err != nil {
		return err
	}
	if made == 0 {
		a.outf("%s is set up; nothing to do%s\n", root, w.suffix())
		return nil
	}
	a.outf("%s: %d made or renewed, %d there already%s\n", root, made, len(done)-made, w.suffix())
	if !w.dry() {
		a.outf("%s", nextSteps)
	}
	return nil
}

// nextSteps are what a person does after init, as printed.
const nextSteps = `
Next:
  idumb create workplan NAME --title "..." --accept "..." --state active
  idumb create task NAME --plan NAME --expect "..."
  idumb next                   what is ready, best first
  idumb up                     keep everything true, in the foreground
  idumb hook install claude    let Claude Code's hooks hold the agent to it
  git add .idumb               plans, tasks and roles belong to the repository
`

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
