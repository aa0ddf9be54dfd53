package mutate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// clones makes two clones of one plan with a task that share by a git remote.
func clones(t *testing.T, plans bool) (a, b Repo) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("IDUMB_TRUST", "/")
	hub := t.TempDir()
	require.NoError(t, exec.Command("git", "init", "-q", "--bare", hub).Run())
	a = newRepo(t, planText+`---
kind: TaskNode
metadata: {name: login}
spec: {workPlan: auth, title: Login, expectedOutput: x}
`)
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, ".idumb"), os.DirFS(a.Store.Root().Abs(".idumb"))))
	b, err := open(dir, false)
	require.NoError(t, err)
	for name, repo := range map[string]Repo{"a": a, "b": b} {
		root := repo.Store.Root()
		require.NoError(t, exec.Command("git", "init", "-q", string(root)).Run())
		require.NoError(t, sync.Save(root, os.Getenv, &sync.Settings{Engine: sync.EngineGit, Remote: hub, Clone: name, Plans: plans}))
	}
	return a, b
}

// exchange is what `idumb sync now` does.
func (r Repo) exchange(t *testing.T) sync.Report {
	t.Helper()
	team, err := sync.Open(r.Store.Root(), os.Getenv)
	require.NoError(t, err)
	defer team.Close()
	team.Share(r.Store)
	report, err := team.Round(t.Context(), r.Now())
	require.NoError(t, err)
	return report
}

var login = resources.Key{Kind: resources.Tasks, Name: "login"}

// A person ends what another clone holds only by taking it over, and its holder is told by whom.
func TestEndOfATaskHeldElsewhere(t *testing.T) {
	a, b := clones(t, false)
	for _, repo := range []Repo{b, a} { // both have it as active, as if by git
		_, err := repo.move(t.Context(), transition.Move{Verb: transition.Start}, login)
		require.NoError(t, err)
	}
	a.exchange(t)
	require.Len(t, b.exchange(t).Conflicts, 1)
	end := transition.Move{Verb: transition.Complete, Evidence: "e"}
	_, err := b.Move(t.Context(), end, login)
	require.ErrorContains(t, err, `or take it over: idumb complete login --take-over --evidence "..."`)
	_, err = b.One(t.Context(), login, func(o resources.Object, _ *View) (resources.Object, error) {
		o.(*resources.Task).Spec.State = resources.TaskFailed
		return o, nil
	})
	require.ErrorContains(t, err, "idumb fail login --take-over", "by whatever command")

	end.TakeOver = true
	agent := b
	agent.Author = admission.Author{Kind: admission.Agent}
	_, err = agent.Move(t.Context(), end, login)
	require.ErrorContains(t, err, "leave it to its owner", "agents take nothing over")
	settings, err := sync.Load(b.Store.Root(), os.Getenv)
	require.NoError(t, err)
	require.NoError(t, os.Rename(settings.Remote, settings.Remote+".away"))
	_, err = b.Move(t.Context(), end, login)
	require.ErrorContains(t, err, `cannot complete task "login": another clone holds it, and the team was not reached (`)
	assert.Equal(t, resources.TaskActive, resources.TaskState(get(t, b, "login").(*resources.Task)))
	require.NoError(t, os.Rename(settings.Remote+".away", settings.Remote))
	moved, err := b.Move(t.Context(), end, login)
	require.NoError(t, err)
	assert.NotNil(t, moved.Previous)
	assert.Equal(t, []string{"login"}, b.exchange(t).Ended)
	lost := a.exchange(t).Conflicts
	require.Len(t, lost, 1)
	assert.Contains(t, lost[0].String(), "task login was completed by ")
	require.NoError(t, a.pull(t, b))
	a.exchange(t)
	record, err := a.Record(t.Context(), login)
	require.NoError(t, err)
	ended := a.leases.Get(readable(record).(*resources.Task))
	require.NotNil(t, ended, "also once this clone has that state")
	assert.Equal(t, resources.TaskCompleted, ended.Ended())
}

// pull takes the task over from another clone, as git does.
func (r Repo) pull(t *testing.T, from Repo) error {
	text, err := os.ReadFile(from.Store.Root().Abs(".idumb/tasks/login.json"))
	require.NoError(t, err)
	return os.WriteFile(r.Store.Root().Abs(".idumb/tasks/login.json"), text, 0o600)
}

// A start asks the team for the task first: one that ended in another clone is not started from what this one
// had, and its state is here then.
func TestStartOfATaskThatEndedElsewhere(t *testing.T) {
	a, b := clones(t, true)
	a.exchange(t)
	b.exchange(t)
	start := transition.Move{Verb: transition.Start}
	_, err := a.Move(t.Context(), start, login)
	require.NoError(t, err)
	_, err = a.Move(t.Context(), transition.Move{Verb: transition.Fail, Reason: "no time"}, login)
	require.NoError(t, err)
	a.exchange(t)
	_, err = b.Move(t.Context(), start, login)
	require.ErrorContains(t, err, `cannot start task "login": it is failed: "`)
	require.ErrorContains(t, err, `reported that to the team (just now), with the reason "no time"; to do it again: idumb start login`)
	_, err = b.Move(t.Context(), start, login)
	require.NoError(t, err, "the step works")
}

// Whatever ends work on a task asks the team first: another clone may have taken the task over since the last
// exchange.
func TestEveryEndAsksTheTeam(t *testing.T) {
	a, b := clones(t, false)
	start := transition.Move{Verb: transition.Start}
	_, err := a.Move(t.Context(), start, login)
	require.NoError(t, err)
	start.TakeOver = true
	_, err = b.Move(t.Context(), start, login)
	require.NoError(t, err)
	files, err := filepath.Glob(a.Store.Root().Abs(".git/idumb/leases/login.*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	ignorant, err := os.ReadFile(files[0])
	require.NoError(t, err)
	state := func(state string) func(resources.Object, *View) (resources.Object, error) {
		return func(o resources.Object, _ *View) (resources.Object, error) {
			o.(*resources.Task).Spec.State = state
			return o, nil
		}
	}
	for name, end := range map[string]func() error{
		"complete": func() error {
			_, err := a.Move(t.Context(), transition.Move{Verb: transition.Complete, Evidence: "e"}, login)
			return err
		},
		"fail": func() error {
			_, err := a.Move(t.Context(), transition.Move{Verb: transition.Fail, Reason: "e"}, login)
			return err
		},
		"submit": func() error {
			_, err := a.Move(t.Context(), transition.Move{Verb: transition.Review}, login)
			return err
		},
		"patch": func() error { _, err := a.One(t.Context(), login, state(resources.TaskAbandoned)); return err },
		"delete": func() error {
			_, err := a.Delete(t.Context(), []resources.Key{login}, Guarded)
			return err
		},
	} {
		require.NoError(t, os.WriteFile(files[0], ignorant, 0o600))
		assert.ErrorContains(t, end(), "it is held by ", name)
		record, err := a.Record(t.Context(), login)
		require.NoError(t, err, name)
		assert.Equal(t, resources.TaskActive, resources.TaskState(readable(record).(*resources.Task)), name)
	}
}
