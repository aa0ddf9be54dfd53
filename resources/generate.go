package resources

import (
	"crypto/sha1"
	"fmt"
	"sync/atomic"
	"time"
)

// Namer makes names for objects that were not given one: <prefix>-<unixms>-<counter>,
// as in tn-1763712345678-1. The zero Namer is ready; it may be used by several
// goroutines at once. Two processes can make the same name in the same
// millisecond: creating the object settles that, and the loser takes the next one.
type Namer struct{ counter atomic.Int64 }

// Name returns the next name for an object of kind k.
func (n *Namer) Name(k *Kind, now time.Time) string {
	return fmt.Sprintf("%s-%d-%d", k.Prefix, now.UnixMilli(), n.counter.Add(1))
}

// uidNamespace is the name space of DerivedUID: the version 5 UUID of the DNS
// name idumb.dev (RFC 9562, appendix A: name space 6ba7b810-9dad-11d1-80b4-00c04fd430c8),
// written out because every start of every program would compute it.
var uidNamespace = [16]byte{0x39, 0x29, 0x54, 0x3b, 0x06, 0xe9, 0x5e, 0xdf, 0x8f, 0x6c, 0x4f, 0x73, 0x4f, 0xd8, 0x72, 0x0b}

// DerivedUID is the uid of an object whose file carries none: a version 5 UUID of
// its key (RFC 9562, section 5.5), so that a status that was thrown away comes back with the
// same one.
func DerivedUID(key Key) string {
	sum := sha1.Sum(append(uidNamespace[:], key.String()...))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
