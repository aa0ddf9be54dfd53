package page

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// keepAlive is how long the site keeps listening without requests and without a
	// page that may come back.
	keepAlive = 10 * time.Minute
	// maxConns is the maximum number of connections. Every user of the machine
	// can open connections.
	maxConns = 128
)

// site is a listener on this machine with its grants. It exists as long as
// pages are open or may come back.
type site struct {
	root   layout.Root
	host   string // 127.0.0.1:PORT
	port   string
	grants tokenGrants
	http   *http.Server
	log    *slog.Logger

	mu     sync.Mutex
	active int // active requests
	idle   *time.Timer
	closed bool
}

// listen opens a site for pages.
func listen(p *Pages) (*site, error) {
	listener, last, err := listenAgain(readKept(p.Root, time.Now()))
	if err != nil {
		return nil, err
	}
	host := listener.Addr().String()
	_, port, _ := net.SplitHostPort(host)
	s := &site{root: p.Root, host: host, port: port, log: p.Log}
	s.grants.restore(last.Grants)
	s.grants.keep = s.keep
	handler := s.guard(s.routes(p))
	if p.Counted != nil {
		handler = s.guard(p.Counted(s.routes(p)))
	}
	ctx, cancel := context.WithCancel(p.ctx)
	s.http = &http.Server{
		Handler: s.keepOpen(handler), ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog:    slog.NewLogLogger(p.Log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	s.http.RegisterOnShutdown(cancel)
	s.idle = time.AfterFunc(keepAlive, s.closeIdle)
	context.AfterFunc(ctx, func() { s.closeNow() })
	go func() { _ = s.http.Serve(&limitListener{Listener: listener, slots: make(chan struct{}, maxConns)}) }()
	return s, nil
}

// keepOpen keeps the site open while requests are active.
func (s *site) keepOpen(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.countRequests(1)
		defer s.countRequests(-1)
		next.ServeHTTP(w, r)
	})
}

// countRequests updates the number of active requests. The idle timer starts when the
// last one ends.
func (s *site) countRequests(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.active += by; s.active == 0 {
		s.idle.Reset(keepAlive)
	} else {
		s.idle.Stop()
	}
}

// extend restarts the idle timer. It returns false if the site is closed.
func (s *site) extend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && s.active == 0 {
		s.idle.Reset(keepAlive)
	}
	return !s.closed
}

// closeIdle closes a site without active requests, unless a page may come back: a
// browser suspends pages that nobody sees.
func (s *site) closeIdle() {
	open := s.grants.open(time.Now())
	s.mu.Lock()
	busy := s.active > 0 || open
	s.mu.Unlock()
	if !busy {
		s.closeNow()
	}
}

// closeNow closes the site immediately. Its grants stay valid for the next one.
func (s *site) closeNow() {
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

// limitListener is a listener with a limited number of concurrent connections.
type limitListener struct {
	net.Listener
	slots chan struct{}
}

// Accept waits for a free slot and a connection.
func (f *limitListener) Accept() (net.Conn, error) {
	f.slots <- struct{}{}
	conn, err := f.Listener.Accept()
	if err != nil {
		<-f.slots
		return nil, err
	}
	return &slotConn{Conn: conn, release: sync.OnceFunc(func() { <-f.slots })}, nil
}

// slotConn is a connection that occupies a slot.
type slotConn struct {
	net.Conn
	release func()
}

// Close closes the connection and releases its slot.
func (p *slotConn) Close() error {
	defer p.release()
	return p.Conn.Close()
}

// WriteRedirect writes a file that redirects a browser to a page and returns
// its path. Only the current user can read it. The command line of a browser is
// visible to all users, so it must not contain the code. The file is in
// $XDG_RUNTIME_DIR or in the user's cache directory. It replaces the file of an
// earlier page.
func WriteRedirect(url string) (string, error) {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		caches, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find a private directory for the file that redirects to the page: %w; set XDG_RUNTIME_DIR", err)
		}
		dir = filepath.Join(caches, "idumb")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("create the directory for the file that redirects to the page: %w; set XDG_RUNTIME_DIR", err)
	}
	site, _, _ := strings.Cut(url, "#")
	sum := sha256.Sum256([]byte(site))
	file := filepath.Join(dir, "idumb-dash-"+hex.EncodeToString(sum[:4])+".html")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return "", err
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // never follow a symbolic link of another user
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(out, "<!doctype html><meta charset=utf-8><meta name=referrer content=no-referrer><title>iDumb</title><meta http-equiv=refresh content=\"0;url=%s\">\n", html.EscapeString(url))
	if closed := out.Close(); err == nil {
		err = closed
	}
	return file, err
}
