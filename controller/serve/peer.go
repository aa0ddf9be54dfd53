package serve

import (
	"context"
	"net"
	"net/http"
)

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
