package page

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/denialdecisions"
	"github.com/idumb-dev/idumb/controller/leases"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

const (
	// codeLife is how long a code can be exchanged for a token.
	codeLife = 30 * time.Second
	// maxGrants is the maximum number of pages with a token. The oldest grant
	// is revoked first.
	maxGrants = 32
	// secretBytes is the length of codes and tokens: 256 bits.
	secretBytes = 32
)

// grant is the permission of one page.
type grant struct {
	owner       *tokenGrants
	code, token string // empty after the controller was started again
	keys        keys   // derived from the token
	readOnly    string // why it cannot write; empty if it can
	created     time.Time
	exchanged   bool
	revoked     chan struct{} // closed when the code is used a second time

	mu   sync.Mutex
	last *undoableWrite // last write of the page, for undo
}

// tokenGrants holds the grants of a site. They outlive it: see keptSite.
type tokenGrants struct {
	keep func([]keptGrant) // stores the exchanged grants; may be nil

	mu      sync.Mutex
	all     []*grant
	revoked chan struct{} // closed when the next grant is revoked; nil without a waiter
}

// next returns a channel that closes when a grant is revoked.
func (g *tokenGrants) next() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.revoked == nil {
		g.revoked = make(chan struct{})
	}
	return g.revoked
}

// issue returns a code that one page can exchange for a token.
func (g *tokenGrants) issue(readOnly string, now time.Time) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	token := secret()
	one := &grant{owner: g, code: secret(), token: token, keys: keysOf(token), readOnly: readOnly, created: now, revoked: make(chan struct{})}
	if g.all = append(g.all, one); len(g.all) > maxGrants {
		g.all[0].revoke()
		g.all = g.all[1:]
	}
	return one.code
}

// restore adds the grants of the last controller. It must be called before any other
// method.
func (g *tokenGrants) restore(last []keptGrant) {
	for _, k := range last {
		g.all = append(g.all, &grant{owner: g, keys: k.Keys, readOnly: k.ReadOnly, created: k.Created, exchanged: true, revoked: make(chan struct{})})
	}
}

// valid reports whether a page can use a grant at a time.
func (g *grant) valid(now time.Time) bool {
	return g.exchanged && !g.isRevoked() && now.Sub(g.created) < tokenLife
}

// open reports whether a page can use one of the grants at a time.
func (g *tokenGrants) open(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.all, func(one *grant) bool { return one.valid(now) })
}

// store passes the valid grants to keep. The caller must hold the lock.
func (g *tokenGrants) store(now time.Time) {
	if g.keep == nil {
		return
	}
	var all []keptGrant
	for _, one := range g.all {
		if one.valid(now) {
			all = append(all, keptGrant{one.keys, one.readOnly, one.created})
		}
	}
	g.keep(all)
}

// Errors of invalid codes.
var (
	errNoCode = errors.New("this link is invalid or expired; run idumb dash --web again")
	errTwice  = errors.New("this link was used before: if you did not use it, another person or program did. Both pages are closed now; run idumb dash --web again")
)

// exchange returns the grant of a code and can be called once per code. A second
// call revokes the grant.
func (g *tokenGrants) exchange(code string, now time.Time) (*grant, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.find(func(one *grant) []byte { return []byte(one.code) }, []byte(code))
	switch {
	case one == nil:
		return nil, errNoCode
	case one.exchanged:
		one.revoke()
		g.store(now)
		return nil, errTwice
	case now.Sub(one.created) > codeLife:
		return nil, errNoCode
	}
	one.exchanged = true
	g.store(now)
	return one, nil
}

// lookup returns the grant of a token, or nil. It also returns a revoked grant, so
// that the page can report the revocation.
func (g *tokenGrants) lookup(token string, now time.Time) *grant {
	return g.exchangedWith(func(one *grant) []byte { return one.keys.Check }, keysOf(token).Check, now)
}

// named returns the grant with an ID (keys.ID), or nil. See lookup.
func (g *tokenGrants) named(id []byte, now time.Time) *grant {
	return g.exchangedWith(func(one *grant) []byte { return one.keys.ID }, id, now)
}

// exchangedWith returns the exchanged grant with a secret whose time is not over, or nil.
func (g *tokenGrants) exchangedWith(of func(*grant) []byte, secret []byte, now time.Time) *grant {
	g.mu.Lock()
	defer g.mu.Unlock()
	one := g.find(of, secret)
	if one == nil || !one.exchanged || now.Sub(one.created) >= tokenLife {
		return nil
	}
	return one
}

// find returns the grant with a secret, or nil. It compares the secret with all
// grants in constant time.
func (g *tokenGrants) find(of func(*grant) []byte, secret []byte) (found *grant) {
	for _, one := range g.all {
		if s := of(one); len(s) > 0 && subtle.ConstantTimeCompare(s, secret) == 1 {
			found = one
		}
	}
	return found
}

// revoke ends a grant. The caller must hold the lock of its grants.
func (g *grant) revoke() {
	if g.isRevoked() {
		return
	}
	close(g.revoked)
	if g.owner.revoked != nil {
		close(g.owner.revoked)
		g.owner.revoked = nil
	}
}

func (g *grant) isRevoked() bool {
	select {
	case <-g.revoked:
		return true
	default:
		return false
	}
}

// secret returns a random text of secretBytes bytes, in base64.
func secret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program instead
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// notShown is the cause of a refusal when the page does not show everything that
// the decision is about.
const notShown apierrors.Cause = "NotSeen"

// denial returns the denial of a session that the user sees, with the Denials
// for a decision about it.
func (p *Pages) denial(session resources.Key, in *actRequest) (*denialdecisions.Denials, *denialdecisions.Denial, error) {
	desk := &denialdecisions.Denials{Root: p.Root, Env: os.Environ(), Now: p.Repo.Now(), User: leases.Open(p.Root).User().Person}
	if len(in.Args) == 0 {
		return nil, nil, apierrors.Refuse(notShown, "the denial was not changed", "the page does not identify the denial", "list the denials: idumb get violations --session "+session.Name)
	}
	n, err := desk.Find(in.Args[len(in.Args)-1])
	if err == nil && n.Session != session.Name {
		err = apierrors.Refuse(notShown, "the denial was not changed", "it belongs to another session", "reload the page")
	}
	return desk, &n, err
}

// allowOnce grants one repetition of a denied call of a session. It refuses a call that the page
// does not show completely.
func (p *Pages) allowOnce(key resources.Key, in *actRequest) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	if in.Call != n.Text {
		return mutate.Result{}, apierrors.Refuse(notShown, "the call is not allowed here", "the page does not show all of it", "look at all of it, and allow it: idumb allow "+n.ID())
	}
	return unchangedResult(key), desk.AllowOnce(n, in.Reason)
}

// confirmDenial marks a denial of a session as correct.
func (p *Pages) confirmDenial(key resources.Key, in *actRequest) (mutate.Result, error) {
	desk, n, err := p.denial(key, in)
	if err != nil {
		return mutate.Result{}, err
	}
	return unchangedResult(key), desk.ConfirmDenial(n, in.Reason)
}

// unchangedResult returns an unchanged result for a session. The decision about it has
// its own event.
func unchangedResult(key resources.Key) mutate.Result {
	return mutate.Result{Key: key, Operation: mutate.Unchanged}
}
