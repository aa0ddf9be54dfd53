package page

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// keptFile is the scratch name of the grants that the next controller takes
	// over. It holds keys that are derived from tokens, so nobody can open a page
	// with them.
	keptFile = "run/page.json"
	// tokenLife is how long a token is valid.
	tokenLife = 7 * 24 * time.Hour
)

// keys are derived from a token: a name for the grant, the key that a client's token
// must derive, and the key with which the site proves to a page that it knows the
// grant.
type keys struct{ ID, Check, Proof []byte }

func keysOf(token string) keys {
	return keys{sign([]byte(token), []byte("id")), sign([]byte(token), []byte("check")), sign([]byte(token), []byte("proof"))}
}

// sign returns the HMAC-SHA256 of a message.
func sign(key, message []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return h.Sum(nil)
}

// keptSite is what the next controller needs so that open pages go on: the port
// and the grants.
type keptSite struct {
	Port   string
	Grants []keptGrant
}

// keptGrant is a grant whose code was exchanged.
type keptGrant struct {
	Keys     keys
	ReadOnly string
	Created  time.Time
}

// maxKept is the maximum size of keptFile, in bytes.
const maxKept = 64 << 10

// readKept returns the last site with its valid grants. It returns an empty one
// without grants, or if the file is missing, damaged or accessible to other users.
// A file that git checked out is: a repository must not bring grants.
func readKept(root layout.Root, now time.Time) keptSite {
	var site, valid keptSite
	data, info, err := root.Read(layout.Dir+"/"+keptFile, maxKept)
	if err != nil || info.Mode.Perm()&0o077 != 0 || json.Unmarshal(data, &site) != nil {
		return keptSite{}
	}
	for _, g := range site.Grants {
		if !g.Created.After(now) && now.Sub(g.Created) < tokenLife && len(g.Keys.ID) == sha256.Size && len(g.Keys.Check) == sha256.Size && len(g.Keys.Proof) == sha256.Size {
			valid.Port = site.Port
			valid.Grants = append(valid.Grants, g)
		}
	}
	return valid
}

// keep stores the grants of a site for the next controller.
func (s *site) keep(grants []keptGrant) {
	data, err := json.Marshal(keptSite{s.port, grants})
	if err == nil {
		err = s.root.Scratch().WriteDurably(keptFile, data)
	}
	if err != nil && !errors.Is(err, store.ErrGone) {
		s.log.Warn("open pages will not survive this controller", "controller", "page", "error", err)
	}
}

// OpenAgain opens the site of the last controller, if it has valid grants and its
// port is free. Its pages then go on.
func (p *Pages) OpenAgain() {
	if len(readKept(p.Root, time.Now()).Grants) == 0 {
		return
	}
	if _, err := p.open(); err != nil {
		p.Log.Warn("the pages of the last controller stay closed", "controller", "page", "error", err)
	}
}

// listenAgain returns a listener on the last site's port and that site. If the port is
// taken, it returns one on another port and an empty site, because the open pages do not
// find it.
func listenAgain(last keptSite) (net.Listener, keptSite, error) {
	if len(last.Grants) > 0 {
		if listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", last.Port)); err == nil {
			return listener, last, nil
		}
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	return listener, keptSite{}, err
}
