package page

import (
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
)

// headers are the headers of every response. They forbid external content,
// framing and caching, and prevent that text becomes markup or script. The only
// exception is the name of the worker that shares the stream between all tabs:
// the page's only policy returns it for any input.
var headers = [...][2]string{
	{"Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types stream"},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Cache-Control", "no-store"},
}

// guard rejects requests with a foreign host name, as in DNS rebinding, and
// requests from pages of other sites.
func (s *site) guard(next http.Handler) http.Handler {
	hosts := []string{s.host, "localhost:" + s.port, "[::1]:" + s.port}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, h := range headers {
			w.Header().Set(h[0], h[1])
		}
		switch origin, sent := r.Header["Origin"]; {
		case !slices.Contains(hosts, r.Host):
			serve.Fail(w, http.StatusMisdirectedRequest, "Misdirected", "this host name is not served")
		case sent && (len(origin) != 1 || origin[0] != "http://"+r.Host):
			serve.Fail(w, http.StatusForbidden, "Forbidden", "requests from other sites are rejected")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// sameOrigin rejects requests that were not sent by the page itself, such as requests
// from another site, a link or the address bar.
func sameOrigin(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Site") != "same-origin" {
			serve.Fail(w, http.StatusForbidden, "Forbidden", "only the page itself may send this request")
			return
		}
		next(w, r)
	}
}

// prove answers a page's challenge: with the signature of its nonce by the proof key of
// the grant with that id, both in hexadecimal. A page does not send its token to a
// program that cannot answer, because another one may have taken the port.
func (s *site) prove(w http.ResponseWriter, r *http.Request) {
	id, badID := hex.DecodeString(r.FormValue("id"))
	nonce, badNonce := hex.DecodeString(r.FormValue("nonce"))
	if badID != nil || badNonce != nil || len(nonce) < 16 || len(nonce) > 64 {
		serve.Fail(w, http.StatusBadRequest, "BadRequest", "that is no challenge")
		return
	}
	g := s.grants.named(id, time.Now())
	if g == nil {
		serve.Fail(w, http.StatusUnauthorized, "Unauthorized", "this page is closed; open it again with idumb dash --web")
		return
	}
	serve.Answer(w, http.StatusOK, map[string]string{"proof": hex.EncodeToString(sign(g.keys.Proof, nonce))})
}

// withGrant rejects requests without a valid token and passes the grant to next.
func (s *site) withGrant(next func(http.ResponseWriter, *http.Request, *grant)) http.HandlerFunc {
	return sameOrigin(func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch g := s.grants.lookup(token, time.Now()); {
		case g == nil:
			w.Header().Set("WWW-Authenticate", "Bearer")
			serve.Fail(w, http.StatusUnauthorized, "Unauthorized", "the token is missing or invalid; open this page with idumb dash --web")
		case g.isRevoked():
			serve.Fail(w, http.StatusUnauthorized, "Revoked", errTwice.Error())
		default:
			next(w, r, g)
		}
	})
}
