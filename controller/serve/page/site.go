package page

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	// linger is how long the site keeps listening after the last page was
	// closed.
	linger = 10 * time.Minute
	// maxConns is the maximum number of connections. Every user of the machine
	// can open connections.
	maxConns = 128
)

// site is a listener on this machine with its grants. It exists as long as
// pages are open.
type site struct {
	host   string // 127.0.0.1:PORT
	port   string
	grants grants
	http   *http.Server
	log    *slog.Logger

	mu     sync.Mutex
	active int // active requests
	idle   *time.Timer
	closed bool
}

// listen opens a site for pages.
func listen(p *Pages) (*site, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	host := listener.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	s := &site{host: host, port: port, log: p.Log}
	handler := s.guard(s.routes(p))
	if p.Counted != nil {
		handler = s.guard(p.Counted(s.routes(p)))
	}
	ctx, cancel := context.WithCancel(p.ctx)
	s.http = &http.Server{
		Handler: s.staying(handler), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog:    slog.NewLogLogger(p.Log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	s.http.RegisterOnShutdown(cancel)
	s.idle = time.AfterFunc(linger, s.end)
	context.AfterFunc(ctx, func() { s.shut() })
	go func() { _ = s.http.Serve(&few{Listener: listener, room: make(chan struct{}, maxConns)}) }()
	return s, nil
}

// staying keeps the site open while requests are active.
func (s *site) staying(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.move(1)
		defer s.move(-1)
		next.ServeHTTP(w, r)
	})
}

// move updates the number of active requests. The idle timer starts when the
// last one ends.
func (s *site) move(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active += by; s.active == 0 {
		s.idle.Reset(linger)
	} else {
		s.idle.Stop()
	}
}

// stay restarts the idle timer. It returns false if the site is closed.
func (s *site) stay() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && s.active == 0 {
		s.idle.Reset(linger)
	}
	return !s.closed
}

// end closes a site without active requests.
func (s *site) end() {
	s.mu.Lock()
	busy := s.active > 0
	s.mu.Unlock()
	if !busy {
		s.shut()
	}
}

// shut closes the site immediately. Its tokens become invalid.
func (s *site) shut() {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.idle.Stop()
	s.mu.Unlock()
	if !was {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			_ = s.http.Close()
		}
	}
}

// few is a listener with a limited number of concurrent connections.
type few struct {
	net.Listener
	room chan struct{}
}

// Accept waits for a free slot and a connection.
func (f *few) Accept() (net.Conn, error) {
	f.room <- struct{}{}
	conn, err := f.Listener.Accept()
	if err != nil {
		<-f.room
		return nil, err
	}
	return &placed{Conn: conn, leave: sync.OnceFunc(func() { <-f.room })}, nil
}

// placed is a connection that occupies a slot.
type placed struct {
	net.Conn
	leave func()
}

// Close releases the slot.
func (p *placed) Close() error {
	defer p.leave()
	return p.Conn.Close()
}
