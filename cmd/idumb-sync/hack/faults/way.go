//go:build linux

package main

import (
	"io"
	"net"
	"net/url"
	"sync"
)

// way is a connection of a clone to etcd that can be interrupted.
type way struct {
	url string
	to  string
	l   net.Listener

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

// newWay listens on a free port and forwards each connection to the server.
func newWay(server string) (*way, error) {
	to, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &way{url: "http://" + l.Addr().String(), to: to.Host, l: l, conns: map[net.Conn]bool{}}
	go w.serve()
	return w, nil
}

// serve forwards connections until the listener is closed.
func (w *way) serve() {
	for {
		near, err := w.l.Accept()
		if err != nil {
			return
		}
		go func() {
			far, err := net.Dial("tcp", w.to)
			if err != nil {
				near.Close()
				return
			}
			if !w.keep(near, far) {
				return
			}
			go w.carry(near, far)
			w.carry(far, near)
		}()
	}
}

// keep records the ends of a connection, or closes them if the connection is
// interrupted.
func (w *way) keep(ends ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range ends {
		if w.cut {
			c.Close()
		} else {
			w.conns[c] = true
		}
	}
	return !w.cut
}

// carry copies data in one direction until a connection ends, and then closes both.
func (w *way) carry(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range []net.Conn{to, from} {
		c.Close()
		delete(w.conns, c)
	}
}

// set interrupts the connection if cut is true, otherwise it restores it.
func (w *way) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut = cut; cut {
		for c := range w.conns {
			c.Close()
		}
	}
}
