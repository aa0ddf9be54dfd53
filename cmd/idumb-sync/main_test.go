package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"

	"github.com/idumb-dev/idumb/cmd/idumb-sync/etcdtest"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/engine/progengine"
	"github.com/idumb-dev/idumb/hack/enginetest"
)

// programVariable has a test's program be idumb-sync.
const programVariable = "IDUMB_TEST_SYNC"

func TestMain(m *testing.M) {
	etcdtest.Main()
	if os.Getenv(programVariable) != "" || len(os.Args) == 1 { // go test gives arguments, and iDumb none
		os.Exit(run(nil, os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// program is idumb-sync as it runs, which may be killed.
type program struct {
	io.WriteCloser
	io.Reader
	cmd  *exec.Cmd
	once sync.Once
}

func (p *program) Close() error {
	p.once.Do(func() {
		_ = p.WriteCloser.Close()
		_ = p.cmd.Wait()
	})
	return nil
}

// machine is one that reaches an etcd by way of the program.
type machine struct {
	*progengine.Engine
	mu sync.Mutex
	at *program
}

func newMachine(t testing.TB, repo string, endpoints ...string) *machine {
	m := &machine{}
	m.Engine = progengine.New(progengine.Place{Endpoints: endpoints, Team: "acme", Repo: repo}, m.start)
	t.Cleanup(func() { m.Engine.Close() })
	return m
}

func (m *machine) start() (io.ReadWriteCloser, error) {
	p := &program{cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), programVariable+"=1") // GORACE among it
	p.cmd.Stderr = os.Stderr
	var err error
	if p.WriteCloser, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.Reader, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	err = p.cmd.Start()
	if err == nil {
		m.at = p
	}
	return p, err
}

func (m *machine) kill() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at != nil {
		_ = m.at.cmd.Process.Kill()
	}
}

// The program is an engine: by its pipe as well.
func TestItIsAnEngine(t *testing.T) {
	server := etcdtest.Start(t, nil)
	teams := 0
	enginetest.Run(t, func(t *testing.T, machines int) []engine.Engine {
		teams++
		team := make([]engine.Engine, machines)
		for i := range team {
			team[i] = newMachine(t, fmt.Sprintf("shop-%d", teams), server.URL)
		}
		return team
	}, 20)
}

// counting is one who counts in a key of their own, and knows at any time what must stand there.
type counting struct {
	m     *machine
	key   string
	acked int
	stop  *atomic.Bool
	gap   time.Duration // the longest without an answer that a change was made
}

// run counts until it is told to stop. What is not known to have been made is looked at.
func (c *counting) run(ctx context.Context) error {
	rev, last := "", time.Now()
	for !c.stop.Load() {
		err := c.m.Txn(ctx, engine.Op{Key: c.key, Was: rev, Value: []byte(strconv.Itoa(c.acked + 1))})
		if err == nil {
			c.acked++
			c.gap, last = max(c.gap, time.Since(last)), time.Now()
		}
		made := err == nil
		if rev, err = c.look(ctx, made); err != nil {
			return err
		}
	}
	return nil
}

// look finds what stands: what was said to be made, or one more that was not.
func (c *counting) look(ctx context.Context, made bool) (rev string, err error) {
	for {
		items, err := c.m.List(ctx, c.key)
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			if ctx.Err() != nil {
				return "", err
			}
			continue
		}
		n := 0
		if len(items) > 0 {
			n, _ = strconv.Atoi(string(items[0].Value))
			rev = items[0].Rev
		}
		if n != c.acked && (made || n != c.acked+1) {
			return "", fmt.Errorf("%s: %d was acknowledged, and %d stands there", c.key, c.acked, n)
		}
		c.acked = n
		return rev, nil
	}
}

// count has several machines count while something is done to them.
func count(t *testing.T, machines []*machine, meanwhile func()) (acked int, gap time.Duration) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stop atomic.Bool
	var all sync.WaitGroup
	counts := make([]counting, len(machines))
	for i, m := range machines {
		counts[i] = counting{m: m, key: fmt.Sprintf("claims/t-%d", i), stop: &stop}
		all.Go(func() { assert.NoError(t, counts[i].run(ctx)) })
	}
	meanwhile()
	stop.Store(true)
	all.Wait()
	for _, c := range counts {
		acked, gap = acked+c.acked, max(gap, c.gap)
	}
	return acked, gap
}

// answers waits until the etcd of a machine does.
func answers(t *testing.T, m *machine) {
	etcdtest.Eventually(t, func() error {
		_, err := m.List(t.Context(), "claims/")
		return err
	})
}

// Nothing that was acknowledged is lost when the etcd, or the program, is killed again and again.
func TestKilled(t *testing.T) {
	t.Parallel()
	server := etcdtest.Members(t, 1)[0]
	machines := []*machine{newMachine(t, "shop", server.URL), newMachine(t, "shop", server.URL), newMachine(t, "shop", server.URL)}
	acked, gap := count(t, machines, func() {
		answers(t, machines[0]) // an etcd that is killed while it is made has no files to begin with again
		for round := range 10 {
			time.Sleep(200 * time.Millisecond)
			machines[round%len(machines)].kill()
			if round%3 == 2 {
				server.Kill()
				server.Start(t)
			}
		}
		time.Sleep(3 * time.Second)
	})
	t.Logf("%d changes acknowledged, none lost; 10 times idumb-sync and 3 times etcd killed; at most %v without a change", acked, gap.Round(time.Millisecond))
	assert.Greater(t, acked, 10)
}

// The same when the leader of three members is killed.
func TestTheLeaderIsKilled(t *testing.T) {
	t.Parallel()
	members := etcdtest.Members(t, 3)
	var urls []string
	for _, m := range members {
		urls = append(urls, m.URL)
	}
	machines := []*machine{newMachine(t, "shop", urls...), newMachine(t, "shop", urls...)}
	acked, gap := count(t, machines, func() {
		answers(t, machines[0])
		for range 2 {
			time.Sleep(time.Second)
			leader := leaderOf(t, members)
			leader.Kill()
			time.Sleep(2 * time.Second)
			leader.Start(t)
		}
		time.Sleep(2 * time.Second)
	})
	t.Logf("%d changes acknowledged, none lost; 2 times the leader of 3 killed; at most %v without a change", acked, gap.Round(time.Millisecond))
	assert.Greater(t, acked, 10)
}

func leaderOf(t *testing.T, members []*etcdtest.Member) (leader *etcdtest.Member) {
	etcdtest.Eventually(t, func() error {
		for _, m := range members {
			client, err := clientv3.New(clientv3.Config{Endpoints: []string{m.URL}, Logger: zap.NewNop()})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			s, err := client.Status(ctx, m.URL)
			cancel()
			client.Close()
			if err == nil && s.Leader == s.Header.MemberId {
				leader = m
				return nil
			}
		}
		return fmt.Errorf("there is no leader")
	})
	return leader
}

// An etcd that is not there is told of in seconds, in words that say so.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	began := time.Now()
	_, err := newMachine(t, "shop", etcdtest.Address(t)[0].String()).List(t.Context(), "claims/")
	require.ErrorContains(t, err, "connection refused")
	assert.Less(t, time.Since(began), time.Minute) // three seconds where nothing else runs
}

func TestByItself(t *testing.T) {
	var out, wrong bytes.Buffer
	assert.Zero(t, run([]string{"--help"}, strings.NewReader(""), &out, &wrong))
	assert.Contains(t, out.String(), "idumb sync enable")
	assert.Zero(t, run([]string{"--version"}, strings.NewReader(""), &out, &wrong))
	assert.Equal(t, 1, run([]string{"x"}, strings.NewReader(""), &out, &wrong))
	assert.Equal(t, 1, run(nil, strings.NewReader("junk"), &out, &wrong))
	assert.Contains(t, wrong.String(), "read a request")
	assert.Zero(t, run(nil, strings.NewReader(`{"place":{"Endpoints":["http://example.org"],"Team":"a","Repo":"b"}} {"id":1,"list":"claims/"}`), &out, &wrong))
}
