package serve

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Answerer answers hooks from the controller's cache, as they would from the files.
type Answerer struct {
	manager *controller.Manager
	hooks   *hooks.Server
}

// NewAnswerer returns the one of the repository at root, over the manager that keeps its
// cache. The rest of the backend is the caller's.
func NewAnswerer(root layout.Root, m *controller.Manager, backend hooks.Backend) *Answerer {
	backend.Reader = m.Client("hooks").Reader()
	return &Answerer{manager: m, hooks: hooks.NewServer(root, backend)}
}

// AnswerHook answers once the cache is level with the files. Where that cannot be had in time,
// the hook computes.
func (a *Answerer) AnswerHook(ctx context.Context, q frame.Question, pid func() int, late func() bool) (frame.Answer, bool) {
	if a.manager.Level(ctx) != nil || late() {
		return frame.Answer{}, false
	}
	answer, answered := a.hooks.Answer(hooks.Asked{Host: q.Host, Cwd: q.Cwd, Env: q.Env, Event: q.Event, Now: time.Now(), PID: pid, Late: late})
	return frame.Answer{Stdout: answer.Stdout, Stderr: answer.Stderr, Exit: answer.Exit}, answered
}
