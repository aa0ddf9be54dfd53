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
