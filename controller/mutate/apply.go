package mutate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/manifest"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Application is what became of one document of an apply.
type Application struct {
	Document manifest.Document
	Result
	Err    error
	Exists bool   // the object was there before, and was to be changed
	Kept   string // a file that keeps what stood in an object's file that could not be read
}

// Doing is what an error of this document was an error of: "creating".
func (a *Application) Doing() string {
	if a.Exists {
		return "applying"
	}
	return "creating"
}

// Mode says what Apply does with objects that are there.
type Mode int

// Modes of Apply.
const (
	CreateOrReplace Mode = iota
	CreateOnly           // they are refused, and documents without a name get one
)

// Apply makes objects what documents say, all under one lock. Documents may
// refer to each other in any order. One that is refused does not keep the
// others from being written, except those that refer to it. Each object is
// written whole or not at all. If the disk is full, or ctx ends, what was written
// until then stays, and the error is a *Stopped.
//
// The spec of an object becomes what the document says. What people claim while
// they work (claims) stays unless the document speaks of it, and labels and
// annotations are merged, so that applying a plan again does not undo its
// progress.
func (r Repo) Apply(ctx context.Context, documents []manifest.Document, mode Mode) ([]Application, error) {
	var applied []Application
	var stopped *Stopped
	err := r.Run(ctx, func(tx *Tx) (err error) {
		applied = make([]Application, len(documents))
		plans := make([]*plan, len(documents))
		named := map[resources.Key]bool{}
		for i, d := range documents {
			applied[i].Document = d
			plans[i], applied[i].Err = tx.prepare(d, mode)
			if p := plans[i]; p != nil && applied[i].Err == nil {
				if named[p.object.Key()] {
					applied[i].Err = fmt.Errorf("%s: Duplicate value: another document is about the same object; keep one of the two", p.object.Key())
				}
				named[p.object.Key()] = true
			}
			applied[i].Exists = mode == CreateOrReplace && plans[i] != nil && plans[i].record.Rev != ""
		}
		tx.weed(plans, applied)
		stopped, err = tx.execute(plans, applied)
		return err
	})
	if err == nil && stopped != nil {
		err = stopped
	}
	return applied, err
}

// Stopped says how far an Apply came that was ended early.
type Stopped struct {
	Done, Of int // objects
	Cause    error
}

func (s *Stopped) Error() string {
	why := s.Cause.Error()
	if errors.Is(s.Cause, context.Canceled) {
		why = "interrupted; apply the files again"
	}
	return fmt.Sprintf("stopped after %d of %d objects, and the others are as they were: %s", s.Done, s.Of, why)
}

func (s *Stopped) Unwrap() error { return s.Cause }

// plan is a document that is about to be written.
type plan struct {
	object resources.Object
	record store.Record     // what is there; Rev "" if nothing
	was    resources.Object // what that means; nil if it cannot be read
	before resources.Object // was, or the last good version; nil if there is none
}

// prepare decodes a document, merges it with what is there and stages it.
func (t *Tx) prepare(d manifest.Document, mode Mode) (*plan, error) {
	if err := t.name(&d, mode); err != nil {
		return nil, err
	}
	p := &plan{}
	var there error
	p.record, there = t.Record(d.Key)
	if there == nil {
		if p.was = before(p.record); p.was != nil {
			p.before = p.was
		} else {
			p.before, _ = t.View().Get(d.Key)
		}
	}
	var err error
	p.object, err = d.Object(p.before)
	switch {
	case err != nil:
		return nil, err
	case apierrors.IsNotFound(there):
		Stamp(p.object, t.repo.Now())
		t.takeSums(p.object)
		t.Stage(p.object)
		return p, nil
	case there != nil:
		return nil, there
	case mode == CreateOnly:
		return p, apierrors.AlreadyExists(d.Key)
	}
	return p, t.prepareChange(d, p)
}

// name makes up a name for a document that is to be created without one.
func (t *Tx) name(d *manifest.Document, mode Mode) (err error) {
	switch {
	case d.Key.Name != "":
		return nil
	case mode != CreateOnly:
		return errors.New("metadata.name: Required value: say which object this is; idumb create -f makes up a name")
	}
	d.Key, err = t.newName(d.Key.Kind)
	return err
}

func (t *Tx) prepareChange(d manifest.Document, p *plan) error {
	if p.before != nil {
		if err := merge(p.object, p.before, d.JSON); err != nil {
			return err
		}
		keepIdentity(p.object, p.before)
	}
	if err := p.checkRevision(d); err != nil {
		return err
	}
	t.Stage(p.object)
	return nil
}

// checkRevision refuses a document that says at which revision it was read, if
// the object has another one by now and would be changed.
func (p *plan) checkRevision(d manifest.Document) error {
	if d.Revision == "" || d.Revision == p.record.Rev {
		return nil
	}
	if data, err := resources.Encode(p.object); err == nil && same(p.before, data) {
		return nil
	}
	return apierrors.Conflict(d.Key)
}

// weed refuses what breaks a rule, then what refers to what was refused, until
// the rest holds.
func (t *Tx) weed(plans []*plan, applied []Application) {
	if len(plans) > maxByName {
		t.View().prepareCircles()
	}
	referrers := map[resources.Key][]int{}
	todo := make([]int, 0, len(plans))
	for i, p := range plans {
		if applied[i].Err != nil {
			continue
		}
		todo = append(todo, i)
		for _, r := range resources.References(p.object) {
			referrers[r.Key] = append(referrers[r.Key], i)
		}
	}
	for len(todo) > 0 {
		i := todo[0]
		todo = todo[1:]
		if applied[i].Err != nil {
			continue
		}
		if applied[i].Err = t.check(plans[i].object, plans[i].before); applied[i].Err != nil {
			todo = append(todo, referrers[plans[i].object.Key()]...)
		}
	}
}

// execute writes what was not refused, a batch at a time.
func (t *Tx) execute(plans []*plan, applied []Application) (*Stopped, error) {
	var todo []int
	for i := range plans {
		if applied[i].Err == nil {
			todo = append(todo, i)
		}
	}
	stopped := Stopped{Of: len(todo)}
	for some := range slices.Chunk(todo, batch) {
		if stopped.Cause = t.ctx.Err(); stopped.Cause != nil {
			return &stopped, nil
		}
		changes, at := t.changes(plans, applied, some)
		for n, err := range t.writeAll(changes) {
			switch a := &applied[at[n]]; {
			case errors.Is(err, store.ErrConflict):
				return nil, err
			case filestore.Failing(err):
				stopped.Cause = err
			default:
				a.Result, a.Err = changes[n].Result, err
				stopped.Done++
			}
		}
		t.repo.tell(stopped.Done, stopped.Of)
		if stopped.Cause != nil {
			return &stopped, nil
		}
	}
	return nil, nil
}

// changes are the changes that some plans make, and which of them each is of.
func (t *Tx) changes(plans []*plan, applied []Application, some []int) (changes []*change, at []int) {
	for _, i := range some {
		c, err := t.change(plans[i], &applied[i])
		if err != nil {
			applied[i].Err = err
			continue
		}
		changes, at = append(changes, c), append(at, i)
	}
	return changes, at
}

func (t *Tx) change(p *plan, a *Application) (c *change, err error) {
	result := Result{Key: p.object.Key(), What: Configured, Before: p.was, After: p.object}
	if p.record.Rev == "" {
		result.What = Created
	} else if p.was == nil && t.files != nil {
		if a.Kept, err = keep(p.record); err != nil {
			return nil, fmt.Errorf("what stands in its file could not be kept, so it was not replaced: %w", err)
		}
	}
	return newChange(p.record, result)
}

// keep copies bytes that are about to be replaced, though nothing can read
// them, to the folder for temporary files.
func keep(record store.Record) (string, error) {
	file, err := os.CreateTemp("", "idumb-"+record.Key.Kind+"-*.json")
	if err != nil {
		return "", err
	}
	_, err = file.Write(record.Spec)
	return file.Name(), errors.Join(err, file.Close())
}

// merge carries over to object what document, its JSON, does not speak of and
// apply leaves alone.
func merge(object, before resources.Object, document []byte) error {
	var said struct {
		Spec map[string]json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(document, &said); err != nil {
		return err
	}
	keepClaims(object, before, func(field string) bool { _, found := said.Spec[field]; return found })
	meta, old := &object.Head().Metadata, before.Head().Metadata
	meta.Labels = joined(meta.Labels, old.Labels)
	meta.Annotations = joined(meta.Annotations, old.Annotations)
	resources.KeepUnknown(object, before)
	return nil
}

// keepClaims carries over what people claim while they work: how far a task, a
// plan or a delegation is and what came out, and who confirmed or purged a mem.
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
		keepSums(spec.Evidence, old.Evidence)
	case *resources.AnchorSpec:
		now, was := spec.Source, before.SpecPointer().(*resources.AnchorSpec).Source
		if now != nil && was != nil && now.File == was.File && now.SHA256 == "" {
			now.SHA256 = was.SHA256
		}
	case *resources.DelegationSpec:
		old := before.SpecPointer().(*resources.DelegationSpec)
		keepUnless(said("state"), &spec.State, old.State)
		keepUnless(said("session"), &spec.Session, old.Session)
	}
}

// keepSums carries over the sums of what a mem cites, where the document cites the same and
// has none: people seldom write them.
func keepSums(cited, old []resources.MemEvidence) {
	for i := range cited {
		for _, before := range old {
			if e := &cited[i]; e.Path != "" && e.SHA256 == "" && e.Path == before.Path && e.Section == before.Section {
				e.SHA256 = before.SHA256
			}
		}
	}
}

func keepUnless[T any](said bool, field *T, old T) {
	if !said {
		*field = old
	}
}

func joined(said, old map[string]string) map[string]string {
	if len(old) == 0 {
		return said
	}
	all := map[string]string{}
	for k, v := range old {
		all[k] = v
	}
	for k, v := range said {
		all[k] = v
	}
	return all
}
