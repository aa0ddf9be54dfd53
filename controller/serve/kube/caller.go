package kube

import (
	"context"
	"crypto/subtle"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// callerKey is the context key of a connection's caller.
type callerKey struct{}

// withCaller adds the caller of a connection to the context of its requests.
// Finding it requires reading all of the user's processes, so that happens
// once, on demand.
func withCaller(root layout.Root) func(context.Context, net.Conn) context.Context {
	return func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, callerKey{}, sync.OnceValue(func() bool {
			pid, known := processAt(conn)
			return known && belongsToAgent(root, pid)
		}))
	}
}

// belongsToAgent reports whether a process is a descendant of a host process
// with an active agent.
func belongsToAgent(root layout.Root, pid int) bool {
	_, found := callers.AgentOf(root, pid)
	return found
}

// fromAgent reports whether an agent sent the request, as far as the system can
// tell.
func fromAgent(r *http.Request) bool {
	is, known := r.Context().Value(callerKey{}).(func() bool)
	return known && is()
}

// refuseAgent writes an error that the API is for users only.
func refuseAgent(w http.ResponseWriter) {
	serve.Fail(w, http.StatusForbidden, "Forbidden", "agents do not use the Kubernetes API, which is for users only; use idumb commands, such as idumb get tasks")
}

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
