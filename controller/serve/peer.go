package serve

import (
	"context"
	"net"
	"net/http"
)

// Peer is who is at the other end of a connection, as the system knows it.
type Peer struct {
	UID int
	PID int // 0: not known, as of a process in another PID namespace
}

// peerKey is where the context of a request has its Peer.
type peerKey struct{}

// withPeer notes who is at the other end of a connection.
func withPeer(ctx context.Context, conn net.Conn) context.Context {
	if unix, ok := conn.(*net.UnixConn); ok {
		if peer, err := PeerOf(unix); err == nil {
			return context.WithValue(ctx, peerKey{}, peer)
		}
	}
	return ctx
}

// PeerOfRequest says who sent a request over the controller's socket; false where that is not known.
func PeerOfRequest(r *http.Request) (Peer, bool) {
	peer, known := r.Context().Value(peerKey{}).(Peer)
	return peer, known
}
