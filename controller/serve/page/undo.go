package page

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// written is a write that can be undone while nobody wrote since.
type written struct {
	before   resources.Object
	revision string // of what it made
}

// remember notes what a page wrote last. What made something new, and what changed more than one
// object, is not undone.
func (g *grant) remember(ctx context.Context, p *Pages, result mutate.Result, err error) {
	if err != nil || result.What == mutate.Unchanged {
		return
	}
	var last *written
	if record, unread := p.Repo.Record(ctx, result.Key); unread == nil && result.Before != nil {
		last = &written{resources.Clone(result.Before), record.Rev}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = last
}

// errNothing says that there is nothing to undo.
var errNothing = errors.New("there is nothing to undo: this page changed nothing since it was opened, or what it made can only be replaced")

// undo writes what stood there before the last change, unless somebody wrote since.
func (p *Pages) undo(ctx context.Context, g *grant) (mutate.Result, error) {
	g.mu.Lock()
	last := g.last
	g.last = nil
	g.mu.Unlock()
	if last == nil {
		return mutate.Result{}, errNothing
	}
	results, err := p.Repo.Put(ctx, []resources.Object{last.before}, []string{last.revision})
	if err != nil {
		return mutate.Result{}, err
	}
	return results[0], nil
}
