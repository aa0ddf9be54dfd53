package kube

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// IdleAfter is the default time without use after which the API closes.
	IdleAfter = time.Hour
	// ConfigPath is the path on the controller's own socket for requesting a
	// kubeconfig by POST. The request opens the API.
	ConfigPath = "/kubeconfig"
	// closeTimeout is the timeout for active requests when the API closes.
	closeTimeout = time.Second
)

// Options configures a Server. All fields must be set.
type Options struct {
	Root    layout.Root
	Version string // version of the program
	Log     *slog.Logger
	// Objects handles reads of objects.
	Objects *serve.Questions
	// Repo opens the repository for a user's write.
	Repo func() mutate.Repo
	// IdleAfter is the time without use after which the API closes.
	IdleAfter time.Duration
}

// Server is the Kubernetes API of a repository. Create it with New. It is safe
// for concurrent use.
type Server struct {
	options     Options
	namespace   string
	started     time.Time
	groups      []group
	clientState *clientState
	count       func(http.Handler) http.Handler // marks requests as active users of the controller
	openapi     openAPI

	mu     sync.Mutex
	open   *apiListener // nil if closed
	closed bool         // permanently
}

// apiListener is an open API.
type apiListener struct {
	access
	listener net.Listener
	http     *http.Server
	hangUp   context.CancelFunc // ends all streams
	idle     *time.Timer        // fires after IdleAfter without use
	busy     int                // active requests
}

// New returns the API of a repository, in closed state.
func New(o Options) *Server {
	s := &Server{options: o, namespace: serve.Namespace(o.Root), started: time.Now(), clientState: &clientState{root: o.Root}}
	s.groups = allGroups()
	o.Objects.Serving().Annotations = s.clientState.annotations
	return s
}

// SetCounter sets the wrapper that marks requests as active users of the controller.
// It must be called once, before the API is opened.
func (s *Server) SetCounter(counted func(next http.Handler) http.Handler) { s.count = counted }

// WrapLocal handles requests for a kubeconfig on the controller's own socket. It
// forwards all other requests to others.
func (s *Server) WrapLocal(others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch peer, _ := serve.PeerOfRequest(r); {
		case r.URL.Path != ConfigPath:
			others.ServeHTTP(w, r)
		case r.Method != http.MethodPost:
			serve.FailMethod(w, http.MethodPost)
		case belongsToAgent(s.options.Root, peer.PID):
			refuseAgent(w)
		default:
			config, err := s.Open()
			if err != nil {
				serve.Fail(w, http.StatusInternalServerError, "InternalError", err.Error())
				return
			}
			serve.Answer(w, http.StatusOK, config)
		}
	})
}

// Open opens the API, unless it is open, and returns its kubeconfig.
func (s *Server) Open() (Config, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Config{}, errors.New("the controller is shutting down; try again with its successor")
	}
	if s.open == nil {
		open, err := s.listen()
		if err != nil {
			return Config{}, fmt.Errorf("open the Kubernetes API: %w; see %s", err, layout.KubeDir)
		}
		s.open = open
	}
	s.open.idle.Reset(s.options.IdleAfter)
	return s.open.config(s.namespace), nil
}

// OpenAgain opens the API if it was open when the last controller ended.
func (s *Server) OpenAgain() {
	if _, err := os.Lstat(s.options.Root.Abs(openFile)); err != nil {
		return
	}
	if _, err := s.Open(); err != nil {
		s.options.Log.Warn("the Kubernetes API stays closed", "controller", "kube", "error", err)
	}
}

// listen opens the last used port, or another one if that is taken.
func (s *Server) listen() (*apiListener, error) {
	root := s.options.Root
	a, err := loadAccess(root, time.Now())
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", a.address())
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, err
	}
	a.Port = listener.Addr().(*net.TCPAddr).Port
	pair, err := tls.X509KeyPair(a.Certificate, a.Key)
	if err == nil {
		err = errors.Join(a.save(root), root.Replace(openFile, []byte(strconv.Itoa(a.Port)+"\n")))
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	ctx, hangUp := context.WithCancel(context.Background())
	open := &apiListener{access: a, listener: listener, hangUp: hangUp}
	open.http = &http.Server{
		Handler:           s.count(s.countRequests(open, s.requireToken(a, s.handler()))),
		TLSConfig:         &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog:    slog.NewLogLogger(s.options.Log.Handler(), slog.LevelDebug),
		ConnContext: withCaller(root),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	open.idle = time.AfterFunc(s.options.IdleAfter, func() { s.closeIdle(open) })
	go func() { _ = open.http.ServeTLS(listener, "", "") }()
	return open, nil
}

// countRequests counts active requests and restarts the idle timer.
func (s *Server) countRequests(open *apiListener, next http.Handler) http.Handler {
	count := func(n int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		open.busy += n
		open.idle.Reset(s.options.IdleAfter)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count(1)
		defer count(-1)
		next.ServeHTTP(w, r)
	})
}

// closeIdle closes an API that was open without requests for IdleAfter, unless a request is active
// now.
func (s *Server) closeIdle(open *apiListener) {
	s.mu.Lock()
	unused := s.open == open && open.busy == 0
	if unused {
		s.open = nil
	}
	s.mu.Unlock()
	if !unused {
		return
	}
	_ = s.options.Root.Remove(openFile)
	open.end()
}

// Close closes the API permanently. The next controller opens it again.
func (s *Server) Close() {
	s.mu.Lock()
	open := s.open
	s.open, s.closed = nil, true
	s.mu.Unlock()
	if open != nil {
		open.idle.Stop()
		open.end()
	}
}

// end closes the API after waiting for active requests, up to closeTimeout.
func (l *apiListener) end() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	l.hangUp()
	_ = l.listener.Close() // needed if the server does not serve it yet
	if l.http.Shutdown(ctx) != nil {
		_ = l.http.Close()
	}
}
