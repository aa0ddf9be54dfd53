// Package load reads a whole repository from its files. It is the one way to do that:
// commands, tools and whoever writes read so where no controller answers. It
// links nothing but the standard library.
package load

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Options say what Snapshot reads. The zero Options: everything.
type Options struct {
	// Now is the clock of what the Snapshot computes. The zero time means the time of the call.
	Now time.Time
	// Kinds are the kinds to read, by their plurals, resources.CheckpointsKind among them; none
	// means all. The config and the archive's names are always there. What refers to an object
	// of a kind that was left out is answered as if it did not exist: whoever derives the phases
	// of tasks needs tasks, workplans and checkpoints, and whoever derives those of mems needs
	// status.WorkKinds.
	Kinds []string
	// CommitDays answers graph.SnapshotInput.CommitDays. nil: what was found last.
	CommitDays func() []int
	// Listed is told the names of each folder of objects. May be nil.
	Listed func(folder string, names []string)
}

// Snapshot reads what there is, as it is at some moment during the call: specs, checkpoint
// logs and the names in the archive, not the statuses, which the Snapshot computes.
//
// A broken file does not fail the call: it is among the Snapshot's problems, and its last
// good version, if there is a mark in quarantine, among the objects. Nothing is locked.
// store.ErrGone.
func Snapshot(ctx context.Context, root layout.Root, o Options) (*graph.Snapshot, error) {
	if o.CommitDays == nil {
		o.CommitDays = func() []int { return root.CommitDays().Days }
	}
	l := &loader{root: root, listed: o.Listed, in: graph.SnapshotInput{
		Problems: map[resources.Key]resources.Problem{}, Sightings: map[string]*status.Sightings{},
		Now: o.Now, SourceFile: root.SourceFile, SourceSection: root.SourceSection, CommitDays: o.CommitDays,
	}}
	for _, kind := range wanted(o.Kinds) {
		if err := l.kind(ctx, kind); err != nil {
			return nil, err
		}
	}
	for _, kind := range resources.Kinds() {
		keys, err := root.KeysBelow(layout.ArchiveDir, kind.Plural)
		if err != nil {
			return nil, err
		}
		l.in.Archived = append(l.in.Archived, keys...)
	}
	return graph.NewSnapshot(l.in), nil
}

// wanted are the kinds that are read.
func wanted(kinds []string) []string {
	if len(kinds) == 0 {
		kinds = []string{resources.CheckpointsKind}
		for _, k := range resources.Kinds() {
			kinds = append(kinds, k.Plural)
		}
	}
	if !slices.Contains(kinds, resources.Configs) {
		kinds = append([]string{resources.Configs}, kinds...)
	}
	return kinds
}

// loader collects what a Snapshot is made of.
type loader struct {
	root   layout.Root
	listed func(folder string, names []string)
	in     graph.SnapshotInput
}

// kind loads all files of a kind.
func (l *loader) kind(ctx context.Context, kind string) error {
	k, known := resources.KindOf(kind)
	if !known && kind != resources.CheckpointsKind {
		return fmt.Errorf("the store doesn't have a resource type %q", kind)
	}
	folder := layout.Folder(kind)
	d, err := l.root.Open(folder)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil
	case errors.Is(err, store.ErrUnreadable) && !(known && k.Single):
		l.broken(resources.Key{Kind: kind}, err)
		return nil
	case err != nil:
		return err
	}
	defer d.Close()
	if known && k.Single {
		return l.take(read(d, kind, kind+".json"))
	}
	names, err := d.Names()
	if err != nil {
		return err
	}
	if l.listed != nil {
		l.listed(folder, names)
	}
	for _, f := range readAll(ctx, d, kind, names) {
		if err := l.take(f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// take brings in what was found in a file.
func (l *loader) take(f found) error {
	switch {
	case f.err != nil && fatal(f.err):
		return f.err
	case errors.Is(f.err, store.ErrNotFound): // gone since the folder was listed
	case f.err != nil:
		l.broken(f.key, f.err)
	case f.seen != nil:
		l.in.Sightings[f.key.Name] = f.seen
	case f.object != nil:
		l.in.Objects = append(l.in.Objects, f.object)
	}
	return nil
}

// fatal reports whether an error says something about this process or machine and
// nothing about the file.
func fatal(err error) bool {
	return errors.Is(err, store.ErrGone) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// broken notes a file that is no object, and brings in its last good version.
func (l *loader) broken(key resources.Key, err error) {
	l.in.Problems[key] = problemOf(key, err)
	if resources.CheckName(key.Name) != nil {
		return
	}
	mark, err := l.root.ReadMark(key)
	if err != nil || mark.LastGood == nil {
		return
	}
	object, _, err := resources.Read(key, mark.LastGood)
	if err != nil {
		return // it is from another version of iDumb
	}
	*object.Source() = resources.Origin{Revision: mark.Revision, ModTime: mark.ModTime}
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
