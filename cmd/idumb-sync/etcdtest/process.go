package etcdtest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/server/v3/embed"
)

// memberVariable makes a test program run an etcd member instead. It contains
// its directory, addresses and peers.
const memberVariable = "IDUMB_TEST_ETCD"

// Main must be called first in TestMain of tests that use Member. It does not
// return in a process that runs a member.
func Main() {
	words := strings.Split(os.Getenv(memberVariable), " ")
	if len(words) != 5 {
		return
	}
	c := embed.NewConfig()
	c.Name, c.Dir, c.InitialCluster = words[0], words[1], words[4]
	c.Logger, c.LogOutputs = "zap", []string{os.DevNull}
	c.TickMs, c.ElectionMs = 50, 500
	c.ListenClientUrls, c.ListenPeerUrls = one(words[2]), one(words[3])
	c.AdvertiseClientUrls, c.AdvertisePeerUrls = c.ListenClientUrls, c.ListenPeerUrls
	e, err := embed.StartEtcd(c)
	if err == nil {
		err = <-e.Err()
	}
	fmt.Fprintln(os.Stderr, "etcd:", err)
	os.Exit(1)
}

// one returns a list with the parsed address. It panics if the address is invalid.
func one(address string) []url.URL {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return []url.URL{*u}
}

// Member is an etcd member in a separate process that can be killed.
type Member struct {
	URL  string
	what string
	cmd  *exec.Cmd
}

// Members starts a cluster of several members.
func Members(t testing.TB, many int) []*Member {
	var cluster []string
	all, peers := make([]*Member, many), make([]string, many)
	for i := range all {
		all[i] = &Member{URL: Address(t)[0].String()}
		peers[i] = Address(t)[0].String()
		cluster = append(cluster, fmt.Sprintf("m%d=%s", i, peers[i]))
	}
	for i, m := range all {
		m.what = strings.Join([]string{fmt.Sprintf("m%d", i), t.TempDir(), m.URL, peers[i], strings.Join(cluster, ",")}, " ")
		m.Start(t)
		t.Cleanup(m.Kill)
	}
	return all
}

// Start starts the member with its files.
func (m *Member) Start(t testing.TB) {
	m.cmd = exec.Command(os.Args[0], "-test.run=^$")
	m.cmd.Env = append(os.Environ(), memberVariable+"="+m.what)
	m.cmd.Stderr = os.Stderr
	require.NoError(t, m.cmd.Start())
}

// Kill kills the process, like a power loss of the machine without loss of
// buffered writes.
func (m *Member) Kill() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// Eventually calls try until it succeeds.
func Eventually(t testing.TB, try func() error) {
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if err = try(); err == nil {
			return
		}
	}
	require.NoError(t, err)
}
