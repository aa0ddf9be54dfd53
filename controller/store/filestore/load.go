package filestore

import (
	"bytes"
	"context"
	"errors"
	"path"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// Load reads all specs, checkpoint logs and archived names, as of some moment
// during the call. It does not read statuses; the Snapshot computes them for
// the time now. Commands, tools and writers use it without a controller.
//
// kinds lists the plurals of the kinds to read, including
// resources.CheckpointsKind; none means all. The config and the archived names
// are always read. References to objects of other kinds appear as missing.
// Deriving the phases of tasks needs tasks, workplans and checkpoints. Deriving
// those of mems needs status.WorkKinds.
//
// A broken file does not fail the call. It is listed in the Snapshot's
// problems, and its last good version is used if one is known.
// Load takes no lock. It may return store.ErrGone.
func (s *Store) Load(ctx context.Context, now time.Time, kinds ...string) (*graph.Snapshot, error) {
	l := &loader{s: s, input: graph.SnapshotInput{
		Problems: map[resources.Key]resources.Problem{}, Evidence: map[string]*status.Evidence{},
		Now: now, SourceFile: s.root.SourceFile, SourceSection: s.SourceSection, SourceDocument: s.SourceDocument, SourceStack: s.SourceStack, SourceMoved: s.SourceMoved,
		CommitDays: func() []int { return s.CommitDays(ctx) },
	}}
	kinds = kindsToRead(kinds)
	if slices.ContainsFunc(kinds, store.IsPlanned) {
		s.FindLost(ctx, now)
	}
	for _, kind := range kinds {
		if err := l.kind(ctx, kind); err != nil {
			return nil, err
		}
	}
	var err error
	l.input.Archived, err = s.ListArchived(ctx)
	return graph.NewSnapshot(l.input), err
}

// kindsToRead returns the kinds of Load, all kinds by default, with the config
// first.
func kindsToRead(kinds []string) []string {
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

// loader collects the input of a Snapshot.
type loader struct {
	s     *Store
	input graph.SnapshotInput
}

// fileContent is the content of a file: an object, checkpoint evidence or an error.
type fileContent struct {
	object   resources.Object
	evidence *status.Evidence
	err      error
}

// maxReaders is the maximum number of reading goroutines. More would wait for
// each other.
const maxReaders = 4

// kind loads all files of a kind with several goroutines, in the order of their
// names.
func (l *loader) kind(ctx context.Context, kind string) error {
	keys, err := l.s.keys(kind)
	switch {
	case errors.Is(err, store.ErrUnreadable):
		l.broken(ctx, resources.Key{Kind: kind}, err)
	case err != nil:
		return err
	}
	folder := l.s.openKindDirs(kind, false)
	defer folder.close()
	if errors.Is(folder.err, store.ErrUnreadable) && layout.Folder(kind) == layout.Dir {
		return folder.err // .idumb itself is not a directory
	}
	all := make([]fileContent, len(keys))
	readers := min(runtime.GOMAXPROCS(0), maxReaders)
	var done sync.WaitGroup
	for reader := range readers {
		done.Go(func() {
			for i := reader * len(keys) / readers; i < (reader+1)*len(keys)/readers && ctx.Err() == nil; i++ {
				all[i] = folder.load(keys[i])
			}
		})
	}
	done.Wait()
	for i, f := range all {
		if err := l.take(ctx, keys[i], f); err != nil {
			return err
		}
	}
	for _, name := range l.s.root.LostNames(kind) {
		key := resources.Key{Kind: kind, Name: name}
		l.broken(ctx, key, store.RemovedProblem(key, layout.Path(key)))
	}
	return ctx.Err()
}

// load reads and decodes the file of one object.
func (f *kindDirs) load(key resources.Key) (found fileContent) {
	switch record, err := f.readSettled(key); {
	case err != nil:
		found.err = err
	case key.Kind == resources.CheckpointsKind:
		found.evidence, _ = status.ReadEvidence(record.Spec) // doctor reports damaged lines
	default:
		if found.object, _, found.err = resources.Read(key, record.Spec); found.err == nil {
			*found.object.Source() = resources.Origin{Revision: record.Rev, ModTime: record.ModTime}
		}
	}
	return found
}

// settleTime is the time after a change in which a file may be incomplete.
const settleTime = 20 * time.Millisecond

// readSettled reads a file. If the file just changed and has no object's end, it is
// read again, because some editors truncate a file before writing it.
func (f *kindDirs) readSettled(key resources.Key) (store.Record, error) {
	record, err := f.get(key)
	for range 5 {
		if err != nil || bytes.HasSuffix(bytes.TrimSpace(record.Spec), []byte("}")) || time.Since(record.ModTime) > settleTime {
			break
		}
		time.Sleep(settleTime / 10)
		record, err = f.get(key)
	}
	return record, err
}

// take adds the content of a file to the input.
func (l *loader) take(ctx context.Context, key resources.Key, f fileContent) error {
	switch {
	case f.err != nil && fatal(f.err):
		return f.err
	case errors.Is(f.err, store.ErrNotFound): // deleted since the directory was listed
	case f.err != nil:
		l.broken(ctx, key, f.err)
	case f.evidence != nil:
		l.input.Evidence[key.Name] = f.evidence
	case f.object != nil:
		l.input.Objects = append(l.input.Objects, f.object)
	}
	return nil
}

// fatal reports whether an error concerns this process or machine rather than
// the file.
func fatal(err error) bool {
	return errors.Is(err, store.ErrGone) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// broken records a broken file and adds its last good version.
func (l *loader) broken(ctx context.Context, key resources.Key, err error) {
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
	l.input.Problems[key] = p
	if resources.CheckName(key.Name) != nil {
		return
	}
	good, revision := l.s.LastGood(ctx, key)
	if object, _, err := resources.Read(key, good); err == nil { // otherwise none is known, or it is from another version of iDumb
		mark, _ := l.s.root.Marks().Get(key)
		*object.Source() = resources.Origin{Revision: revision, ModTime: mark.ModTime}
		l.input.Objects = append(l.input.Objects, object)
	}
}
