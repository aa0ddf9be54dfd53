package page

import (
	"context"
	"errors"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/apierrors"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
)

// undoableWrite is a write that can be undone until the next write.
type undoableWrite struct {
	old      resources.Object
	revision string // revision of the written object
}

// remember stores the last write of a page and reports whether it can be
// undone. A creation or a change of several objects cannot be undone.
func (g *grant) remember(result mutate.Result, err error) (undo bool) {
	if err != nil || result.Operation == mutate.Unchanged {
		return false
	}
	var last *undoableWrite
	if result.Old != nil && result.New != nil { // New has the revision, because the file may be in the archive by now
		last = &undoableWrite{resources.Clone(result.Old), result.New.Source().Revision}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.last = last
	return last != nil
}

// errNothing means that there is no change to undo.
var errNothing = errors.New("there is nothing to undo: this page changed nothing since it was opened, or its last change cannot be undone")

// undo restores the object before the last write, unless it was changed since.
// If the write caused the object to be archived, undo restores it from the
// archive first.
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
	results, err := p.Repo.Put(ctx, []resources.Object{last.old}, []string{last.revision})
	if err != nil {
		return mutate.Result{}, err
	}
	return results[0], nil
}

// bringBack restores the last written object from the archive, if the
// controller archived it.
func (p *Pages) bringBack(ctx context.Context, last *undoableWrite) error {
	key := last.old.Key()
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
