package serve

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Answerer answers hooks from the controller's cache. The answers equal those
// that a hook computes from the files.
type Answerer struct {
	manager *controller.Manager
	server  *hooks.Server
}

// NewAnswerer returns an Answerer for the repository at root. m is the manager
// that keeps its cache. NewAnswerer sets backend.Reader; the caller provides
// the rest of backend.
func NewAnswerer(root layout.Root, m *controller.Manager, backend hooks.Backend) *Answerer {
	backend.Reader = m.Client("hooks").Reader()
	return &Answerer{manager: m, server: hooks.NewServer(root, backend)}
}

// AnswerHook answers a question after the cache reflects the files. It returns
// false if the cache cannot be updated in time; the hook then computes the
// answer itself.
func (a *Answerer) AnswerHook(ctx context.Context, q frame.Question, pid func() int, late func() bool) (frame.Answer, bool) {
	if a.manager.WaitSynced(ctx) != nil || late() {
		return frame.Answer{}, false
	}
	answer, answered := a.server.Answer(hooks.Request{Host: q.Host, Cwd: q.Cwd, Env: q.Env, Event: q.Event, Now: time.Now(), PID: pid, Late: late})
	return frame.Answer{Stdout: answer.Stdout, Stderr: answer.Stderr, Exit: answer.Exit}, answered
}
