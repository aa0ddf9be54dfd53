package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// AskHook returns a function that sends a hook's event to the controller. It is
// for the idumb program, which starts slowly anyway. idumb-hook has a faster
// implementation.
func AskHook(version string) hooks.AskController {
	return func(host string, env []string, event []byte) (hooks.Answered, error) {
		cwd, err := os.Getwd()
		if err != nil {
			return hooks.Answered{}, err
		}
		root, err := layout.FindFor(layout.Project(env), cwd)
		if err != nil {
			return hooks.Answered{}, err
		}
		a, err := askHook(root, frame.Question{Host: host, Version: version, Cwd: cwd, Env: frame.RelevantEnv(env), Event: event})
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			err = hooks.ErrSilent
		}
		switch {
		case errors.Is(err, frame.ErrOlder):
			err = errors.Join(err, stopOlder(root))
		case errors.Is(err, frame.ErrNewer):
			err = hooks.ErrNewer
		}
		return hooks.Answered{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, err
	}
}

// stopOlder stops a controller that this version does not understand, so that a
// controller of this version is started. All versions understand the request.
func stopOlder(root layout.Root) error {
	ctx, cancel := context.WithTimeout(context.Background(), frame.Timeout)
	defer cancel()
	client, err := Dial(ctx, root)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Ask(ctx, http.MethodPost, "/stop", nil)
}

// askHook sends one question to the controller of a repository.
func askHook(root layout.Root, q frame.Question) (frame.Answer, error) {
	head, err := q.AppendHead(nil)
	if err != nil {
		return frame.Answer{}, err
	}
	conn, _, err := dial(context.Background(), root, layout.HookSocket)
	if err != nil {
		return frame.Answer{}, err
	}
	defer conn.Close()
	err = conn.SetDeadline(time.Now().Add(frame.Timeout))
	if err == nil {
		_, err = conn.Write(append(head, q.Event...))
	}
	if err == nil {
		err = conn.CloseWrite()
	}
	if err != nil {
		return frame.Answer{}, fmt.Errorf("send the query to the controller: %w", err)
	}
	data, err := readAnswer(conn)
	if err != nil {
		return frame.Answer{}, fmt.Errorf("read the controller's answer: %w", err)
	}
	return frame.ParseAnswer(data)
}

// readAnswer reads the full answer. It extends the deadline if the controller
// announces its answer.
func readAnswer(conn net.Conn) ([]byte, error) {
	first := make([]byte, len(frame.Waiting))
	n, err := io.ReadFull(conn, first)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if string(first[:n]) == frame.Waiting {
		n = 0
		if err := conn.SetDeadline(time.Now().Add(frame.WorkTimeout)); err != nil {
			return nil, err
		}
	}
	rest, err := io.ReadAll(conn)
	return append(first[:n], rest...), err
}

// Peer is the process at the other end of a connection, as reported by the
// system.
type Peer struct {
	UID int
	PID int // 0 if unknown, as for a process in another PID namespace
}

// peerKey is the context key of the Peer of a request.
type peerKey struct{}

// withPeer stores the peer of a connection in ctx.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	if unix, ok := conn.(*net.UnixConn); ok {
		if peer, err := PeerOf(unix); err == nil {
			return context.WithValue(ctx, peerKey{}, peer)
		}
	}
	return ctx
}

// PeerOfRequest returns the process that sent a request over the controller's
// socket. It returns false if the process is unknown.
func PeerOfRequest(r *http.Request) (Peer, bool) {
	peer, known := r.Context().Value(peerKey{}).(Peer)
	return peer, known
}

// Answerer answers hooks from the controller's cache. The answers equal those
// that a hook computes from the files.
type Answerer struct {
	manager *controller.Manager
	server  *hooks.Server
}

// NewAnswerer returns an Answerer for the repository at root. m is the manager
// that keeps its cache. NewAnswerer sets backend.Reader; the caller provides
// the rest of backend.
func NewAnswerer(root layout.Root, m *controller.Manager, backend hooks.Backend) *Answerer {
	backend.Reader = m.Client("hooks").Reader()
	return &Answerer{manager: m, server: hooks.NewServer(root, backend)}
}

// AnswerHook answers a question after the cache reflects the files. It returns
// false if the cache cannot be updated in time; the hook then computes the
// answer itself.
func (a *Answerer) AnswerHook(ctx context.Context, q frame.Question, pid func() int, late func() bool) (frame.Answer, bool) {
	if a.manager.WaitSynced(ctx) != nil || late() {
		return frame.Answer{}, false
	}
	answer, answered := a.server.Answer(hooks.Request{Host: q.Host, Cwd: q.Cwd, Env: q.Env, Event: q.Event, Now: time.Now(), PID: pid, Late: late})
	return frame.Answer{Stdout: answer.Stdout, Stderr: answer.Stderr, Exit: answer.Exit}, answered
}
