package kube

import (
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// callerKey is the key of a connection's caller in the context of its requests.
type callerKey struct{}

// withCaller has the requests of a connection know who is at its other end, which takes a look at
// all of this user's processes, once and not before it is asked.
func withCaller(root layout.Root) func(context.Context, net.Conn) context.Context {
	return func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, callerKey{}, sync.OnceValue(func() bool {
			pid, known := processAt(conn)
			return known && belongsToAgent(root, pid)
		}))
	}
}

// belongsToAgent reports whether a process runs in that of a host in which an agent is at work.
func belongsToAgent(root layout.Root, pid int) bool {
	_, found := callers.Above(root, pid)
	return found
}

// fromAgent reports whether it is an agent who asks, as far as the system can tell.
func fromAgent(r *http.Request) bool {
	is, known := r.Context().Value(callerKey{}).(func() bool)
	return known && is()
}

// refuseAgent says that the API is for people.
func refuseAgent(w http.ResponseWriter) {
	serve.Fail(w, http.StatusForbidden, "Forbidden", "agents do not use the Kubernetes API: it is the person's; use idumb's own commands, as idumb get tasks")
}
