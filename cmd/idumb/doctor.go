package main

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/doctor"
	"github.com/idumb-dev/idumb/cmd/internal/doctor/objectchecks"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/printers"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/version"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newDoctor(a *app) *cobra.Command {
	var w writeFlags
	var fix bool
	c := a.newPrinted("doctor", func(ctx context.Context, p *printers.Printer) error {
		if w.dry() && !fix {
			return errors.New("--dry-run requires --fix; without --fix, doctor changes nothing")
		}
		if fix {
			if err := errors.Join(a.fixTorn(ctx, &w), a.removeLeftovers(ctx, &w)); err != nil {
				return err
			}
		}
		return a.doctor(ctx, p)
	}, "json", "yaml", "jsonpath=")
	c.Flags().BoolVar(&fix, "fix", false, "restore truncated files from their last valid version, and remove temporary files of killed processes")
	addDryRun(c, &w)
	return c
}

// doctor runs idumb doctor: it prints a report of problems and notices. The exit code is 1 if
// there are problems.
func (a *app) doctor(ctx context.Context, p *printers.Printer) error {
	root, err := a.root()
	if err != nil {
		return err
	}
	by := a.answers(ctx)
	by.load = sync.OnceValues(by.load)
	found, err := ask[objectchecks.Findings](by, objectchecks.Ask, nil)
	if err != nil {
		return err
	}
	known := func(key resources.Key) (resources.Object, bool) {
		w, err := by.load() // needed only to compare the data of an older tool with objects
		if err != nil {
			return nil, false
		}
		return w.snap.Get(key)
	}
	tree := ""
	if dir, err := a.folder(); err == nil {
		tree = linkedTree(dir, root)
	}
	report := doctor.Examine(root, tree, &found, known, a.now())
	if tree != "" {
		notice := "this linked worktree has no .idumb and uses the .idumb of " + string(root)
		if branch := githistory.BranchWith(ctx, layout.Root(tree)); branch != "" {
			notice += "; \"git checkout " + branch + " -- .idumb\" checks out the .idumb of the branch"
		} else {
			notice += "; \"idumb init\" creates one"
		}
		report.Notices = append(report.Notices, notice)
	}
	if advice := upgradeAdvice(root, version.Current()); advice != "" {
		report.Problems = append(report.Problems, resources.Problem{File: layout.Dir + "/config.json", Field: "spec.minVersion", Reason: advice, Remedy: "upgrade idumb"})
	}
	if len(report.Problems) > 0 {
		torn, err := a.truncatedFiles(ctx)
		if err != nil {
			return err
		}
		for _, t := range torn {
			report.Notices = append(report.Notices, layout.Path(t.Key)+" is truncated; idumb doctor --fix restores its last valid version")
		}
	}
	if p.Format.Name == "" {
		err = report.Print(a.stdout)
	} else {
		err = p.PrintValue(a.stdout, report)
	}
	if err == nil && len(report.Problems) > 0 {
		return terminal.Exit(1)
	}
	return err
}

// linkedTree returns the linked working tree that contains a directory, if root is its main working
// tree; otherwise empty.
func linkedTree(dir string, root layout.Root) (tree string) {
	for at := dir; ; at = filepath.Dir(at) {
		if main := layout.MainRoot(at); main != "" && main == string(root) {
			return at
		}
		if at == string(root) || at == filepath.Dir(at) {
			return ""
		}
	}
}
