package mutate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/mems"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Application is the result of one document in Apply.
type Application struct {
	Document Manifest
	Result
	Err    error
	Exists bool   // the object existed and was to be changed
	Copy   string // file with a copy of an object's unreadable content

	replaces bool    // ReplaceOnly
	change   *change // nil if it was refused before planning
}

// Doing returns the operation for error messages: "creating".
func (a *Application) Doing() string {
	switch {
	case a.replaces:
		return "replacing"
	case a.Exists:
		return "applying"
	}
	return "creating"
}

// Mode determines how Apply treats existing objects.
type Mode int

// Modes of Apply.
const (
	CreateOrReplace Mode = iota
	CreateOnly           // refuse existing objects; generate missing names
	ReplaceOnly          // refuse new objects; replace the whole object
)

// Apply creates or changes objects from documents under one lock. Documents may
// refer to each other in any order. A refused document does not prevent writing
// the others, except those that refer to it. Each object is written completely
// or not at all. If the disk is full or ctx ends, the written objects stay, and
// the error is a *Stopped.
//
// The spec of an object is replaced by the document's. Progress that the
// document does not mention is kept (see keepClaims), and labels and
// annotations are merged. Applying a plan again therefore does not revert its
// progress.
func (r Repo) Apply(ctx context.Context, documents []Manifest, mode Mode) ([]Application, error) {
	var applied []Application
	var stopped *Stopped
	err := r.Run(ctx, func(tx *Tx) (err error) {
		applied = make([]Application, len(documents))
		named := map[resources.Key]bool{}
		for i, d := range documents {
			a := &applied[i]
			a.Document, a.replaces = d, mode == ReplaceOnly
			a.change, a.Err = tx.prepare(d, mode)
			if c := a.change; c != nil {
				a.Exists = mode != CreateOnly && c.record.Rev != ""
				if a.Err == nil && named[c.Key] {
					a.Err = fmt.Errorf("%s: Duplicate value: another document is about the same object; keep one of the two", c.Key)
				}
				named[c.Key] = true
			}
		}
		tx.refuseInvalid(applied)
		stopped, err = tx.writeBatches(applied)
		return err
	})
	if err == nil && stopped != nil {
		err = stopped
	}
	return applied, err
}

// Stopped reports the progress of an incomplete Apply.
type Stopped struct {
	Done, Total int // objects
	Cause       error
}

func (s *Stopped) Error() string {
	why := s.Cause.Error()
	if errors.Is(s.Cause, context.Canceled) {
		why = "interrupted; apply the files again"
	}
	return fmt.Sprintf("stopped after %d of %d objects; the remaining objects are unchanged: %s", s.Done, s.Total, why)
}

func (s *Stopped) Unwrap() error { return s.Cause }

// prepare decodes a document, merges it with the existing object and plans the
// change.
func (t *Tx) prepare(d Manifest, mode Mode) (*change, error) {
	if d.Key.Name == "" {
		if mode != CreateOnly {
			return nil, errors.New("metadata.name: Required value: say which object this is; idumb create -f makes up a name")
		}
		var err error
		if d.Key, err = t.newName(d.Key.Kind, d.Prefix); err != nil {
			return nil, err
		}
	}
	record, there := t.Record(d.Key)
	before := readable(record)
	if there == nil && before == nil {
		before, _ = t.View().Get(d.Key) // the last good version
	}
	object, err := d.Object(before)
	switch {
	case err != nil:
		return nil, err
	case there != nil && !apierrors.IsNotFound(there):
		return nil, there
	case there == nil && mode == CreateOnly:
		return nil, apierrors.AlreadyExists(d.Key)
	case there != nil && mode == ReplaceOnly:
		return nil, apierrors.NotFound(d.Key)
	}
	if before != nil && mode == ReplaceOnly {
		keepIdentity(object, before)
	} else if before != nil {
		if err := merge(object, before, d.JSON); err != nil {
			return nil, err
		}
		keepIdentity(object, before)
	}
	c := t.plan(record, object)
	c.old = before
	return c, c.checkRevision(d)
}

// checkRevision refuses a document with an outdated revision, unless the object
// would not change.
func (c *change) checkRevision(d Manifest) (err error) {
	if c.record.Rev == "" || d.Revision == "" || d.Revision == c.record.Rev {
		return nil
	}
	if c.data, err = resources.Encode(c.New); err == nil && c.unchanged() {
		return nil
	}
	return apierrors.Conflict(d.Key)
}

// refuseInvalid refuses changes that violate a rule, then changes that refer to refused
// ones, until the rest is valid.
func (t *Tx) refuseInvalid(applied []Application) {
	if len(applied) > maxByName {
		t.View().prepareCycles()
	}
	referrers := map[resources.Key][]*Application{}
	var todo []*Application
	for i := range applied {
		if a := &applied[i]; a.Err == nil {
			todo = append(todo, a)
			for _, r := range resources.References(a.change.New) {
				referrers[r.Key] = append(referrers[r.Key], a)
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		a := todo[0]
		if a.Err != nil {
			continue
		}
		if a.Err = t.judge(a.change); a.Err != nil {
			todo = append(todo, referrers[a.change.Key]...)
		}
	}
}

// writeBatches writes the accepted changes in batches.
func (t *Tx) writeBatches(applied []Application) (*Stopped, error) {
	var todo []*Application
	for i := range applied {
		if applied[i].Err == nil {
			todo = append(todo, &applied[i])
		}
	}
	stopped := Stopped{Total: len(todo)}
	for some := range slices.Chunk(todo, batch) {
		if stopped.Cause = t.ctx.Err(); stopped.Cause != nil {
			return &stopped, nil
		}
		some = slices.DeleteFunc(some, func(a *Application) bool {
			a.Err = t.saveUnreadable(a)
			return a.Err != nil
		})
		var changes []*change
		for _, a := range some {
			changes = append(changes, a.change)
		}
		for n, err := range t.writeAll(changes) {
			switch a := some[n]; {
			case errors.Is(err, store.ErrConflict):
				return nil, err
			case store.IsDiskFailure(err):
				stopped.Cause = err
			default:
				a.Result, a.Err = a.change.Result, err
				stopped.Done++
			}
		}
		t.notify(stopped.Done, stopped.Total)
		if stopped.Cause != nil {
			return &stopped, nil
		}
	}
	return nil, nil
}

// saveUnreadable saves unreadable content that is about to be replaced in the directory
// for temporary files, and sets a.Copy to the name of the copy.
func (t *Tx) saveUnreadable(a *Application) error {
	if record := a.change.record; t.files != nil && record.Rev != "" && a.change.Old == nil {
		file, err := os.CreateTemp("", "idumb-"+record.Key.Kind+"-*.json")
		if err == nil {
			a.Copy = file.Name()
			_, err = file.Write(record.Spec)
			err = errors.Join(err, file.Close())
		}
		if err != nil {
			return fmt.Errorf("save the unreadable content of the file: %w; the file was not replaced", err)
		}
	}
	return nil
}

// merge copies fields from before to object that document, its JSON, does not
// mention and that Apply preserves.
func merge(object, before resources.Object, document []byte) error {
	var said struct {
		Spec map[string]json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(document, &said); err != nil {
		return err
	}
	keepClaims(object, before, func(field string) bool { _, found := said.Spec[field]; return found })
	meta, old := &object.Head().Metadata, before.Head().Metadata
	meta.Labels = mergeMaps(meta.Labels, old.Labels)
	meta.Annotations = mergeMaps(meta.Annotations, old.Annotations)
	resources.KeepUnknown(object, before)
	return nil
}

// keepClaims preserves recorded progress: the state and result of a task, a
// plan or a delegation, and the confirmation or purge of a mem.
func keepClaims(object, before resources.Object, said func(field string) bool) {
	switch spec := object.SpecPointer().(type) {
	case *resources.TaskSpec:
		old := before.SpecPointer().(*resources.TaskSpec)
		keepUnless(said("state"), &spec.State, old.State)
		keepUnless(said("result"), &spec.Result, old.Result)
		keepUnless(said("reason"), &spec.Reason, old.Reason)
	case *resources.WorkPlanSpec:
		keepUnless(said("state"), &spec.State, before.SpecPointer().(*resources.WorkPlanSpec).State)
	case *resources.MemSpec:
		old := before.SpecPointer().(*resources.MemSpec)
		keepUnless(said("confirmations"), &spec.Confirmations, old.Confirmations)
		keepUnless(said("duplicates"), &spec.Duplicates, old.Duplicates)
		keepUnless(said("purgedAt"), &spec.PurgedAt, old.PurgedAt)
		keepUnless(said("purgeReason"), &spec.PurgeReason, old.PurgeReason)
		// Users rarely write the hashes of citations.
		for i := range spec.Evidence {
			for _, before := range old.Evidence {
				if e := &spec.Evidence[i]; e.Path != "" && e.Path == before.Path && e.Section == before.Section {
					keepUnless(e.SHA256 != "", &e.SHA256, before.SHA256)
				}
			}
		}
	case *resources.AnchorSpec:
		now, was := spec.Source, before.SpecPointer().(*resources.AnchorSpec).Source
		if now != nil && was != nil && now.File == was.File {
			keepUnless(now.SHA256 != "", &now.SHA256, was.SHA256)
		}
	case *resources.DelegationSpec:
		old := before.SpecPointer().(*resources.DelegationSpec)
		keepUnless(said("state"), &spec.State, old.State)
		keepUnless(said("session"), &spec.Session, old.Session)
	}
}

// keepUnless sets a field to its old value unless the document contains the
// field.
func keepUnless[T any](said bool, field *T, old T) {
	if !said {
		*field = old
	}
}

// mergeMaps returns a new map with the entries of both maps. said has precedence.
func mergeMaps(said, old map[string]string) map[string]string {
	if len(old) == 0 {
		return said
	}
	all := maps.Clone(old)
	maps.Copy(all, said)
	return all
}

// SaveMem writes the result of decide (mems.Save or mems.Add): a new mem, a
// replacement of another one, or an existing mem with a higher count. It
// generates a missing name. It does not modify m.
func (r Repo) SaveMem(ctx context.Context, m *resources.Mem, decide func(*resources.Mem, mems.View) (mems.Saved, error)) (Result, mems.Saved, error) {
	var result Result
	var saved mems.Saved
	err := r.Run(ctx, func(tx *Tx) error {
		next := resources.Clone(m).(*resources.Mem)
		if errs := resources.Validate(named(next)); len(errs) > 0 {
			return admission.Invalid(next.Key(), errs)
		}
		if _, current, err := tx.get(next.Key()); err == nil && r.hasWritten(current) {
			result, saved = Result{Key: next.Key(), Operation: Unchanged, Old: current, New: current}, mems.Saved{}
			return nil
		}
		var err error
		if saved, err = decide(next, tx.View()); err != nil {
			return err
		}
		if saved.Operation == mems.Duplicate {
			result, err = tx.Put(saved.Mem)
			return err
		}
		c, err := tx.planOver(next, "")
		if err == nil {
			result, err = tx.commit(c)
		}
		return err
	})
	return result, saved, err
}

// named returns a mem with a name, for validation before it has one.
func named(m *resources.Mem) *resources.Mem {
	if m.Metadata.Name != "" {
		return m
	}
	copied := *m
	copied.Metadata.Name = "new"
	return &copied
}
