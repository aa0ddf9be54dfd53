package kube

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve"
)

// maxBody is how much of a request's body is read, in bytes.
const maxBody = 4 << 20

// guarded lets nobody in but who has the token, and no page of a browser: a name that somebody
// has lead to this machine is not ours, and we send no pages that could ask.
func (s *Server) guarded(a access, next http.Handler) http.Handler {
	want := []byte("Bearer " + a.Token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !ownHost(r.Host) || r.Header.Get("Origin") != "":
			serve.Fail(w, http.StatusForbidden, "Forbidden", "the API is for programs on this machine: https://127.0.0.1")
		case subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1:
			serve.Fail(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
		case fromAgent(r):
			refuseAgent(w)
		default:
			r.Body = http.MaxBytesReader(w, r.Body, maxBody)
			next.ServeHTTP(w, r)
		}
	})
}

// ownHost reports whether a request was sent to a name of this machine.
func ownHost(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	ip := net.ParseIP(strings.Trim(name, "[]"))
	return strings.EqualFold(name, "localhost") || ip != nil && ip.IsLoopback()
}
