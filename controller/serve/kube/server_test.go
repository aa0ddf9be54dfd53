//go:build linux

package kube

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

func TestOnlyWhoHasTheTokenIsLetIn(t *testing.T) {
	s := openShop(t)
	for name, headers := range map[string][]string{
		"no token": {"Authorization", ""}, "another": {"Authorization", "Bearer x"}, "no bearer": {"Authorization", s.config.Users[0].User.Token},
	} {
		code, answer := s.answer(http.MethodGet, "/api", "", headers...)
		assert.Equal(t, http.StatusUnauthorized, code, name)
		assert.Equal(t, "Unauthorized", answer["reason"], name)
	}
	for name, headers := range map[string][]string{"a page": {"Origin", "https://evil.example"}, "a name that leads here": {"Host", "evil.example"}} {
		code, _ := s.answer(http.MethodGet, "/api", "", headers...)
		assert.Equal(t, http.StatusForbidden, code, name)
	}
	for _, host := range []string{"localhost:1", "localhost", "127.0.0.1", "[::1]", "[::1]:1"} {
		code, _ := s.answer(http.MethodGet, "/api", "", "Host", host)
		assert.Equal(t, http.StatusOK, code, host)
	}
	plain, err := http.Get("http://" + strings.TrimPrefix(s.config.Clusters[0].Cluster.Server, "https://") + "/api")
	require.NoError(t, err)
	plain.Body.Close()
	assert.Equal(t, http.StatusBadRequest, plain.StatusCode, "without TLS")
}

// Clients that are connected find the API again after a restart.
func TestTheNextControllerIsReachedTheSameWay(t *testing.T) {
	s := openShop(t)
	before := s.config
	s.server.Close()
	for _, file := range []string{accessFile, openFile} {
		info, err := os.Stat(s.root.Abs(file))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), file)
	}
	info, err := os.Stat(s.root.Abs(layout.KubeDir))
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	next := New(s.server.options)
	next.SetCounter(func(h http.Handler) http.Handler { return h })
	next.OpenAgain()
	t.Cleanup(next.Close)
	require.NotNil(t, next.open, "it was open")
	now, err := next.Open()
	require.NoError(t, err)
	assert.Equal(t, before.Clusters[0].Cluster.Server, now.Clusters[0].Cluster.Server)
	assert.Equal(t, before, now)
	s.get(own + "tasks")
	_, err = s.server.Open()
	assert.Error(t, err, "one that was closed for good")
}

// What others could read is no secret any more.
func TestKeysThatWereOpenToOthersAreMadeAnew(t *testing.T) {
	root := layout.Root(t.TempDir())
	require.NoError(t, os.Mkdir(root.Abs(layout.Dir), 0o755))
	now := time.Now()
	first, err := loadAccess(root, now)
	require.NoError(t, err)
	first.Port = 4711
	require.NoError(t, first.save(root))
	again, err := loadAccess(root, now)
	require.NoError(t, err)
	assert.Equal(t, first, again)
	late, err := loadAccess(root, now.Add(certificateLifetime-renewBefore/2))
	require.NoError(t, err)
	assert.NotEqual(t, first.Token, late.Token, "it is over soon")
	require.NoError(t, os.Chmod(root.Abs(accessFile), 0o644))
	other, err := loadAccess(root, now)
	require.NoError(t, err)
	assert.NotEqual(t, first.Token, other.Token)
	for _, text := range []string{"", "{", "null", `{"token": "x", "port": 99999999}`} {
		require.NoError(t, os.WriteFile(root.Abs(accessFile), []byte(text), 0o600))
		require.NoError(t, os.Chmod(root.Abs(accessFile), 0o600))
		other, err := loadAccess(root, now)
		require.NoError(t, err, text)
		assert.Zero(t, other.Port, text)
	}
}

func TestAPortThatIsTakenIsLeftAlone(t *testing.T) {
	s := openShop(t)
	before := s.config
	s.server.Close()
	taken, err := net.Listen("tcp", strings.TrimPrefix(s.config.Clusters[0].Cluster.Server, "https://"))
	require.NoError(t, err)
	defer taken.Close()
	s.again(IdleAfter)
	assert.NotEqual(t, before.Clusters[0].Cluster.Server, s.config.Clusters[0].Cluster.Server)
	assert.Equal(t, before.Users, s.config.Users)
}

// again is the API of another controller, which is opened.
func (s *shop) again(idle time.Duration) *Server {
	s.server.Close()
	o := s.server.options
	o.IdleAfter = idle
	next := New(o)
	next.SetCounter(func(h http.Handler) http.Handler { return h })
	s.t.Cleanup(next.Close)
	config, err := next.Open()
	require.NoError(s.t, err)
	s.config = config
	return next
}

func TestItStaysWhileSomebodyLooksOn(t *testing.T) {
	s := openShop(t)
	const idle = 100 * time.Millisecond
	s.again(idle)
	next := s.watch(own + "tasks?watch=true")
	next()
	time.Sleep(3 * idle)
	assert.FileExists(t, s.root.Abs(openFile))
	next()
}

func TestItIsGoneOnceNobodyUsedItForLong(t *testing.T) {
	s := openShop(t)
	next := s.again(50 * time.Millisecond)
	require.Eventually(t, func() bool { _, err := os.Stat(s.root.Abs(openFile)); return err != nil }, 10*time.Second, 10*time.Millisecond)
	again, err := next.Open()
	require.NoError(t, err)
	again.Clusters[0].Cluster.Server = s.config.Clusters[0].Cluster.Server // its port may be a stranger's by now
	assert.Equal(t, s.config, again, "who asks gets it back as it was")
}

// A token does not help an agent: the system says whose connection it is.
func TestAgentsAreRefused(t *testing.T) {
	s := openShop(t)
	require.NoError(t, os.WriteFile(s.root.Abs("ca"), s.config.Clusters[0].Cluster.CA, 0o600))
	curl := func() string {
		out, err := exec.Command("curl", "-s", "--cacert", s.root.Abs("ca"), "-H", "Authorization: Bearer "+s.config.Users[0].User.Token, s.config.Clusters[0].Cluster.Server+own+"tasks").CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	assert.Contains(t, curl(), "TaskNodeList")
	host, known := process.Lookup(os.Getpid())
	require.True(t, known)
	require.NoError(t, callers.RecordAgent(s.root, callers.Agent{Session: "s1", Process: host}))
	assert.Contains(t, curl(), "agents do not use the Kubernetes API")
}

func TestTheControllersOwnSocketGivesTheKubeconfig(t *testing.T) {
	s := openShop(t)
	others := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { serve.FailPath(w) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	server := &http.Server{Handler: s.server.WrapLocal(others)}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	for request, want := range map[[2]string]int{{http.MethodPost, ConfigPath}: http.StatusOK, {http.MethodGet, ConfigPath}: http.StatusMethodNotAllowed, {http.MethodPost, "/api"}: http.StatusNotFound} {
		r, err := http.NewRequest(request[0], "http://"+listener.Addr().String()+request[1], nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		response.Body.Close()
		assert.Equal(t, want, response.StatusCode, strconv.Quote(request[1]))
	}
}
