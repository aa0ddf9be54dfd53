package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/controllerprocess"
	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/cmd/internal/upgrades"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

func newUninstall(a *app) *cobra.Command {
	var all, yes bool
	c := newSetup("uninstall", func(ctx context.Context, w *writeFlags) error { return a.uninstall(ctx, w, all, yes) })
	c.Flags().BoolVar(&all, "all", false, "remove .idumb as well, with all resources")
	c.Flags().BoolVar(&yes, "yes", false, "remove .idumb without a prompt")
	return c
}

// uninstall runs idumb uninstall: it stops the controller, leaves the team, revokes the trust, and
// removes what iDumb installed. With all it removes .idumb as well, after the user agreed.
func (a *app) uninstall(ctx context.Context, w *writeFlags, all, yes bool) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "uninstall")
	}
	if err != nil {
		return err
	}
	if all && !w.dry() && !yes && !a.agreed("Remove "+root.Abs(layout.Dir)+" with all plans, tasks, anchors and mems in it? [y/N] ") {
		return errors.New("no files removed; answer y, or use --yes")
	}
	if all {
		if err := a.sendUnsent(ctx, root, w); err != nil {
			return err
		}
	}
	if !w.dry() {
		if holder, err := controllerprocess.Stop(ctx, string(root)); err != nil {
			return err
		} else if holder.PID != 0 {
			a.outf("controller stopped (%s)\n", holder.Process())
		}
	}
	if w.dry() && root.ControllerAlive() {
		a.outf("%-9s controller%s\n", "stopped", w.suffix())
	}
	a.leaveTeam(ctx, root, all, w)
	steps, unread, err := upgrades.Uninstall(root)
	if err != nil {
		return err
	}
	if all {
		steps = append(steps, upgrades.RemoveAll(root)...)
	}
	settings, err := sync.Load(root, os.Getenv)
	unread = errors.Join(unread, err)
	if all {
		steps = append(steps, upgrades.Unshare(root, settings)...)
	}
	store := trustStore()
	record := store.Load(root)
	linked := layout.MainRoot(string(root)) != ""
	untrusts := record.Any() && !record.Granted()
	remains := upgrades.Remains(root, settings, untrusts && !linked)
	if untrusts && !w.dry() {
		var shared *trust.MainTrustsError
		if _, err := store.Untrust(root); errors.As(err, &shared) {
			untrusts, remains = false, append(remains, "trust in "+shared.Main+", which this working tree shares")
		} else if err != nil {
			return err
		}
	}
	if untrusts {
		a.outf("%-9s %s%s\n", "revoked", "trust in "+string(root), w.suffix())
	}
	if err := a.carryOut(steps, w); err != nil {
		return err
	}
	for _, what := range remains {
		a.outf("%-9s %s\n", "kept", terminal.EscapeLine(what))
	}
	return unread
}

// leaveTeam releases the claims of this clone, unless other working trees continue them. No process of
// this clone renews or releases them later.
func (a *app) leaveTeam(ctx context.Context, root layout.Root, all bool, w *writeFlags) {
	claimed := claimedHere(root)
	if len(claimed) == 0 || !all && len(root.Trees()) > 0 {
		return
	}
	settings, err := sync.Load(root, os.Getenv)
	if settings == nil && err == nil {
		return
	}
	if !w.dry() && err == nil {
		err = a.releaseClaims(ctx, root)
	}
	tasks := terminal.EscapeLine(strings.Join(claimed, ", "))
	if err != nil {
		a.errf("Warning: claims of this clone may remain with the team: %s: %s; another clone takes over each with idumb start TASK --take-over\n", tasks, terminal.EscapeLine(err.Error()))
		return
	}
	a.outf("%-9s claims of %s in the team%s\n", "released", tasks, w.suffix())
}

// sendUnsent sends the objects that only this clone has to the team, before their files are removed.
// It returns an error if some remain here. A dry run lists them.
func (a *app) sendUnsent(ctx context.Context, root layout.Root, w *writeFlags) error {
	toSend, kept, err := a.unsent(ctx, root)
	switch {
	case err != nil:
		return err
	case w.dry():
		for _, key := range toSend {
			a.outf("%-9s %s to the team%s\n", "sent", qualified(key), w.suffix())
		}
	case len(toSend) > 0:
		r, failed := a.exchange(ctx)
		a.warnOfPlans(r.Plans)
		if failed != nil {
			a.errf("Warning: %s\n", terminal.EscapeLine(failed.Error()))
		}
		before := len(toSend)
		if toSend, kept, err = a.unsent(ctx, root); err != nil {
			return err
		}
		if n := before - len(toSend); n > 0 {
			a.outf("%-9s %s to the team\n", "sent", terminal.Count(n, "object"))
		}
	}
	var failed error
	if len(toSend) > 0 && !w.dry() {
		failed = fmt.Errorf("only this clone has %s; no files removed; send them first: idumb sync now", listed(toSend))
	}
	if len(kept) > 0 {
		failed = errors.Join(failed, fmt.Errorf("only this clone has %s, held back when it joined the team; no files removed; send them first: idumb sync enable --plans --push-new", listed(kept)))
	}
	if failed != nil {
		return fmt.Errorf("%w; or remove them too: idumb sync disable, then idumb uninstall --all", failed)
	}
	return nil
}

// listed returns the names of up to ten resources as text, with the number of the others.
func listed(keys []resources.Key) string {
	var names []string
	for _, key := range keys {
		names = append(names, qualified(key))
	}
	return terminal.EscapeLine(strings.Join(mutate.Shorten(names, 10), ", "))
}

// unsent returns the objects of shared plans that the team does not have, see sync.Team.Waiting.
func (a *app) unsent(ctx context.Context, root layout.Root) (toSend, kept []resources.Key, err error) {
	settings, err := sync.Load(root, os.Getenv)
	if err != nil || settings == nil || !settings.Plans {
		return nil, nil, err
	}
	team, err := sync.TeamOf(root, os.Getenv, settings) // reads only this clone, which needs no trust
	if err != nil {
		return nil, nil, err
	}
	defer team.Close()
	files, err := a.open()
	if err != nil {
		return nil, nil, err
	}
	team.Share(files)
	return team.Waiting(ctx)
}

// agreed prompts the user and reports whether the answer was yes.
func (a *app) agreed(question string) bool {
	a.errf("%s", question)
	switch answer, _ := bufio.NewReader(a.stdin).ReadString('\n'); strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true
	}
	return false
}
