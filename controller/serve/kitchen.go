package serve

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Kitchen answers hooks from the controller's cache, as they would from the files.
type Kitchen struct {
	manager *controller.Manager
	hooks   *hooks.Server
}

// NewKitchen returns the kitchen of the repository at root, over the manager that keeps its
// cache and those who pack from it.
func NewKitchen(root layout.Root, m *controller.Manager, contexts hooks.Contexts) *Kitchen {
	return &Kitchen{manager: m, hooks: hooks.NewServer(root, hooks.Kitchen{Reader: m.Client("hooks").Reader(), Contexts: contexts})}
}

// AnswerHook answers once the cache is level with the files. Where that cannot be had in time,
// the hook computes.
func (k *Kitchen) AnswerHook(ctx context.Context, q frame.Question, late func() bool) (frame.Answer, bool) {
	if k.manager.Level(ctx) != nil || late() {
		return frame.Answer{}, false
	}
	a, answered := k.hooks.Answer(hooks.Asked{Host: q.Host, Cwd: q.Cwd, Env: q.Env, Event: q.Event, Now: time.Now()})
	return frame.Answer{Stdout: a.Stdout, Stderr: a.Stderr, Exit: a.Exit}, answered
}
