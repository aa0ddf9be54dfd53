package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/hack/e2e/agents/clients"
	"github.com/idumb-dev/idumb/hack/e2e/agents/model"
)

// npmRetry is the shortest time after which npm tries again to reach a registry. npm tries three
// times, which takes 72 seconds.
const npmRetry = 10 * time.Second

// offlineStart tests that OpenCode starts without a network. OpenCode installs an npm package into
// each settings directory and waits for that if the directory has a plugin. If npm cannot reach the
// registry, it retries. For the project directory, the installer writes an .npmrc file that
// prevents the retries. For the user's own directory, `doctor` explains how to prevent them. The
// test also checks that OpenCode does wait without these files, because otherwise the test would
// prove nothing.
func offlineStart(s *stage) {
	own := filepath.Join(s.place.Home, ".config", "opencode")
	s.must(os.MkdirAll(own, 0o700))
	out, _ := s.command(s.program("idumb"), "doctor") // doctor exits with an error because it also reports other findings
	s.check(strings.Contains(out, "fetch-retries=0"), "doctor does not report how to end the wait for npm in the user's folder:\n%s", out)

	s.must(os.WriteFile(filepath.Join(own, ".npmrc"), []byte("fetch-retries=0\n"), 0o600))
	s.check(!s.waitsForNPM(), "offline it waits for npm although the files are installed")
	s.must(os.Remove(s.path(".opencode/.npmrc")))
	s.check(s.waitsForNPM(), "offline it does not wait without the installer's cure either: the cure proves nothing")
}

// waitsForNPM starts OpenCode without a network and reports whether npm retried its registry before
// OpenCode sent a request to the model.
func (s *stage) waitsForNPM() bool {
	network, err := cutNetwork()
	s.must(err)
	defer network.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	go func() {
		for ctx.Err() == nil && network.span() < npmRetry {
			time.Sleep(100 * time.Millisecond)
		}
		cancel()
	}()
	s.model.Play(mainLane(model.Say("Here.")))
	asked := len(s.model.Requests())
	var env []string
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		env = append(env, name+"=http://"+network.Addr().String())
	}
	_, err = s.Run(ctx, clients.Options{Env: env}, "are you there?")
	waited := network.span() >= npmRetry
	s.check(network.tries() > 0, "npm did not try to reach its registry")
	s.check(waited || len(s.model.Requests()) > asked, "it ended without asking its model: %v", err)
	return waited
}

// brokenNetwork is a proxy that closes every connection, which simulates a missing network.
type brokenNetwork struct {
	net.Listener
	mu    sync.Mutex
	calls []time.Time
}

func cutNetwork() (*brokenNetwork, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &brokenNetwork{Listener: listener}
	go b.serve()
	return b, nil
}

func (b *brokenNetwork) serve() {
	for {
		connection, err := b.Accept()
		if err != nil {
			return // the listener is closed
		}
		_ = connection.Close()
		b.mu.Lock()
		b.calls = append(b.calls, time.Now())
		b.mu.Unlock()
	}
}

func (b *brokenNetwork) tries() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.calls)
}

// span returns the time between the first and the last call.
func (b *brokenNetwork) span() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.calls) == 0 {
		return 0
	}
	return b.calls[len(b.calls)-1].Sub(b.calls[0])
}
