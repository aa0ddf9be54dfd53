// Package serve answers requests to the controller on two Unix sockets below
// .idumb/run. Only the owner may use them. Hooks use the protocol of package
// frame, and other clients use HTTP.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// HookAnswerer answers questions of hooks. It returns false if the hook must
// compute the answer itself, for example if the event concerns another
// repository.
//
// pid returns the hook's process ID, or 0 if unknown. late reports whether the
// answer is too late: the hook has ended or has timed out and computes the
// answer. A late answer must not be recorded. ctx ends at that time too, and
// when the server closes.
type HookAnswerer interface {
	AnswerHook(ctx context.Context, q frame.Question, pid func() int, late func() bool) (frame.Answer, bool)
}

// Options configures a Server.
type Options struct {
	Version string
	Log     *slog.Logger
	// Status returns the state of the controller. It may be called at any time.
	Status func() controller.Heartbeat
	// Stop asks the controller to end and returns immediately.
	Stop func()
	// OnIdle is called when the last active HTTP request has ended. A stream
	// is active as long as it is read. It may be nil.
	OnIdle func()
	// OnHookAnswer is called after each answer to a hook; the hook does not
	// wait for it. It may be nil.
	OnHookAnswer func()
	// API handles HTTP requests that the server itself does not handle. It may
	// be nil.
	API http.Handler
	// Page handles POST requests to /page. It opens a page in a browser for the
	// client that PeerOfRequest returns. It may be nil.
	Page http.Handler
}

// Server listens on both sockets. Create it with New.
type Server struct {
	root        layout.Root
	options     Options
	started     time.Time
	hooks       atomic.Pointer[HookAnswerer]
	acceptMu    sync.Mutex      // held while waiting for the next hook
	slowConns   atomic.Int32    // connections with an incomplete question
	ctx         context.Context // parent of all request contexts
	cancel      context.CancelFunc
	http        *http.Server
	warnForeign sync.Once    // limits the warning about other users to one
	requests    atomic.Int64 // active HTTP requests
	hookWorkers sync.WaitGroup

	mu      sync.Mutex
	sockets *sockets // nil if closed
	closed  bool
}

// maxAtOnce is the number of hooks that are answered concurrently.
const maxAtOnce = 32

// closeTimeout is the timeout for active answers when the server closes.
const closeTimeout = time.Second

// New returns a server for the repository at root. It is unreachable until Open
// is called. It tells hooks to compute their answers until AnswerHooks is
// called.
func New(root layout.Root, o Options) *Server {
	s := &Server{root: root, options: o, started: time.Now()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.CountActive(s.handler()), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ConnContext: withPeer,
	}
	return s
}

// AnswerHooks sets the answerer of hooks. With nil, hooks compute their
// answers.
func (s *Server) AnswerHooks(by HookAnswerer) {
	if by == nil {
		s.hooks.Store(nil)
		return
	}
	s.hooks.Store(&by)
}

// Open opens the sockets. The server answers on them until Close. Only the
// holder of the controller's lease may call it, because it replaces existing
// sockets. A second call reopens the sockets if .idumb was moved or replaced.
// An error may be resolved by a later call.
func (s *Server) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.sockets != nil && s.sockets.inPlace(s.root) {
		return nil
	}
	if s.sockets != nil { // close first, because the new sockets may be in the same directory
		_ = s.sockets.close()
		s.sockets = nil
	}
	bound, err := bind(s.root)
	if err != nil {
		return fmt.Errorf("the controller's sockets in %s cannot be opened: %w", layout.RunDir, err)
	}
	s.sockets = bound
	for range maxAtOnce {
		s.hookWorkers.Go(func() { s.acceptHooks(bound.hook) })
	}
	s.hookWorkers.Go(func() { _ = s.http.Serve(ownUserListener{bound.api, s}) })
	return nil
}

// IsWatched reports whether any HTTP request is active, such as a stream.
func (s *Server) IsWatched() bool { return s.requests.Load() > 0 }

// CountActive wraps a handler so that its requests count as active: see IsWatched and
// Options.OnIdle.
func (s *Server) CountActive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		defer func() {
			if s.requests.Add(-1) == 0 && s.options.OnIdle != nil {
				s.options.OnIdle()
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// Close removes the sockets, waits up to closeTimeout for active answers and ends
// all requests. Later calls of Open have no effect.
func (s *Server) Close() error {
	s.mu.Lock()
	bound := s.sockets
	s.sockets, s.closed = nil, true
	s.mu.Unlock()
	if bound == nil {
		return nil
	}
	err := bound.close()
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if down := s.http.Shutdown(ctx); down != nil {
		err = errors.Join(err, s.http.Close())
	}
	done := make(chan struct{})
	go func() { s.hookWorkers.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	s.cancel()
	return err
}

// ownUserListener is a listener that accepts only the current user.
type ownUserListener struct {
	*net.UnixListener
	server *Server
}

// Accept returns the next connection of the current user.
func (l ownUserListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if l.server.isOwnUser(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// isOwnUser reports whether the connection is from the current user.
func (s *Server) isOwnUser(conn *net.UnixConn) bool {
	peer, err := PeerOf(conn)
	if err == nil && peer.UID == os.Geteuid() {
		return true
	}
	s.warnForeign.Do(func() {
		s.options.Log.Warn("another user asked and was not answered", "controller", "serve", "uid", peer.UID, "error", err)
	})
	return false
}
