package kube

import (
	"crypto/subtle"
	"net"
	"net/http"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve"
)

// maxBody is the maximum size of a request body, in bytes.
const maxBody = 4 << 20

// requireToken rejects requests without the token, requests from web pages, and
// requests with a foreign host name. A foreign name may resolve to this
// machine. The server sends no pages that could call it.
func (s *Server) requireToken(a access, next http.Handler) http.Handler {
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
