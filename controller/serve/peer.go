package serve

// Peer is who is at the other end of a connection, as the system knows it.
type Peer struct {
	UID int
	PID int // 0: not known, as of a process in another PID namespace
}
