package mutate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Tx is one change. It reads the current state and writes.
type Tx struct {
	ctx   context.Context
	repo  Repo
	files store.Tx // nil in a dry run
	view  *View

	unwritten requests.Args  // objects that a dry run would have written
	leases    []acquired     // leases acquired for the change
	settling  errgroup.Group // waits until the leases are on disk

	endedPlans     []string              // plans that the change may have completed
	waitingPlans   []*resources.WorkPlan // plans that wait for the requirements of a chain rule
	bypasses       []admission.Bypass    // bypassed chain rules
	unqueriedTasks []*resources.Task     // ended tasks for which the remote must be asked first
}

// View returns the stored objects with the planned and written changes of this
// Tx.
func (t *Tx) View() *View {
	if t.view == nil {
		t.view = newView(t)
	}
	return t.view
}

// Record reads one object's bytes by name. It returns NotFound if the object
// does not exist.
func (t *Tx) Record(key resources.Key) (record store.Record, err error) {
	if resources.CheckName(key.Name) != nil {
		return record, apierrors.NotFound(key) // no object has such a name
	}
	if t.files != nil {
		record, err = t.files.Get(key)
	} else {
		record, err = t.repo.Store.Get(t.ctx, key)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = apierrors.NotFound(key)
	}
	return record, err
}

// get reads one object by name and the record to replace. It returns NotFound
// if the object does not exist and broken if its file is unreadable.
func (t *Tx) get(key resources.Key) (store.Record, resources.Object, error) {
	record, err := t.Record(key)
	if err != nil {
		return record, nil, err
	}
	object, err := decode(record)
	if err != nil {
		return record, nil, broken(key, t.repo.Store.Locate(key), err)
	}
	return record, object, nil
}

func decode(record store.Record) (resources.Object, error) {
	object, _, err := resources.DecodeFile(record.Key, record.Spec)
	if err != nil {
		return nil, err
	}
	object.Source().Revision, object.Source().ModTime = record.Rev, record.ModTime
	return object, nil
}

// readable returns the object in a record, or nil if it does not exist or is
// unreadable.
func readable(record store.Record) resources.Object {
	if record.Rev == "" {
		return nil
	}
	o, err := decode(record)
	if err != nil {
		return nil
	}
	return o
}

// change is a planned change of one object.
type change struct {
	Result
	record store.Record     // stored version; Rev is empty if none
	old    resources.Object // version for the rules: Old, or the last good version; nil if none
	data   []byte           // bytes to write, set by judge
}

// plan stages o as the new version of a record, so that other objects may refer
// to it.
func (t *Tx) plan(record store.Record, o resources.Object) *change {
	c := &change{Result: Result{Key: o.Key(), Operation: Configured, Old: readable(record), New: o}, record: record}
	c.old = c.Old
	switch {
	case record.Rev == "":
		c.Operation = Created
		t.stamp(o)
	case c.Old != nil:
		keepIdentity(o, c.Old)
		if _, ok := o.(*resources.Trajectory); ok && t.repo.Author.Kind == admission.Person {
			delete(o.Head().Metadata.Annotations, resources.AnnotationMadeBy) // the focus is the user's now
		}
	}
	t.markDeferrer(c.old, o)
	if meta := &o.Head().Metadata; t.repo.Once != "" {
		meta.Annotations = mergeMaps(map[string]string{AnnotationQueued: t.repo.Once}, meta.Annotations)
	}
	t.View().stage(o)
	return c
}

// Put plans and writes an object over the current version, or as a new one. It
// does not touch a file with equal content, regardless of formatting.
func (t *Tx) Put(o resources.Object) (Result, error) {
	record, err := t.Record(o.Key())
	if err != nil && !apierrors.IsNotFound(err) {
		return Result{}, err
	}
	return t.commit(t.plan(record, o))
}

// commit checks one planned change and writes it.
func (t *Tx) commit(c *change) (Result, error) {
	err := t.judge(c)
	if err == nil {
		err = t.writeAll([]*change{c})[0]
	}
	if err != nil {
		return Result{}, err
	}
	return c.Result, nil
}

// judge checks a change and computes the bytes to write. It sets the operation to
// Unchanged if the file has equal content. It removes a refused change from the
// view.
func (t *Tx) judge(c *change) error {
	err := admission.Judge(c.old, c.New, t.repo.Author, t.View())
	if err == nil && (endsWork(c.old, c.New) || changesEnd(c.old, c.New)) {
		err = t.requireQueried(c.old)
	}
	if err == nil {
		err = t.view.stored.err // error of a read by the rules
	}
	if err == nil {
		c.data, err = c.encode()
	}
	if err == nil {
		err = t.judgeSecrets(c)
	}
	if err != nil {
		delete(t.view.staged, c.Key)
		t.view.resetGraph()
		return err
	}
	if c.unchanged() {
		c.Operation = Unchanged
	}
	return nil
}

// judgeSecrets refuses a change by an agent that seems to add a secret, because
// the file is committed. It warns a user.
func (t *Tx) judgeSecrets(c *change) error {
	if t.repo.Author.Kind != admission.Agent && t.repo.Warn == nil {
		return nil
	}
	switch found := resources.NewSecret(string(c.data), string(c.record.Spec)); {
	case found == "":
	case t.repo.Author.Kind == admission.Agent:
		return admission.RefuseSecret(c.Key, found)
	case t.repo.Author.Kind == admission.Person:
		t.repo.Warn(admission.SecretWarning(c.Key, found))
	}
	return nil
}

// encode returns the bytes to write, with the line endings of the current file.
func (c *change) encode() ([]byte, error) {
	data, err := resources.Encode(c.New)
	if err == nil && bytes.Contains(c.record.Spec, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) // JSON strings contain no line endings
	}
	return data, err
}

// unchanged reports whether the stored object equals the new one.
func (c *change) unchanged() bool {
	if c.Old == nil {
		return false
	}
	old, err := (&change{Result: Result{New: c.Old}, record: c.record}).encode()
	return err == nil && bytes.Equal(old, c.data)
}

// stamp sets the UID and the time of a new object, and the hashes of the
// citations of a mem or the source of an anchor. Hashes are needed because file
// times differ between clones.
func (t *Tx) stamp(o resources.Object) {
	if t.repo.Author.Kind == admission.Importer {
		return // imported objects stay unchanged
	}
	Stamp(o, t.repo.Now())
	switch o := o.(type) {
	case *resources.Task, *resources.WorkPlan, *resources.Delegation, *resources.Trajectory:
		t.markMaker(o)
	case *resources.Comment:
		o.Spec.Author = t.repo.Author.Author(t.repo.holder().Person)
	case *resources.Mem:
		t.markMaker(o)
		mems.TakeSums(o, t.View())
	case *resources.Decision:
		if resources.DecisionState(o) == resources.DecisionAccepted && o.Spec.Against == nil {
			o.Spec.Against = status.Against(o, t.View())
		}
	case *resources.Anchor:
		if source := o.Spec.Source; source != nil && source.File != "" && source.SHA256 == "" {
			_, source.SHA256, _ = t.View().SourceFile(source.File)
		}
	}
}

// markMaker records the agent that makes a new object.
func (t *Tx) markMaker(o resources.Object) {
	if meta := &o.Head().Metadata; t.repo.Author.Kind == admission.Agent {
		meta.Annotations = mergeMaps(meta.Annotations, map[string]string{resources.AnnotationMadeBy: cmp.Or(t.repo.Author.Session, "agent")})
	}
}

// markDeferrer sets resources.AnnotationDeferredBy of a task that an agent
// defers, keeps it while the task stays deferred, and removes it otherwise. It
// ignores the value in the new version.
func (t *Tx) markDeferrer(before, after resources.Object) {
	task, ok := after.(*resources.Task)
	if !ok || t.repo.Author.Kind == admission.Importer {
		return
	}
	by := ""
	switch was, _ := before.(*resources.Task); {
	case !task.Spec.PlanAhead:
	case was != nil && was.Spec.PlanAhead:
		by = was.Metadata.Annotations[resources.AnnotationDeferredBy]
	case t.repo.Author.Kind == admission.Agent:
		by = cmp.Or(t.repo.Author.Session, "agent")
	}
	annotations := &task.Metadata.Annotations
	if by == (*annotations)[resources.AnnotationDeferredBy] {
		return
	}
	*annotations = maps.Clone(*annotations)
	delete(*annotations, resources.AnnotationDeferredBy)
	if by != "" {
		*annotations = mergeMaps(*annotations, map[string]string{resources.AnnotationDeferredBy: by})
	}
}

// writeAll writes checked changes, each completely or not at all. It returns
// one error per change, nil if it was written.
func (t *Tx) writeAll(changes []*change) []error {
	errs := make([]error, len(changes))
	var writes []store.Write
	var at []int
	for i, c := range changes {
		if c.Operation != Unchanged {
			writes, at = append(writes, store.Write{Key: c.Key, Spec: c.data, Rev: c.record.Rev}), append(at, i)
		}
	}
	if len(t.unqueriedTasks) > 0 {
		for i := range errs {
			errs[i] = errNotQueried
		}
		return errs
	}
	if t.files == nil {
		for _, w := range writes {
			t.unwritten.Add(w.Key, w.Spec, w.Rev)
		}
		return errs
	}
	wrote := map[resources.Key][]byte{}
	defer func() { t.recordForSync(wrote) }()
	for n, err := range t.files.PutAll(writes, func() error { return t.acquireLeases(changes) }) {
		switch c := changes[at[n]]; {
		case errors.Is(err, store.ErrExists):
			err = fmt.Errorf("%w: %w", store.ErrConflict, err) // created in the meantime: retry
		case err == nil:
			c.New.Source().Revision = resources.Revision(c.data)
			wrote[c.Key] = c.data
			// Errors are ignored: the lease of an ended task has no effect, and doctor reports its file.
			switch {
			case changesEnd(c.old, c.New) && t.sharesClaims():
				task := c.New.(*resources.Task)
				_ = t.repo.leases.End(task, resources.TaskState(task), t.repo.holder(), t.repo.Now())
			case endsWork(c.old, c.New):
				_ = t.repo.leases.Release(c.old.(*resources.Task))
			}
			t.noteEnded(c.old, c.New)
			// A comment from git has no record that it was made on this machine, and is only informational.
			if _, ok := c.New.(*resources.Comment); ok && c.Operation == Created {
				_ = t.repo.Store.AppendCheckpoint(t.ctx, c.Key.Name, resources.Checkpoint{Time: resources.NewTime(t.repo.Now()), Session: t.repo.Author.Session, Tool: resources.ToolMade})
			}
			if t.repo.OnWrite != nil {
				t.repo.OnWrite(c.Key, c.record.Spec)
			}
		}
		errs[at[n]] = err
	}
	return errs
}

// batch is the number of objects that are written together, to reduce the
// number of disk flushes.
const batch = 256

// Import writes objects over the current ones as an admission.Importer,
// including cycles and dangling references.
func (t *Tx) Import(objects []resources.Object) error {
	t.repo.Author.Kind = admission.Importer
	done := 0
	for some := range slices.Chunk(objects, batch) {
		var changes []*change
		for _, o := range some {
			record, err := t.Record(o.Key())
			if err != nil && !apierrors.IsNotFound(err) {
				return err
			}
			c := t.plan(record, o)
			if err := t.judge(c); err != nil {
				return err
			}
			changes = append(changes, c)
		}
		if err := errors.Join(t.writeAll(changes)...); err != nil {
			return err
		}
		done += len(some)
		t.notify(done, len(objects))
	}
	return nil
}

// notify reports the progress of writing objects to Repo.Progress, if that is
// set.
func (t *Tx) notify(done, of int) {
	if t.repo.Progress != nil {
		t.repo.Progress(done, of)
	}
}

// keepIdentity copies fields that documents often omit: the UID, the creation
// time, the schema of the file, and fields of a newer build.
func keepIdentity(o, before resources.Object) {
	head, old := o.Head(), before.Head()
	if head.Metadata.UID == "" {
		head.Metadata.UID = old.Metadata.UID
	}
	if head.Metadata.CreationTimestamp.IsZero() {
		head.Metadata.CreationTimestamp = old.Metadata.CreationTimestamp
	}
	if head.Schema == "" {
		head.Schema = old.Schema
	}
	if by := old.Metadata.Annotations[resources.AnnotationMadeBy]; by != head.Metadata.Annotations[resources.AnnotationMadeBy] {
		head.Metadata.Annotations = maps.Clone(head.Metadata.Annotations)
		delete(head.Metadata.Annotations, resources.AnnotationMadeBy)
		if by != "" {
			head.Metadata.Annotations = mergeMaps(map[string]string{resources.AnnotationMadeBy: by}, head.Metadata.Annotations)
		}
	}
	if !head.Complete() {
		resources.KeepUnknown(o, before)
	}
}
