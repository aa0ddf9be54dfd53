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
	"github.com/idumb-dev/idumb/controller/mutate/queue/wishes"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/status"
)

// Tx is one change: it reads what is there now, and writes.
type Tx struct {
	ctx   context.Context
	repo  Repo
	files store.Tx // nil in a dry run
	view  *View

	unwritten wishes.Args    // what a dry run would have written
	taken     []taken        // leases that were taken for what is written
	settling  errgroup.Group // waits until those are on disk

	finished []string              // plans that the change may have completed
	waiting  []*resources.WorkPlan // plans that wait for what a chain rule demands
	past     []admission.Bypass    // chain rules that the change went past
	unasked  []*resources.Task     // tasks that the change ends; the team must be asked first who holds them
}

// View is what is there, changed by what was planned and written in this Tx.
func (t *Tx) View() *View {
	if t.view == nil {
		t.view = newView(t)
	}
	return t.view
}

// Record reads one object's bytes by name. NotFound.
func (t *Tx) Record(key resources.Key) (record store.Record, err error) {
	if resources.CheckName(key.Name) != nil {
		return record, apierrors.NotFound(key) // nothing can have such a name
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

// get reads one object by name, with the record to write over. NotFound; broken
// if its file cannot be read.
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

// readable is the object that a record holds; nil if there is none or it cannot be
// read.
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

// change is what is to become of one object.
type change struct {
	Result
	record store.Record     // what is there; Rev "" if nothing
	before resources.Object // what the object is judged by: Before, or its last good version
	data   []byte           // what is to be written, once it was judged
}

// plan makes o what is to stand in place of a record, as if it were written, so that other
// objects may refer to it.
func (t *Tx) plan(record store.Record, o resources.Object) *change {
	c := &change{Result: Result{Key: o.Key(), What: Configured, Before: readable(record), After: o}, record: record}
	c.before = c.Before
	switch {
	case record.Rev == "":
		c.What = Created
		t.stamp(o)
	case c.Before != nil:
		keepIdentity(o, c.Before)
	}
	t.markDeferrer(c.before, o)
	if meta := &o.Head().Metadata; t.repo.Once != "" {
		meta.Annotations = joined(map[string]string{AnnotationQueued: t.repo.Once}, meta.Annotations)
	}
	t.View().stage(o)
	return c
}

// Put plans and writes an object over what is there now, or as a new one. A
// file that already says the same is not touched, however it is laid out.
func (t *Tx) Put(o resources.Object) (Result, error) {
	record, err := t.Record(o.Key())
	if err != nil && !apierrors.IsNotFound(err) {
		return Result{}, err
	}
	return t.commit(t.plan(record, o))
}

// commit judges and writes one change.
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

// judge asks whether a change may be made, and says what is to be written for it: nothing, if
// the file says the same already. What is refused is planned no more.
func (t *Tx) judge(c *change) error {
	err := admission.Judge(c.before, c.After, t.repo.Who, t.View())
	if err == nil && (ends(c.before, c.After) || turns(c.before, c.After)) {
		err = t.requireAsked(c.before)
	}
	if err == nil {
		err = t.view.stored.err // of reading what the rules looked at
	}
	if err == nil {
		c.data, err = c.encode()
	}
	if err == nil {
		err = t.judgeSecrets(c)
	}
	if err != nil {
		t.view.unstage(c.Key)
		return err
	}
	if c.same() {
		c.What = Unchanged
	}
	return nil
}

// judgeSecrets refuses a change by an agent that adds what looks like a secret, for the file is committed; a
// person is warned.
func (t *Tx) judgeSecrets(c *change) error {
	if t.repo.Who.As != admission.Agent && t.repo.Warn == nil {
		return nil
	}
	found := resources.NewSecret(string(c.data), string(c.record.Spec))
	switch {
	case found == "":
	case t.repo.Who.As == admission.Agent:
		return admission.RefuseSecret(c.Key, found)
	case t.repo.Who.As == admission.Person:
		t.repo.Warn(admission.SecretWarning(c.Key, found))
	}
	return nil
}

// encode returns what is to be written, with the line ends of the file that is there.
func (c *change) encode() ([]byte, error) {
	data, err := resources.Encode(c.After)
	if err == nil && bytes.Contains(c.record.Spec, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) // a JSON text has no line ends within strings
	}
	return data, err
}

// same reports whether the object that is there says what is to be written.
func (c *change) same() bool {
	if c.Before == nil {
		return false
	}
	old, err := (&change{Result: Result{After: c.Before}, record: c.record}).encode()
	return err == nil && bytes.Equal(old, c.data)
}

// stamp gives a new object what commands assign: a uid, the time, and the sums of what a mem
// cites or an anchor is about, for times of files are other ones in each clone.
func (t *Tx) stamp(o resources.Object) {
	if t.repo.Who.As == admission.Importer {
		return // it is as it is elsewhere
	}
	Stamp(o, t.repo.Now())
	switch o := o.(type) {
	case *resources.Task, *resources.WorkPlan, *resources.Delegation:
		t.markMaker(o)
	case *resources.Comment:
		o.Spec.Author = t.repo.Who.Author(t.repo.holder().Person)
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

// markMaker says on a new object which agent makes it.
func (t *Tx) markMaker(o resources.Object) {
	if meta := &o.Head().Metadata; t.repo.Who.As == admission.Agent {
		meta.Annotations = joined(meta.Annotations, map[string]string{resources.AnnotationMadeBy: cmp.Or(t.repo.Who.Session, "agent")})
	}
}

// markDeferrer sets resources.AnnotationDeferredBy of a task that an agent defers, keeps it while the task stays
// deferred, and removes it otherwise. What the new version says about it does not count.
func (t *Tx) markDeferrer(before, after resources.Object) {
	task, ok := after.(*resources.Task)
	if !ok || t.repo.Who.As == admission.Importer {
		return
	}
	by := ""
	was, _ := before.(*resources.Task)
	switch {
	case !task.Spec.PlanAhead:
	case was != nil && was.Spec.PlanAhead:
		by = was.Metadata.Annotations[resources.AnnotationDeferredBy]
	case t.repo.Who.As == admission.Agent:
		by = cmp.Or(t.repo.Who.Session, "agent")
	}
	annotations := &task.Metadata.Annotations
	if by == (*annotations)[resources.AnnotationDeferredBy] {
		return
	}
	*annotations = maps.Clone(*annotations)
	delete(*annotations, resources.AnnotationDeferredBy)
	if by != "" {
		*annotations = joined(*annotations, map[string]string{resources.AnnotationDeferredBy: by})
	}
}

// writeAll makes changes that were judged, each whole or not at all, and returns what kept
// each from being made; nil: it was.
func (t *Tx) writeAll(changes []*change) []error {
	errs := make([]error, len(changes))
	var writes []store.Write
	var at []int
	for i, c := range changes {
		if c.What != Unchanged {
			writes, at = append(writes, store.Write{Key: c.Key, Spec: c.data, Rev: c.record.Rev}), append(at, i)
		}
	}
	if len(t.unasked) > 0 {
		for i := range errs {
			errs[i] = errUnasked
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
	defer func() { t.keepForTeam(wrote) }()
	for n, err := range t.files.PutAll(writes, func() error { return t.take(changes) }) {
		c := changes[at[n]]
		switch {
		case errors.Is(err, store.ErrExists):
			err = fmt.Errorf("%w: %w", store.ErrConflict, err) // created meanwhile: look again
		case err == nil:
			c.After.Source().Revision = resources.Revision(c.data)
			wrote[c.Key] = c.data
			t.release(c)
			t.noteEnded(c.before, c.After)
			t.noteMade(c)
			if t.repo.Wrote != nil {
				t.repo.Wrote(c.Key, c.record.Spec)
			}
		}
		errs[at[n]] = err
	}
	return errs
}

// batch is how many objects are written together, which waits for the disk a few times only.
const batch = 256

// Import writes objects over what is there for an admission.Importer: with the circles and
// loose ends that they have elsewhere.
func (t *Tx) Import(objects []resources.Object) error {
	t.repo.Who.As = admission.Importer
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
		t.tell(done, len(objects))
	}
	return nil
}

func (t *Tx) tell(done, of int) {
	if t.repo.Progress != nil {
		t.repo.Progress(done, of)
	}
}

// keepIdentity carries over what belongs to the object and is often left out:
// who it is, since when it is, which schema its file names, and what a newer build wrote.
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
			head.Metadata.Annotations = joined(map[string]string{resources.AnnotationMadeBy: by}, head.Metadata.Annotations)
		}
	}
	if !head.Complete() {
		resources.KeepUnknown(o, before)
	}
}
