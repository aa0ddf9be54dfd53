package page

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/apierrors"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// written is a write that can be undone while nobody wrote since.
type written struct {
	before   resources.Object
	revision string // of what it made
}

// remember notes what a page wrote last, and reports whether that can be undone. What made something
// new, and what changed more than one object, is not undone.
func (g *grant) remember(result mutate.Result, err error) (undo bool) {
	if err != nil || result.What == mutate.Unchanged {
		return false
	}
	var last *written
	if result.Before != nil && result.After != nil { // which says what it made: the file may be in the archive by now
		last = &written{resources.Clone(result.Before), result.After.Source().Revision}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = last
	return last != nil
}

// errNothing says that there is nothing to undo.
var errNothing = errors.New("there is nothing to undo: this page changed nothing since it was opened, or what it made can only be replaced")

// undo writes what stood there before the last change, unless somebody wrote since. What was archived
// because of that change, as a task is on which others wait, comes back first.
func (p *Pages) undo(ctx context.Context, g *grant) (mutate.Result, error) {
	g.mu.Lock()
	last := g.last
	g.last = nil
	g.mu.Unlock()
	if last == nil {
		return mutate.Result{}, errNothing
	}
	if err := p.bringBack(ctx, last); err != nil {
		return mutate.Result{}, err
	}
	results, err := p.Repo.Put(ctx, []resources.Object{last.before}, []string{last.revision})
	if err != nil {
		return mutate.Result{}, err
	}
	return results[0], nil
}

// bringBack takes what was written last out of the archive, if the controller put it there.
func (p *Pages) bringBack(ctx context.Context, last *written) error {
	key := last.before.Key()
	_, err := p.Repo.Record(ctx, key)
	if !apierrors.IsNotFound(err) {
		return err
	}
	archived, _, unread := p.Root.Read(layout.ArchivePath(key), layout.MaxSpec)
	if unread != nil || resources.Revision(archived) != last.revision {
		return err
	}
	if _, err := p.Repo.Restore(ctx, key); err != nil {
		return err
	}
	record, err := p.Repo.Record(ctx, key)
	last.revision = record.Rev
	return err
}
