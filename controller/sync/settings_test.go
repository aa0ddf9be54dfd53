package sync

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
)

func TestErrorsOfGit(t *testing.T) {
	err := inGit(t.Context(), layout.Root(t.TempDir()), []string{"a.json"}, "add")
	assert.ErrorContains(t, err, "git add: ")
	assert.NoError(t, inGit(t.Context(), layout.Root(t.TempDir()), nil, "add"), "no files")
}

// Settings are a person's, of each clone.
func TestSettings(t *testing.T) {
	home, dir, other := t.TempDir(), t.TempDir(), t.TempDir()
	for _, repo := range []string{dir, other} {
		require.NoError(t, os.Mkdir(filepath.Join(repo, ".git"), 0o700))
	}
	env := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	s, err := Load(layout.Root(dir), env)
	require.NoError(t, err)
	assert.Nil(t, s)
	team, err := Open(layout.Root(dir), env)
	require.NoError(t, err)
	assert.Nil(t, team)

	mine := Settings{Engine: EngineGit, Remote: "git@example.org:acme/shop", Clone: "c-1"}
	require.NoError(t, Save(layout.Root(dir), env, &mine))
	info, err := os.Stat(filepath.Join(home, "idumb", "sync.json"))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	s, err = Load(layout.Root(dir), env)
	require.NoError(t, err)
	assert.Equal(t, &mine, s)
	s, err = Load(layout.Root(other), env)
	require.NoError(t, err)
	assert.Nil(t, s, "another clone is another one")
	_, err = Open(layout.Root(dir), env)
	require.ErrorIs(t, err, ErrUntrusted)

	require.NoError(t, Save(layout.Root(dir), env, nil))
	s, err = Load(layout.Root(dir), env)
	require.NoError(t, err)
	assert.Nil(t, s)

	require.NoError(t, os.WriteFile(filepath.Join(home, "idumb", "sync.json"), []byte("{"), 0o600))
	_, err = Load(layout.Root(dir), env)
	assert.ErrorContains(t, err, "sync.json is no JSON")
	inside := func(string) string { return filepath.Join(dir, "config") }
	assert.ErrorContains(t, Save(layout.Root(dir), inside, &mine), "folder of your own settings outside of it")
}

// Two clones of a person that say so at once are both heard.
func TestSettingsOfSeveralClones(t *testing.T) {
	home := t.TempDir()
	env := func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] }
	var roots []layout.Root
	for range 8 {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o700))
		roots = append(roots, layout.Root(dir))
	}
	var all sync.WaitGroup
	for _, root := range roots {
		all.Go(func() {
			assert.NoError(t, Save(root, env, &Settings{Engine: EngineGit, Remote: "r", Clone: string(root)}))
		})
	}
	all.Wait()
	for _, root := range roots {
		s, err := Load(root, env)
		require.NoError(t, err)
		require.NotNil(t, s)
		assert.Equal(t, string(root), s.Clone)
	}
}

// A plan that a followed one waits for is followed as well, and says why; one that is over need not be.
func TestFollowedPlansBringWhatTheyWaitFor(t *testing.T) {
	all := []PlanSubscription{{Plan: "a", Follows: true}, {Plan: "b"}, {Plan: "c"}, {Plan: "d"}}
	assert.True(t, markDependencies(all, []string{"b", "c"}, map[string]exchange.PlanState{"c": {Finished: true}}))
	assert.Equal(t, []PlanSubscription{{Plan: "a", Follows: true}, {Plan: "b", Follows: true, Reason: "a followed plan waits for it"}, {Plan: "c"}, {Plan: "d"}}, all)
	assert.False(t, markDependencies(all, []string{"a", "b"}, nil), "they are followed already")
}

func TestSettingsSayWhere(t *testing.T) {
	git, etcd := Settings{Engine: EngineGit, Remote: "origin"}, Settings{Engine: EngineEtcd, Team: "t", Repo: "r"}
	assert.Equal(t, "refs/idumb/claims on origin", git.Location())
	assert.Equal(t, "refs/idumb/state there", git.WherePlans())
	assert.Equal(t, "etcd, below /idumb/t/r/", etcd.Location())
	assert.Equal(t, "the same etcd", etcd.WherePlans())
}

// A clone follows what the team agreed on, and what it chose itself besides.
func TestSubscription(t *testing.T) {
	chosen := UserSubscription{Plans: []string{"mine"}, Not: []string{"theirs"}}
	for name, test := range map[string]struct {
		agreed []string
		want   exchange.Subscription
	}{
		"nothing":         {nil, exchange.Subscription{Active: true, Plans: []string{"mine"}, Not: []string{"theirs"}}},
		"active ones":     {[]string{"active"}, exchange.Subscription{Active: true, Plans: []string{"mine"}, Not: []string{"theirs"}}},
		"all":             {[]string{"all"}, exchange.Subscription{All: true, Plans: []string{"mine"}, Not: []string{"theirs"}}},
		"some":            {[]string{"p", "q"}, exchange.Subscription{Plans: []string{"mine", "p", "q"}, Not: []string{"theirs"}}},
		"some and active": {[]string{"p", "active"}, exchange.Subscription{Active: true, Plans: []string{"mine", "p"}, Not: []string{"theirs"}}},
	} {
		assert.Equal(t, &test.want, subscription(test.agreed, chosen), name)
	}
	assert.Equal(t, []string{"mine"}, chosen.Plans)
}
