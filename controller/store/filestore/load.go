package filestore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/githistory"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Load reads everything there is, as it is at some moment during the call: specs,
// checkpoint logs and the names in the archive, not the statuses, which the
// Snapshot computes. now is the clock of that computation.
//
// A broken file does not fail the call: it is among the Snapshot's problems, and its
// last good version, if there is a mark in quarantine, among the objects. Nothing is
// locked. Files that have not changed since the last call are not read again: what
// they held stands in .idumb/run/index. store.ErrGone.
func (s *Store) Load(ctx context.Context, now time.Time) (*resources.Snapshot, error) {
	kinds := []string{resources.CheckpointsKind}
	for _, k := range resources.Kinds() {
		kinds = append(kinds, k.Plural)
	}
	return s.LoadKinds(ctx, now, kinds...)
}

// LoadKinds is Load for some kinds, by their plurals, resources.CheckpointsKind among
// them where it is named. The config and the archive's names are always there.
// What refers to an object of a kind that was left out is answered as if it did not
// exist: whoever derives the phases of tasks needs tasks, workplans and checkpoints, and
// whoever derives those of mems needs resources.WorkKinds.
func (s *Store) LoadKinds(ctx context.Context, now time.Time, kinds ...string) (*resources.Snapshot, error) {
	if !slices.Contains(kinds, resources.Configs) {
		kinds = append([]string{resources.Configs}, kinds...)
	}
	l := &loader{s: s, began: time.Now(), in: resources.SnapshotInput{
		Problems: map[resources.Key]resources.Problem{}, Sightings: map[string]*resources.Sightings{},
		Now: now, SourceFile: s.root.SourceFile, SourceSection: s.root.SourceSection,
		CommitDays: func() []int { return githistory.Days(ctx, s.root) },
	}}
	for _, kind := range kinds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := l.kind(kind); err != nil {
			return nil, err
		}
	}
	var err error
	if l.in.Archived, err = s.ListArchived(ctx); err != nil {
		return nil, err
	}
	return resources.NewSnapshot(l.in), nil
}

// loader collects what a Snapshot is made of.
type loader struct {
	s     *Store
	began time.Time // by the real clock
	in    resources.SnapshotInput
	r     reader
}

// kind loads all files of a kind.
func (l *loader) kind(kind string) error {
	if k, ok := resources.KindOf(kind); ok && k.Single {
		return l.single(resources.Key{Kind: kind, Name: kind})
	} else if !ok && kind != resources.CheckpointsKind {
		return fmt.Errorf("the store doesn't have a resource type %q", kind)
	}
	d, err := l.s.root.Open(layout.Folder(kind))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case errors.Is(err, store.ErrUnreadable):
		l.broken(resources.Key{Kind: kind}, err)
		return nil
	case err != nil:
		return err
	}
	defer d.Close()
	return newShelf(l, kind, d).load()
}

// single loads the one object of a kind of which there is one.
func (l *loader) single(key resources.Key) error {
	record, err := l.s.readSpec(key)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil && !errors.Is(err, store.ErrUnreadable):
		return err
	case err == nil:
		var object resources.Object
		if object, _, err = resources.Read(key, record.Spec); err == nil {
			*object.Source() = resources.Origin{Revision: record.Rev, ModTime: record.ModTime}
			l.in.Objects = append(l.in.Objects, object)
			return nil
		}
	}
	l.broken(key, err)
	return nil
}

// broken notes a file that is no object, and brings in its last good version.
func (l *loader) broken(key resources.Key, err error) {
	p := problemOf(key, err)
	l.in.Problems[key] = p
	l.lastGood(key)
}

func (l *loader) lastGood(key resources.Key) {
	if checkKey(key) != nil {
		return
	}
	mark, err := l.s.root.ReadMark(key)
	if err != nil || mark.LastGood == nil {
		return
	}
	object, _, err := resources.Read(key, mark.LastGood)
	if err != nil {
		return // it is from another version of iDumb
	}
	*object.Source() = resources.Origin{Revision: mark.Revision, ModTime: mark.ModTime.Time}
	l.in.Objects = append(l.in.Objects, object)
}

// problemOf is an error as doctor lists it.
func problemOf(key resources.Key, err error) resources.Problem {
	var p resources.Problem
	if !errors.As(err, &p) {
		p.Reason = err.Error()
	}
	p.Key, p.Object = key, key.String()
	if p.File == "" {
		p.File = layout.Path(key)
	}
	if key.Name == "" {
		p.Object, p.File = key.Kind, path.Clean(p.File)
	}
	return p
}

// fatal reports whether an error says something about this process or machine and
// nothing about the file.
func fatal(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}
