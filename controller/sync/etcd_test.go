package sync

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
)

// office is a person's clone, and what stands around it.
type office struct {
	t    *testing.T
	root layout.Root
	env  map[string]string
}

func newOffice(t *testing.T) *office {
	o := &office{t, layout.Root(t.TempDir()), map[string]string{"XDG_CONFIG_HOME": t.TempDir()}}
	require.NoError(t, os.Mkdir(o.root.Abs(".git"), 0o700))
	o.write(".idumb/config.json", `{"spec": {"sync": {"engine": "etcd", "team": "acme", "repo": "shop"}}}`)
	return o
}

func (o *office) getenv(name string) string { return o.env[name] }

func (o *office) write(name, text string) {
	file := filepath.Join(string(o.root), filepath.FromSlash(name))
	require.NoError(o.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(o.t, os.WriteFile(file, []byte(text), 0o600))
}

func (o *office) trusts() { require.NoError(o.t, trust.StoreOf(o.getenv).Trust(o.root)) }

// settle writes the person's own settings, which name an etcd.
func (o *office) settle(mode os.FileMode) {
	file := filepath.Join(o.env["XDG_CONFIG_HOME"], "idumb", "sync.json")
	require.NoError(o.t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(o.t, os.WriteFile(file, []byte(`{"etcd": {"endpoints": ["https://etcd.acme.example:2379"], "cert": "c", "key": "k", "ca": "a"}}`), 0o600))
	require.NoError(o.t, os.Chmod(file, mode))
}

// A repository says which engine its team shares by, and has no word about the server: it stands in
// the person's settings, which nobody else may read.
func TestARepositoryNamesNoServer(t *testing.T) {
	o := newOffice(t)
	o.write(".idumb/config.json", `{"spec": {"sync": {"engine": "etcd", "team": "acme", "repo": "shop", "endpoints": ["https://evil.example"], "url": "https://evil.example"}}}`)
	o.write(".idumb/sync.json", `{"etcd": {"endpoints": ["https://evil.example"]}}`)
	o.trusts()
	s, err := Load(o.root, o.getenv)
	require.NoError(t, err)
	assert.Nil(t, s, "nobody enabled it")
	_, err = ServerOf(o.root, o.getenv)
	require.ErrorContains(t, err, "names no etcd")

	o.settle(0o640)
	_, err = ServerOf(o.root, o.getenv)
	require.ErrorContains(t, err, "chmod 600")
	o.settle(0o600)
	server, err := ServerOf(o.root, o.getenv)
	require.NoError(t, err)
	assert.Equal(t, Server{[]string{"https://etcd.acme.example:2379"}, "c", "k", "a"}, server)

	o.env["XDG_CONFIG_HOME"] = string(o.root) // settings in the repository are its own word
	o.write("idumb/sync.json", `{"etcd": {"endpoints": ["https://evil.example"]}}`)
	_, err = ServerOf(o.root, o.getenv)
	require.Error(t, err)
}

// On a build server the environment names the etcd, unless the repository could have set it there.
func TestTheEnvironmentNamesTheServer(t *testing.T) {
	o := newOffice(t)
	for name, value := range map[string]string{"IDUMB_SYNC_URL": "https://a:2379,https://b:2379", "IDUMB_SYNC_CERT": "/c", "IDUMB_SYNC_KEY": "/k", "IDUMB_SYNC_CA": "/a"} {
		o.env[name] = value
	}
	s, err := Load(o.root, o.getenv)
	require.NoError(t, err)
	require.Equal(t, &Settings{Engine: EngineEtcd, Team: "acme", Repo: "shop"}, s)
	server, err := ServerOf(o.root, o.getenv)
	require.NoError(t, err)
	assert.Equal(t, Server{[]string{"https://a:2379", "https://b:2379"}, "/c", "/k", "/a"}, server)
	o.trusts()
	first, err := Open(o.root, o.getenv)
	require.NoError(t, err)
	second, err := Open(o.root, o.getenv)
	require.NoError(t, err)
	assert.NotEmpty(t, first.clone)
	assert.Equal(t, first.clone, second.clone, "a clone has one name in all its processes")
	assert.True(t, first.Equal(second))

	o.write(".claude/settings.json", `{"env": {"IDUMB_SYNC_URL": "https://evil.example"}}`)
	s, err = Load(o.root, o.getenv)
	require.NoError(t, err)
	assert.Nil(t, s)
	_, err = ServerOf(o.root, o.getenv)
	require.Error(t, err)
}

// Nothing is shared of a repository that the person does not trust, or whose rules came in anew.
func TestAnUntrustedRepositoryIsNotShared(t *testing.T) {
	o := newOffice(t)
	o.settle(0o600)
	require.NoError(t, Save(o.root, o.getenv, &Settings{Engine: EngineEtcd, Team: "acme", Repo: "shop", Clone: "c"}))
	_, err := Open(o.root, o.getenv)
	require.ErrorIs(t, err, ErrUntrusted)
	o.trusts()
	team, err := Open(o.root, o.getenv)
	require.NoError(t, err)
	require.NotNil(t, team)
	assert.Equal(t, claimTTL, team.ttl)
	assert.True(t, team.requireClaim)
	assert.Equal(t, 20000, team.maxObjects)
	o.write(".idumb/config.json", `{"spec": {"sync": {"engine": "etcd", "claimTTL": "1h", "offlineStart": "allow", "maxObjects": 7}}}`)
	_, err = Open(o.root, o.getenv)
	require.ErrorIs(t, err, ErrUntrusted, "somebody changed it")
	o.trusts()
	next, err := Open(o.root, o.getenv)
	require.NoError(t, err)
	assert.False(t, next.requireClaim)
	assert.EqualValues(t, 60, next.ttl.Minutes())
	assert.Equal(t, 7, next.maxObjects)
	assert.False(t, next.Equal(team))
}
