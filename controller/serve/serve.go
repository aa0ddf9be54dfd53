// Package serve answers for the controller on two Unix sockets below .idumb/run, which are
// the owner's alone: hooks in the frame of package frame, everybody else over HTTP.
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

// HookAnswerer answers what hooks ask. False: the hook is to compute its answer itself, as
// where the question is about another repository than this one, which only the event tells.
//
// pid is the number of the hook's process, 0 if that is not known. late reports whether nobody waits for the answer any more: the hook is gone, or its patience
// is over, and it computes. Nothing may be recorded of an answer that is given too late. ctx
// ends at that time as well, and when the server closes.
type HookAnswerer interface {
	AnswerHook(ctx context.Context, q frame.Question, pid func() int, late func() bool) (frame.Answer, bool)
}

// Options say what a server answers.
type Options struct {
	Version string
	Log     *slog.Logger
	// Status is how the controller does. It may be called at any time.
	Status func() controller.Heartbeat
	// Stop asks the controller to end, and returns at once.
	Stop func()
	// Answered is called each time that the last one who asked over HTTP has got the whole answer:
	// a stream is one for as long as it is read. Nil: nobody wants to know.
	Answered func()
	// HookAnswered is called behind each answer to a hook, which waits for it no more. Nil: nobody
	// wants to know.
	HookAnswered func()
	// API answers over HTTP what the server itself does not; nil: nothing more.
	API http.Handler
	// Page opens the page that people look at in a browser, for who posts to /page; nil: there is
	// none. PeerOfRequest says who that is.
	Page http.Handler
}

// Server listens on both sockets. Make it with New.
type Server struct {
	root    layout.Root
	options Options
	started time.Time
	hooks   atomic.Pointer[HookAnswerer]
	hearing sync.Mutex      // held by who waits for the next hook
	slow    atomic.Int32    // connections whose question is waited for beside the others
	ctx     context.Context // of all answers
	cancel  context.CancelFunc
	http    *http.Server
	strange sync.Once    // says that another user asked
	watched atomic.Int64 // requests over HTTP that are under way
	asking  sync.WaitGroup

	mu     sync.Mutex
	bound  *sockets // nil: closed
	closed bool
}

// maxAtOnce is how many hooks are answered at a time.
const maxAtOnce = 32

// farewell is how long answers may take that are under way when the server closes.
const farewell = time.Second

// New makes the server of the repository at root. Nobody can ask it before Open. Hooks are
// told to compute until AnswerHooks was called.
func New(root layout.Root, o Options) *Server {
	s := &Server{root: root, options: o, started: time.Now()}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.http = &http.Server{
		Handler: s.Counted(s.handler()), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(o.Log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return s.ctx },
		ConnContext: withPeer,
	}
	return s
}

// AnswerHooks says who answers hooks from now on; nil: nobody.
func (s *Server) AnswerHooks(by HookAnswerer) {
	if by == nil {
		s.hooks.Store(nil)
		return
	}
	s.hooks.Store(&by)
}

// Open opens the sockets, on which the server answers until Close. Only who holds the
// controller's lease may call it: sockets that are there already are nobody's. Called again it
// makes sure that they stand where the repository's .idumb is now: after that was moved away
// and another one came, they do not. An error may be mended by calling it later.
func (s *Server) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.bound != nil && s.bound.inPlace(s.root) {
		return nil
	}
	if s.bound != nil { // first: the new ones may stand in the same folder
		_ = s.bound.close()
		s.bound = nil
	}
	bound, err := bind(s.root)
	if err != nil {
		return fmt.Errorf("the controller's sockets in %s cannot be opened: %w", layout.RunDir, err)
	}
	s.bound = bound
	for range maxAtOnce {
		s.asking.Go(func() { s.acceptHooks(bound.hook) })
	}
	s.asking.Go(func() { _ = s.http.Serve(ownOnly{bound.api, s}) })
	return nil
}

// Watched reports whether somebody asks over HTTP, as who looks at a stream does all the time.
func (s *Server) Watched() bool { return s.watched.Load() > 0 }

// Counted has those who ask next count as ones who look on: see Watched and Options.Answered.
func (s *Server) Counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.watched.Add(1)
		defer func() {
			if s.watched.Add(-1) == 0 && s.options.Answered != nil {
				s.options.Answered()
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// Close removes the sockets, waits a moment for answers that are under way and ends.
func (s *Server) Close() error {
	s.mu.Lock()
	bound := s.bound
	s.bound, s.closed = nil, true
	s.mu.Unlock()
	if bound == nil {
		return nil
	}
	err := bound.close()
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if down := s.http.Shutdown(ctx); down != nil {
		err = errors.Join(err, s.http.Close())
	}
	done := make(chan struct{})
	go func() { s.asking.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
	s.cancel()
	return err
}

// ownOnly is a listener that lets nobody in but this user.
type ownOnly struct {
	*net.UnixListener
	server *Server
}

// Accept returns the next connection of this user's.
func (l ownOnly) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if l.server.welcome(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

// welcome reports whether it is this user who asks.
func (s *Server) welcome(conn *net.UnixConn) bool {
	peer, err := PeerOf(conn)
	if err == nil && peer.UID == os.Geteuid() {
		return true
	}
	s.strange.Do(func() {
		s.options.Log.Warn("another user asked and was not answered", "controller", "serve", "uid", peer.UID, "error", err)
	})
	return false
}
