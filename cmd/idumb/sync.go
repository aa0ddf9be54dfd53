package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/sync/engine/gitengine"
	"github.com/idumb-dev/idumb/resources"
)

// syncVerbs lists the subcommands of sync.
var syncVerbs = [...]func(*app) *cobra.Command{newSyncEnable, newSyncDecline, newSyncDisable, newSyncStatus, newSyncNow, newSyncConflicts, newSyncResolve, newSyncSubscribe, newSyncUnsubscribe}

func newSync(a *app) *cobra.Command {
	return withVerbs(newCommand("sync", nil, noSubVerb), builtFor(a, syncVerbs[:]...)...)
}

// enableFlags select the engine and the location of shared claims.
type enableFlags struct {
	writeFlags
	beginFlags
	engine, remote, team, repo string
	public                     bool
}

func newSyncEnable(a *app) *cobra.Command {
	var w enableFlags
	c := newCommand("sync enable", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.enableSync(c.Context(), &w) })
	c.Flags().StringVar(&w.engine, "engine", "", "git, or etcd for large teams (default: spec.sync.engine of config.json)")
	c.Flags().StringVar(&w.team, "team", "", "the name of the team in etcd (default: spec.sync.team)")
	c.Flags().StringVar(&w.repo, "repo", "", "the name of this repository in the team (default: spec.sync.repo)")
	c.Flags().StringVar(&w.remote, "remote", "origin", "the name of the git remote")
	c.Flags().BoolVar(&w.public, "public", false, "allow a publicly readable remote: task claims become public")
	c.Flags().BoolVar(&w.plans, "plans", false, "share plans as well; their files leave git")
	c.Flags().BoolVar(&w.seed, "seed", false, "with --plans: replace the team's plans with the local plans")
	c.Flags().BoolVar(&w.join, "join", false, "with --plans: accept the team's plans, even if some were lost")
	c.Flags().BoolVar(&w.pushNew, "push-new", false, "with --plans: send plans that exist only in this clone")
	addDryRun(c, &w.writeFlags)
	return c
}

// enableSync runs idumb sync enable: it saves the settings of the engine, shares plans if asked
// to, and exchanges claims once.
func (a *app) enableSync(ctx context.Context, w *enableFlags) error {
	root, err := a.root()
	if err == nil {
		err = errors.Join(userOnly(root, "sync enable"), w.beginFlags.check())
	}
	if err != nil {
		return err
	}
	if !sync.Trusted(root, os.Getenv) {
		return sync.ErrUntrusted
	}
	next, err := a.enableSettings(ctx, root, w)
	if err != nil {
		return err
	}
	before, err := sync.Load(root, os.Getenv)
	if err != nil {
		return err
	}
	if before != nil && before.Plans && next.Engine != before.Engine {
		return fmt.Errorf("the plans of this clone are shared through %s; return them to git first: idumb sync disable", terminal.EscapeLine(before.Engine))
	}
	if next.Clone = uuid.NewString(); before != nil && before.Clone != "" {
		next.Clone, next.Plans = before.Clone, before.Plans
	}
	next.Plans = next.Plans || w.plans
	if w.dry() {
		return a.wouldEnable(ctx, root, next)
	}
	if err := a.prepareJoin(ctx, root, before, next); err != nil {
		return err
	}
	if w.plans {
		if err := a.beginPlans(ctx, root, next, &w.beginFlags); err != nil {
			return err
		}
	}
	if err := sync.Save(root, os.Getenv, next); err != nil {
		return err
	}
	a.outf("sharing claims through %s\n", terminal.EscapeLine(next.Location()))
	if next.Plans {
		a.outf("sharing plans through %s\n", next.WherePlans())
	}
	return a.syncNow(ctx)
}

// prepareJoin prepares the exchange with a team at a new place, or again at the same one. If plans are
// shared there, a remote that was reset to an older state needs --join or --seed: following it
// would revert later changes.
func (a *app) prepareJoin(ctx context.Context, root layout.Root, before, next *sync.Settings) error {
	moved := before == nil || before.Location() != next.Location()
	if moved && before != nil {
		a.releaseOrWarn(ctx, root)
	}
	if !moved && next.Plans {
		return nil
	}
	return sync.Join(root)
}

// wouldEnable prints what idumb sync enable would share, and which files would leave git.
func (a *app) wouldEnable(ctx context.Context, root layout.Root, next *sync.Settings) error {
	a.outf("would share claims through %s (dry run)\n", terminal.EscapeLine(next.Location()))
	if !next.Plans {
		return nil
	}
	leaving, err := sync.Leaving(ctx, root)
	if err != nil {
		return err
	}
	a.outf("would share plans through %s and remove %d files from git, not from disk (dry run)\n", next.WherePlans(), len(leaving.Files))
	for _, file := range mutate.Shorten(leaving.Files, 10) {
		a.outf("  git rm --cached %s\n", terminal.EscapeLine(file))
	}
	for _, line := range leaving.Lines {
		a.outf("  .idumb/.gitignore: %s\n", line)
	}
	return nil
}

// enableSettings returns the settings of the flags, without the clone's name.
func (a *app) enableSettings(ctx context.Context, root layout.Root, w *enableFlags) (*sync.Settings, error) {
	agreed := sync.Agreed(root)
	switch engine := cmp.Or(w.engine, agreed.Engine, sync.EngineGit); engine {
	case sync.EngineGit:
		return a.chosenGit(ctx, root, w)
	case sync.EngineEtcd:
		s := &sync.Settings{Engine: engine, Team: cmp.Or(w.team, agreed.Team), Repo: cmp.Or(w.repo, agreed.Repo)}
		if s.Team == "" || s.Repo == "" {
			return nil, errors.New("name the team and the repository: --team and --repo, or spec.sync of .idumb/config.json for all clones")
		}
		_, err := sync.ServerOf(root, os.Getenv)
		return s, err
	default:
		return nil, fmt.Errorf("unknown sync engine %q; use git or etcd", engine)
	}
}

// chosenGit returns the settings for the git engine on a remote. A publicly readable remote is an
// error unless --public is set.
func (a *app) chosenGit(ctx context.Context, root layout.Root, w *enableFlags) (*sync.Settings, error) {
	address, err := remoteAddress(ctx, root, w.remote)
	if err != nil {
		return nil, err
	}
	if !w.public && gitengine.Public(ctx, address) {
		return nil, fmt.Errorf("%s is publicly readable and would expose task claims; use another remote with --remote, or allow it with --public", terminal.EscapeLine(address))
	}
	return &sync.Settings{Engine: sync.EngineGit, Remote: address}, nil
}

// claimedHere returns the tasks whose claims of this clone the team has.
func claimedHere(root layout.Root) (tasks []string) {
	book := leases.Open(root)
	all, _ := book.All()
	for _, l := range all {
		if !l.InOtherClone() && book.InEffect(l) && l.Spec.Team != nil && l.Spec.Team.Claim == resources.ClaimConfirmed {
			tasks = append(tasks, l.Metadata.Name)
		}
	}
	slices.Sort(tasks)
	return tasks
}

// releaseOrWarn releases the claims of this clone at its current team, and warns if that fails.
func (a *app) releaseOrWarn(ctx context.Context, root layout.Root) {
	if err := a.releaseClaims(ctx, root); err != nil && !errors.Is(err, sync.ErrUntrusted) {
		a.errf("Warning: claims of this clone may remain with the team: %s\n", terminal.EscapeLine(err.Error()))
	}
}

// releaseClaims releases the claims of this clone at its current team.
func (a *app) releaseClaims(ctx context.Context, root layout.Root) error {
	team, err := sync.Open(root, os.Getenv)
	if err != nil || team == nil {
		return err
	}
	defer team.Close()
	return team.Leave(ctx)
}

// shareStep returns the next step of a clone that shares nothing.
func (a *app) shareStep() string {
	if root, err := a.root(); err == nil && !hasRemote(string(root)) {
		return "add a git remote first: " + addRemote
	}
	return "enable sharing with idumb sync enable, or with idumb sync enable --plans to share plans as well"
}

// addRemote is the command that adds a git remote.
const addRemote = "git remote add origin URL"

// hasRemote reports whether the git repository of a directory has a remote.
func hasRemote(dir string) bool {
	out, err := gitcommand.New(context.Background(), dir, "remote").Output()
	return err == nil && len(bytes.TrimSpace(out)) > 0
}

// remoteAddress returns the push URL of a remote.
func remoteAddress(ctx context.Context, root layout.Root, remote string) (string, error) {
	if layout.GitDir(string(root)) == "" {
		return "", errors.New("sharing claims requires a git repository with a remote: git init, " + addRemote)
	}
	out, err := gitcommand.New(ctx, string(root), "remote", "get-url", "--push", "--", remote).Output()
	address := strings.TrimSpace(string(out))
	if (err != nil || address == "") && !hasRemote(string(root)) {
		return "", errors.New("this repository has no git remote; add one first: " + addRemote)
	}
	if err != nil || address == "" {
		return "", fmt.Errorf("unknown git remote %q; git remote -v lists all remotes, --remote selects one", remote)
	}
	return address, nil
}

// warnOfHidden warns if plans may not be visible in this worktree, unless the rest of the
// output states why.
func (a *app) warnOfHidden(rest string) {
	root, err := a.root()
	if err != nil {
		return
	}
	sharing := planvisibility.Look(root, os.Getenv)
	if warning := sharing.Warning(); warning != "" && !strings.Contains(rest, sharing.Clause()) {
		a.errf("%s\n", terminal.EscapeLine(warning))
	}
}

func newSyncDecline(a *app) *cobra.Command {
	return newCommand("sync decline", cobra.NoArgs, func(*cobra.Command, []string) error { return a.declineSync() })
}

// declineSync records that the user works without the team's shared plans.
func (a *app) declineSync() error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "sync decline")
	}
	if err != nil {
		return err
	}
	sharing := planvisibility.Look(root, os.Getenv)
	switch {
	case !sharing.Shared:
		a.outf("the plans of this repository are in git: there is nothing to decline\n")
		return nil
	case sharing.Followed:
		return errors.New("this clone follows the plans of the team; idumb sync disable ends that")
	}
	if err := sync.Decline(root, os.Getenv); err != nil {
		return err
	}
	a.outf("you work without the plans that the team shares; %s follows them\n", sharing.FollowCommand())
	return nil
}

func newSyncDisable(a *app) *cobra.Command {
	var w writeFlags
	c := newCommand("sync disable", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.disableSync(c.Context(), &w) })
	addDryRun(c, &w)
	return c
}

// disableSync runs idumb sync disable: it releases this clone's claims, deletes the settings, and
// returns shared plans to git.
func (a *app) disableSync(ctx context.Context, w *writeFlags) error {
	root, err := a.root()
	if err == nil {
		err = userOnly(root, "sync disable")
	}
	if err != nil {
		return err
	}
	team, err := sync.Open(root, os.Getenv)
	switch {
	case team == nil && err == nil:
		a.outf("claims of this clone are not shared\n")
		return nil
	case w.dry():
		a.outf("would release all claims and stop sharing (dry run)\n")
		return nil
	case team != nil:
		a.releaseOrWarn(ctx, root)
	case !errors.Is(err, sync.ErrUntrusted):
		a.errf("Warning: claims of this clone may remain with the team: %s\n", terminal.EscapeLine(err.Error()))
	}
	settings, err := sync.Load(root, os.Getenv)
	if err == nil {
		err = sync.Save(root, os.Getenv, nil)
	}
	if err != nil {
		return err
	}
	a.outf("stopped sharing claims\n")
	if settings != nil && settings.Plans {
		return a.returnPlans(ctx, root)
	}
	return nil
}

// returnPlans makes git track the plan files again, which idumb sync enable --plans removed from
// git.
func (a *app) returnPlans(ctx context.Context, root layout.Root) error {
	folders, err := sync.ReturnToGit(ctx, root)
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		return nil
	}
	a.outf("plans are tracked by git again: %s; review and commit the changes: git diff --cached --stat\n", strings.Join(folders, " "))
	return nil
}

// team returns the team of this clone. It returns an error if none exists.
func (a *app) team() (*sync.Team, *sync.Settings, error) {
	root, err := a.root()
	if err != nil {
		return nil, nil, err
	}
	settings, err := sync.Load(root, os.Getenv)
	if err == nil && settings == nil {
		err = errors.New("claims of this clone are not shared; " + a.shareStep())
	}
	if err != nil {
		return nil, nil, err
	}
	team, err := sync.Open(root, os.Getenv)
	return team, settings, err
}

func newSyncNow(a *app) *cobra.Command {
	return newCommand("sync now", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return a.syncNow(c.Context()) })
}

// exchange performs one exchange with the team.
func (a *app) exchange(ctx context.Context) (sync.Report, error) {
	team, _, err := a.team()
	if err != nil {
		return sync.Report{}, err
	}
	defer team.Close()
	if team.SharesPlans() {
		files, err := a.open()
		if err != nil {
			return sync.Report{}, err
		}
		team.Share(files)
	}
	return team.Round(ctx, a.now())
}

// syncNow exchanges claims and plans with the team once, and prints what changed.
func (a *app) syncNow(ctx context.Context) error {
	r, err := a.exchange(ctx)
	a.warnOfPlans(r.Plans)
	if err != nil {
		return err // the counts of an incomplete exchange are wrong
	}
	a.tellPlans(r.Plans)
	for _, task := range r.Claimed {
		a.outf("claimed: %s\n", task)
	}
	for _, task := range r.Released {
		a.outf("released: %s\n", task)
	}
	for _, task := range r.Ended {
		a.outf("marked as ended: %s\n", task)
	}
	for _, lost := range r.Conflicts {
		a.errf("Warning: %s\n", terminal.EscapeLine(lost.String()))
	}
	a.outf("%s in the team, %d from here\n", terminal.Count(r.Claims, "claim"), r.Mine)
	return nil
}
