package reconcilers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/store/replace"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// derivedKey is the only key of the reconciler of derived mems: one pass makes all of them.
var derivedKey = resources.Key{Kind: "derived", Name: "derived"}

const (
	derivedFile = layout.DerivedDir + "/seen.json"
	maxDerived  = 16 << 20
	maxCommits  = 1000 // commits read when a history is read for the first time
	// derivedDelay is the delay after a burst of changes. Derived mems are not urgent.
	derivedDelay = 250 * time.Millisecond
)

// newDeriver returns the reconciler that derives mems from completed tasks, accepted decisions,
// anchors of type decision, and commit messages that state a decision, a breaking change or a task.
// Derived mems are stored below layout.DerivedDir and never committed. The same commits and specs
// give the same bytes on every machine. A spec of the same name takes precedence; the store turns a
// derived mem into a spec when a user changes it.
//
// derivedFile records what was derived, so that a mem that a user deletes is not derived again.
// Another clone does not have that record. There, a mem is not derived if it is archived or purged,
// or if it was a spec that a commit deleted.
func newDeriver(repo mutate.Repo, c controller.Client) controller.Reconciler {
	return &deriver{root: repo.Store.Root(), client: c}
}

// derivedKeys returns the key if a change can add or remove a derived mem.
func derivedKeys(ch controller.Change, c controller.Client) []resources.Key {
	due := ch.Key == resources.Key{} // the end of a listing
	switch ch.Key.Kind {
	case resources.Tasks:
		t, old := asTask(ch.New), asTask(ch.Old)
		due = !ch.StatusOnly && (isCompleted(t) || isCompleted(old))
	case resources.Anchors:
		due = !ch.StatusOnly && (isDecisionAnchor(ch.New) || isDecisionAnchor(ch.Old))
	case resources.Decisions:
		due = !ch.StatusOnly
	case store.FilesKind:
		due = ch.Key.Name == store.HeadFile
	}
	if due {
		return []resources.Key{derivedKey}
	}
	return nil
}

// isDecisionAnchor reports whether an object is an anchor that gives a mem.
func isDecisionAnchor(o resources.Object) bool {
	a, ok := o.(*resources.Anchor)
	return ok && memory.OfAnchor(a) != nil
}

// isCompleted reports whether the state in the spec of a task is completed. It returns false for
// nil.
func isCompleted(t *resources.Task) bool { return t != nil && t.Spec.State == resources.TaskCompleted }

// deriver is the reconciler that makes mems of completed tasks, accepted decisions, anchors of type
// decision and commit messages, and removes those whose source is gone. It is not safe for
// concurrent use.
type deriver struct {
	root   layout.Root
	client controller.Client

	deletedMems   map[string]bool    // names of mems that a commit deleted; nil until git was read
	deletedAtHead string             // HEAD when deletedMems was read
	tasks         map[string]taskMem // by name of the task
}

// taskMem records the digest of a task's mem; the digest is "" if the task gives no mem. Objects
// in the cache are immutable, so the mem is unchanged while the task is the same pointer.
type taskMem struct {
	task   *resources.Task
	digest string
}

// derivedRecord is the content of derivedFile.
type derivedRecord struct {
	Commit string            `json:"commit,omitempty"` // the last commit whose message was read
	Mems   map[string]string `json:"mems,omitempty"`   // digest of each mem's bytes, by name
}

// derivation is the state of one pass.
type derivation struct {
	head   string // HEAD at the start of the pass; it may move during the pass
	seen   derivedRecord
	digest map[string]string         // digest of every mem that should exist, by name
	made   map[string]*resources.Mem // the mems whose content was computed in this pass
}

// add adds a mem, and the digest of its encoded form, to the mems that should exist after the
// pass.
func (p *derivation) add(m *resources.Mem) error {
	data, err := resources.Encode(m)
	if err == nil {
		p.digest[m.Metadata.Name], p.made[m.Metadata.Name] = resources.Revision(data)[:16], m
	}
	return err
}

// Reconcile writes new mems and removes mems without a source. It updates derivedFile before it
// removes files and after it writes them, so that after a crash no mem counts as deleted by a user.
func (d *deriver) Reconcile(ctx context.Context, _ resources.Key) (controller.Result, error) {
	d.client.WorkDays() // subscribes to changes of HEAD
	seen := d.read()
	p := &derivation{head: githistory.Head(d.root), seen: seen, digest: map[string]string{}, made: map[string]*resources.Mem{}}
	err := errors.Join(d.addTasks(p), d.addAnchors(p), d.addDecisions(p), d.addHistory(ctx, p), d.dropUnwanted(ctx, p))
	if err != nil {
		return controller.Result{}, controller.Terminal(err) // an error of git or of a file: retried at the next change
	}
	kept := derivedRecord{seen.Commit, map[string]string{}}
	there, err := d.root.KeysBelow(layout.DerivedDir, resources.Mems)
	for name, digest := range seen.Mems {
		if p.digest[name] != "" || !slices.Contains(there, memKey(name)) { // the second case: a user deleted it
			kept.Mems[name] = digest
		}
	}
	if err = errors.Join(err, d.write(kept, seen), d.sweep(p, there), d.place(p, kept, there)); err == nil {
		kept.Commit = p.seen.Commit
	}
	return controller.Result{}, errors.Join(err, d.write(kept, seen))
}

// Underive removes the mem that was derived from an object and its record, so that it is derived
// again if the object comes back. It does nothing while a controller runs, because the controller
// does it.
func Underive(root layout.Root, of resources.Key) error {
	kind, known := resources.KindOf(of.Kind)
	if !known || root.ControllerAlive() {
		return nil
	}
	d := deriver{root: root}
	key, seen := memKey(memory.DerivedName(kind.Singular, of.Name)), d.read()
	kept := derivedRecord{seen.Commit, maps.Clone(seen.Mems)}
	delete(kept.Mems, key.Name)
	if err := root.Remove(layout.DerivedPath(key)); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return d.write(kept, seen)
}

// sweep removes derived mems without a source. Syntheses of exports stay.
func (d *deriver) sweep(p *derivation, there []resources.Key) (err error) {
	for _, key := range there {
		if p.digest[key.Name] == "" && !memory.IsSynthesisName(key.Name) {
			err = errors.Join(err, d.root.Remove(layout.DerivedPath(key)))
			d.client.Recheck(key)
		}
	}
	return err
}

// placeDerived creates or replaces the file of a derived mem. If the file changes at the same time, it
// keeps that change and returns nil.
func placeDerived(root layout.Root, m *resources.Mem) error {
	file := layout.DerivedPath(m.Key())
	data, err := resources.Encode(m)
	if err != nil {
		return err
	}
	before, _, err := root.Read(file, layout.MaxSpec)
	if err != nil && !errors.Is(err, store.ErrNotFound) || err == nil && bytes.Equal(before, data) {
		return err
	}
	if err = replace.Derived(root, file, before, data); errors.Is(err, replace.ErrChanged) {
		return nil
	}
	return err
}

// place writes the mems that are missing or changed, unless a user deleted them, and records them.
func (d *deriver) place(p *derivation, kept derivedRecord, there []resources.Key) (wrong error) {
	for _, name := range slices.Sorted(maps.Keys(p.made)) {
		key, m := memKey(name), p.made[name]
		_, standing := slices.BinarySearchFunc(there, key, resources.Key.Compare)
		if p.digest[name] == "" || kept.Mems[name] == p.digest[name] {
			continue
		}
		if err := placeDerived(d.root, m); err != nil {
			wrong = errors.Join(wrong, err)
			continue
		}
		kept.Mems[name] = p.digest[name]
		d.client.Recheck(key)
		if !standing {
			d.client.Event(key, resources.Normal, "Derived", "it was made of %s", m.Spec.Source)
		}
	}
	return wrong
}

// dropUnwanted removes from a pass the mems that are archived or that a commit deleted.
func (d *deriver) dropUnwanted(ctx context.Context, p *derivation) error {
	archived, err := d.root.KeysBelow(layout.ArchiveDir, resources.Mems)
	for _, key := range archived {
		delete(p.digest, key.Name)
	}
	if err == nil && len(p.digest) > 0 && (d.deletedMems == nil || d.deletedAtHead != p.head) {
		var names []string
		if names, err = githistory.Deleted(ctx, d.root, p.head); err != nil {
			return fmt.Errorf("list deleted mems: %w", err)
		}
		d.deletedMems, d.deletedAtHead = map[string]bool{}, p.head
		for _, name := range names {
			d.deletedMems[name] = true
		}
	}
	maps.DeleteFunc(p.digest, func(name, _ string) bool { return d.deletedMems[name] })
	return err
}

// addTasks adds the mems of completed tasks, except imported ones. It computes a mem only if its
// task or its record in derivedFile changed. The mem of an archived task stays.
func (d *deriver) addTasks(p *derivation) (err error) {
	now := make(map[string]taskMem, len(d.tasks))
	for _, name := range d.client.TasksInState(resources.TaskCompleted) {
		t, ok := d.client.Task(name)
		if !ok || isImported(t) {
			continue
		}
		mem := memory.DerivedName("task", name)
		before, known := d.tasks[name]
		if !known || before.task != t || p.seen.Mems[mem] != before.digest {
			if m := memory.OfTask(t); m != nil {
				err = errors.Join(err, p.add(m))
			}
			before = taskMem{t, p.digest[mem]}
		}
		if now[name] = before; before.digest != "" {
			p.digest[mem] = before.digest
		}
	}
	d.tasks = now
	archived, failed := d.root.KeysBelow(layout.ArchiveDir, resources.Tasks)
	for _, key := range archived {
		if mem := memory.DerivedName("task", key.Name); p.digest[mem] == "" && p.seen.Mems[mem] != "" {
			p.digest[mem] = p.seen.Mems[mem]
		}
	}
	return errors.Join(err, failed)
}

// isImported reports whether a task was imported from another tracker. The result of such a task
// seldom states more than that it was closed.
func isImported(t *resources.Task) bool {
	for key := range t.Metadata.Annotations {
		if strings.HasSuffix(key, resources.AnnotationImportDigest) {
			return true
		}
	}
	return false
}

// addAnchors adds the mems of all anchors from which memory.OfAnchor makes one.
func (d *deriver) addAnchors(p *derivation) (err error) {
	for _, key := range d.client.List(resources.Anchors) {
		if object, _ := d.client.Get(key); isDecisionAnchor(object) {
			err = errors.Join(err, p.add(memory.OfAnchor(object.(*resources.Anchor))))
		}
	}
	return err
}

// addDecisions adds the mems of all decisions from which memory.OfDecision makes one.
func (d *deriver) addDecisions(p *derivation) (err error) {
	makes := func(name string) bool {
		old, ok := d.client.Decision(name)
		return ok && memory.OfDecision(old, func(string) bool { return false }) != nil
	}
	for _, key := range d.client.List(resources.Decisions) {
		if decision, ok := d.client.Decision(key.Name); ok {
			if m := memory.OfDecision(decision, makes); m != nil {
				err = errors.Join(err, p.add(m))
			}
		}
	}
	return err
}

// addHistory adds the mems of the commits reachable from HEAD. If HEAD descends from the last commit
// read, it reads only the commits since then.
func (d *deriver) addHistory(ctx context.Context, p *derivation) (err error) {
	head, since := p.head, p.seen.Commit
	onward := head == since
	if !onward && since != "" {
		if onward, err = githistory.LeadsTo(ctx, d.root, head, since); err != nil {
			return err
		}
	}
	for name, digest := range p.seen.Mems {
		if onward && memory.IsOfCommit(name) {
			p.digest[name] = digest
		}
	}
	if head == since {
		return nil
	}
	if !onward {
		since = ""
	}
	commits, err := githistory.Commits(ctx, d.root, head, since, maxCommits)
	for _, c := range commits {
		if m := memory.OfCommit(c); m != nil && p.digest[m.Metadata.Name] == "" { // the first commit with this statement
			err = errors.Join(err, p.add(m))
		}
	}
	if err == nil {
		p.seen.Commit = head
	}
	return err
}

// read returns the content of derivedFile. It returns the zero value if the file cannot be read or
// if the folder of derived mems was deleted.
func (d *deriver) read() derivedRecord {
	var made derivedRecord
	if _, err := os.Lstat(d.root.Abs(layout.DerivedFolder(resources.Mems))); err != nil {
		return derivedRecord{}
	}
	data, _, err := d.root.Read(derivedFile, maxDerived)
	if err != nil || json.Unmarshal(data, &made) != nil {
		return derivedRecord{}
	}
	return made
}

// write writes made to derivedFile, unless it equals before.
func (d *deriver) write(made, before derivedRecord) error {
	if made.Commit == before.Commit && maps.Equal(made.Mems, before.Mems) {
		return nil
	}
	data, err := json.Marshal(made)
	if err != nil {
		return err
	}
	return d.root.Replace(derivedFile, append(data, '\n'))
}
