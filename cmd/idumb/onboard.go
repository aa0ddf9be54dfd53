package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/onboarding"
	"github.com/idumb-dev/idumb/controller/inventory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

func newOnboard(a *app) *cobra.Command {
	var yes, undo bool
	c := newSetup("onboard", func(ctx context.Context, w *writeFlags) error {
		root, err := a.root()
		if err == nil && !w.dry() {
			err = userOnly(root, "onboard")
		}
		switch {
		case err != nil:
			return err
		case undo:
			return a.undoOnboarding(ctx, w, root)
		}
		return a.onboard(ctx, w, root, yes)
	})
	c.Flags().BoolVar(&yes, "yes", false, "perform the planned steps without a prompt")
	c.Flags().BoolVar(&undo, "undo", false, "revert the steps, except resources that changed since")
	c.MarkFlagsMutuallyExclusive("yes", "undo")
	return c
}

// onboard prints the plan of onboarding and performs it after the user agrees.
func (a *app) onboard(ctx context.Context, w *writeFlags, root layout.Root, yes bool) error {
	plan, err := a.onboardingPlan(ctx, root)
	if err != nil {
		return err
	}
	for _, s := range plan.Steps {
		a.outf("%-9s %s  %s\n", s.Action, terminal.EscapeLine(s.Subject), terminal.EscapeLine(s.Reason))
	}
	for _, left := range plan.Skipped {
		a.outf("%-9s %s\n", "leave", terminal.EscapeLine(left))
	}
	switch in, isFile := a.stdin.(*os.File); {
	case len(plan.Steps) == 0:
		a.outf("nothing to import%s\n", w.suffix())
		return nil
	case w.dry():
		a.outf("%s planned, none performed (dry run)\n", terminal.Count(len(plan.Steps), "step"))
		return nil
	case yes:
	case !isFile || !terminal.Is(in):
		a.errf("no step performed; run idumb onboard --yes\n")
		return nil
	case !a.agreed("Perform these steps? [y/N] "):
		a.errf("no step performed\n")
		return nil
	}
	return a.takeOver(ctx, w, root, plan)
}

// fewSources is the number of source files up to which a repository needs no onboarding.
const fewSources = 50

// offerOnboarding suggests onboarding for a repository with many source files. It prints nothing if
// the files cannot be listed.
func (a *app) offerOnboarding(ctx context.Context, root layout.Root) {
	files, err := inventory.List(ctx, root)
	if err != nil {
		return
	}
	if n := onboarding.CountCode(files); n > fewSources {
		a.outf("Import:      idumb onboard --dry-run   previews the import of %d source files\n", n)
	}
}

// onboardingPlan scans the repository and returns the plan.
func (a *app) onboardingPlan(ctx context.Context, root layout.Root) (plan onboarding.Plan, err error) {
	files, err := inventory.List(ctx, root)
	if err != nil {
		return plan, err
	}
	there, err := a.load(ctx)
	if err != nil {
		return plan, err
	}
	found := onboarding.Look(files)
	profiles, err := agents.FilesToFit(string(root), onboarding.BlockOf(found))
	if err != nil {
		return plan, err
	}
	config, _ := there.snap.Get(resources.Key{Kind: resources.Configs, Name: resources.ConfigName})
	settings, _ := config.(*resources.Config)
	plan = onboarding.Make(found, onboarding.ExistingOf(there.snap), profiles, resources.EffectiveConfig(settings).Planning.Primary)
	for _, f := range []struct {
		kind         agents.Fitting
		reason, text string
	}{
		{agents.VerifyCommand, "commands that lint, check, build and test this repository", onboarding.VerifyOf(found)},
		{agents.SharedFileSkill, "files that many others import, and how to change them", onboarding.SharedFilesOf(found)},
	} {
		files, err := agents.FittedFiles(string(root), f.kind, f.text)
		if err != nil {
			return plan, err
		}
		plan.Write(string(f.kind), f.reason, f.text, files)
	}
	return plan, nil
}

// takeOver performs the steps of an onboarding plan and prints their number.
func (a *app) takeOver(ctx context.Context, w *writeFlags, root layout.Root, plan onboarding.Plan) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	done := 0
	if err := onboarding.CarryOut(ctx, repo, root, plan, func(onboarding.Step) { done++ }); err != nil {
		return err
	}
	a.outf("%s performed; next: idumb status; to revert: idumb onboard --undo\n", terminal.Count(done, "step"))
	return nil
}

// undoOnboarding undoes onboarding and prints what it keeps.
func (a *app) undoOnboarding(ctx context.Context, w *writeFlags, root layout.Root) error {
	repo, err := a.writer(w)
	if err != nil {
		return err
	}
	all, err := onboarding.Undo(ctx, repo, root)
	for _, u := range all {
		if u.KeptReason != "" {
			a.outf("%-9s %s: %s%s\n", "kept", terminal.EscapeLine(u.Subject), terminal.EscapeLine(u.KeptReason), w.suffix())
		} else {
			a.outf("%-9s %s%s\n", "removed", terminal.EscapeLine(u.Subject), w.suffix())
		}
	}
	if err == nil && len(all) == 0 {
		a.outf("nothing to undo%s\n", w.suffix())
	}
	return err
}
