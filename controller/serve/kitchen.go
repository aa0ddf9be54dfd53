package serve

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/serve/frame"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Kitchen answers hooks from the controller's cache, as they would from the files.
type Kitchen struct {
	manager *controller.Manager
	hooks   *hooks.Server
}

// NewKitchen returns the kitchen of the repository at root, over the manager that keeps its
// cache and those who pack from it.
func NewKitchen(root layout.Root, m *controller.Manager, contexts hooks.Contexts) *Kitchen {
	return &Kitchen{manager: m, hooks: hooks.NewServer(root, hooks.Kitchen{Reader: reader{m.Client("hooks")}, Contexts: contexts})}
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

// reader is the cache as a graph.Reader that keeps indexes.
type reader struct{ controller.Client }

// Get returns the last good version of an object.
func (r reader) Get(key resources.Key) (o resources.Object, broken bool) {
	o, found := r.Client.Get(key)
	if !found {
		return nil, r.Exists(key)
	}
	_, broken = r.Problem(key)
	return o, broken
}

// Names returns the names of a kind's objects.
func (r reader) Names(kind string) []string {
	keys := r.List(kind)
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = key.Name
	}
	return names
}

// Mentioning returns all names: what holds which word is not known. Whoever asks for many
// objects finds them by an index.
func (r reader) Mentioning(kind string, _ ...string) []string { return r.Names(kind) }
