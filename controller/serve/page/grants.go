package page

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

const (
	// codeLife is how long a code can be traded for a token.
	codeLife = 30 * time.Second
	// maxGrants is how many pages may hold a token at a time; the oldest loses it.
	maxGrants = 32
	// secretBytes is how long codes and tokens are: 256 bits.
	secretBytes = 32
)

// grant is what one page may do.
type grant struct {
	of          *grants
	code, token string
	readOnly    string // why it cannot write; "" where it can
	made        time.Time
	traded      bool
	revoked     chan struct{} // closed once the code was used a second time

	mu   sync.Mutex
	last *written // what the page wrote last, to be undone
}

// grants are those of a site. They end with it.
type grants struct {
	mu   sync.Mutex
	all  []*grant
	told chan struct{} // closed when the next one is revoked; nil: nobody waits for that
}

// next is closed when a grant is revoked.
func (g *grants) next() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.told == nil {
		g.told = make(chan struct{})
	}
	return g.told
}

// issue returns a code that one page can trade.
func (g *grants) issue(readOnly string, now time.Time) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := &grant{of: g, code: secret(), token: secret(), readOnly: readOnly, made: now, revoked: make(chan struct{})}
	if g.all = append(g.all, one); len(g.all) > maxGrants {
		g.all[0].revoke()
		g.all = g.all[1:]
	}
	return one.code
}

// What is wrong with a code.
var (
	errNoCode = errors.New("this link is not known here, or too old; run idumb dash --web again")
	errTwice  = errors.New("this link was used before: if that was not you, somebody else read it. Both pages are closed now; run idumb dash --web again")
)

// trade gives the token for a code, once. Whoever comes second gets nothing, and takes it from the first.
func (g *grants) trade(code string, now time.Time) (*grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.find(func(one *grant) string { return one.code }, code)
	switch {
	case one == nil:
		return nil, errNoCode
	case one.traded:
		one.revoke()
		return nil, errTwice
	case now.Sub(one.made) > codeLife:
		return nil, errNoCode
	}
	one.traded = true
	return one, nil
}

// of returns the grant that a token stands for; nil for none. One that was revoked is there still, to be told so.
func (g *grants) of(token string) *grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.find(func(one *grant) string { return one.token }, token)
	if one == nil || !one.traded {
		return nil
	}
	return one
}

// find compares a secret with all, so that the time it takes tells nothing.
func (g *grants) find(of func(*grant) string, secret string) (found *grant) {
	for _, one := range g.all {
		if subtle.ConstantTimeCompare([]byte(of(one)), []byte(secret)) == 1 {
			found = one
		}
	}
	return found
}

// revoke ends a grant. It is called with the lock of its grants held.
func (g *grant) revoke() {
	if g.over() {
		return
	}
	close(g.revoked)
	if g.of.told != nil {
		close(g.of.told)
		g.of.told = nil
	}
}

// over reports whether it was revoked.
func (g *grant) over() bool {
	select {
	case <-g.revoked:
		return true
	default:
		return false
	}
}

func secret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}
