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

// derivedKey stands for all that mems are made of: they are made together.
var derivedKey = resources.Key{Kind: "derived", Name: "derived"}

const (
	derivedFile = layout.DerivedDir + "/seen.json"
	maxDerived  = 16 << 20
	maxCommits  = 1000 // of a history that is read for the first time
	// derivedAfter is how long a burst of changes is waited for: mems are not urgent.
	derivedAfter = 250 * time.Millisecond
)

// newDeriver makes mems of what was done and decided: of tasks that are completed, of decisions that
// are accepted, of anchors of type decision, and of commit messages that tell a decision, a breaking change
// or a task. They are derived state, below layout.DerivedDir: no commit has them, and the same
// commits and specs make the same bytes on every machine. A spec of the same name stands before
// the derived one; the store makes one of it when somebody changes it.
//
// What was made stands in derivedFile: a mem that somebody deletes is not made again. In
// another clone, which knows nothing of that, it is not made either if it was a spec and a commit
// deleted that, or if it is archived or purged.
func newDeriver(repo mutate.Repo, c controller.Client) controller.Reconciler {
	return &deriver{root: repo.Store.Root(), client: c}
}

// derivedKeys: the one key, whenever a change may bring something new, or take something away.
func derivedKeys(ch controller.Change, c controller.Client) []resources.Key {
	due := ch.Key == resources.Key{} // all is listed
	switch ch.Key.Kind {
	case resources.Tasks:
		t, old := asTask(ch.New), asTask(ch.Old)
		due = !ch.StatusOnly && (completed(t) || completed(old))
	case resources.Anchors:
		due = !ch.StatusOnly && (decides(ch.New) || decides(ch.Old))
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

// decides reports whether an object is an anchor that a mem is made of.
func decides(o resources.Object) bool {
	a, ok := o.(*resources.Anchor)
	return ok && memory.OfAnchor(a) != nil
}

func completed(t *resources.Task) bool { return t != nil && t.Spec.State == resources.TaskCompleted }

// deriver is the reconciler. One goroutine uses it.
type deriver struct {
	root   layout.Root
	client controller.Client

	unwanted map[string]bool     // names of mems that a commit deleted; nil: not asked yet
	at       string              // where HEAD stood when that was asked
	tasks    map[string]madeTask // by task
}

// madeTask is the digest of the mem that a task made, "" for one that says nothing new. The cache never changes what it holds:
// while the task is the same, so is the mem.
type madeTask struct {
	task   *resources.Task
	digest string
}

// derived is what was made.
type derived struct {
	Commit string            `json:"commit,omitempty"` // messages were read up to there
	Mems   map[string]string `json:"mems,omitempty"`   // by name, the digest of the bytes
}

// derivation is one pass: what there is to be, and what has to be written for that.
type derivation struct {
	head   string // where HEAD stood: it may move while the pass goes on
	seen   derived
	digest map[string]string         // of all that there is to be, by name
	made   map[string]*resources.Mem // those whose bytes are known
}

func (p *derivation) add(m *resources.Mem) error {
	data, err := resources.Encode(m)
	if err == nil {
		p.digest[m.Metadata.Name], p.made[m.Metadata.Name] = resources.Revision(data)[:16], m
	}
	return err
}

// Reconcile makes what is due, and takes away what nothing makes any more. What was made is noted
// before files go and after they came: whoever ends in between has nothing taken for deleted.
func (d *deriver) Reconcile(ctx context.Context, _ resources.Key) (controller.Result, error) {
	d.client.WorkDays() // where HEAD stands is watched from then on
	seen := d.read()
	p := &derivation{head: githistory.Head(d.root), seen: seen, digest: map[string]string{}, made: map[string]*resources.Mem{}}
	err := errors.Join(d.ofTasks(p), d.ofAnchors(p), d.ofDecisions(p), d.ofHistory(ctx, p), d.refused(ctx, p))
	if err != nil {
		return controller.Result{}, controller.Terminal(err) // git, or a file: asked again at the next change
	}
	kept := derived{seen.Commit, map[string]string{}}
	there, err := d.root.KeysBelow(layout.DerivedDir, resources.Mems)
	for name, digest := range seen.Mems {
		if p.digest[name] != "" || !slices.Contains(there, memKey(name)) { // the latter was deleted
			kept.Mems[name] = digest
		}
	}
	if err = errors.Join(err, d.write(kept, seen), d.sweep(p, there), d.place(p, kept, there)); err == nil {
		kept.Commit = p.seen.Commit
	}
	return controller.Result{}, errors.Join(err, d.write(kept, seen))
}

// Underive removes the mem that was made of an object that is taken back, and forgets it, so that it is made
// again if the object comes back. A running controller does so by itself.
func Underive(root layout.Root, of resources.Key) error {
	kind, known := resources.KindOf(of.Kind)
	if !known || root.ControllerAlive() {
		return nil
	}
	d := deriver{root: root}
	key, seen := memKey(memory.DerivedName(kind.Singular, of.Name)), d.read()
	kept := derived{seen.Commit, maps.Clone(seen.Mems)}
	delete(kept.Mems, key.Name)
	if err := root.Remove(layout.DerivedPath(key)); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return d.write(kept, seen)
}

// sweep removes what nothing makes any more. Those of exports outlast these.
func (d *deriver) sweep(p *derivation, there []resources.Key) (err error) {
	for _, key := range there {
		if p.digest[key.Name] == "" && !memory.IsSynthesisName(key.Name) {
			err = errors.Join(err, d.root.Remove(layout.DerivedPath(key)))
			d.client.Recheck(key)
		}
	}
	return err
}

// placeDerived writes the file of a derived mem. A file that is saved in that moment stays as it was saved.
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

// place writes what is missing or says something else, unless somebody deleted it, and notes it.
func (d *deriver) place(p *derivation, kept derived, there []resources.Key) (wrong error) {
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

// refused takes out of a pass what people took out of use: what is archived, and what a commit
// deleted.
func (d *deriver) refused(ctx context.Context, p *derivation) error {
	archived, err := d.root.KeysBelow(layout.ArchiveDir, resources.Mems)
	for _, key := range archived {
		delete(p.digest, key.Name)
	}
	if err == nil && len(p.digest) > 0 && (d.unwanted == nil || d.at != p.head) {
		var names []string
		if names, err = githistory.Deleted(ctx, d.root, p.head); err != nil {
			return fmt.Errorf("which mems were deleted is not known: %w", err)
		}
		d.unwanted, d.at = map[string]bool{}, p.head
		for _, name := range names {
			d.unwanted[name] = true
		}
	}
	maps.DeleteFunc(p.digest, func(name, _ string) bool { return d.unwanted[name] })
	return err
}

// ofTasks are the mems of completed tasks. Those that are as they were are not made anew: one more
// does not have ten thousand looked at. The mem of a task that was archived stays.
func (d *deriver) ofTasks(p *derivation) (err error) {
	now := make(map[string]madeTask, len(d.tasks))
	for _, name := range d.client.TasksInState(resources.TaskCompleted) {
		t, ok := d.client.Task(name)
		if !ok || imported(t) {
			continue
		}
		mem := memory.DerivedName("task", name)
		before, known := d.tasks[name]
		if !known || before.task != t || p.seen.Mems[mem] != before.digest {
			if m := memory.OfTask(t); m != nil {
				err = errors.Join(err, p.add(m))
			}
			before = madeTask{t, p.digest[mem]}
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

// imported reports whether a task was taken over from elsewhere: what it says of its
// result is seldom more than that it was closed.
func imported(t *resources.Task) bool {
	for key := range t.Metadata.Annotations {
		if strings.HasSuffix(key, resources.AnnotationImportDigest) {
			return true
		}
	}
	return false
}

func (d *deriver) ofAnchors(p *derivation) (err error) {
	for _, key := range d.client.List(resources.Anchors) {
		if object, _ := d.client.Get(key); decides(object) {
			err = errors.Join(err, p.add(memory.OfAnchor(object.(*resources.Anchor))))
		}
	}
	return err
}

func (d *deriver) ofDecisions(p *derivation) (err error) {
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

// ofHistory makes the mems of the commits that HEAD leads to: of those since the one that was
// read last, or, where HEAD does not lead to that any more, of all.
func (d *deriver) ofHistory(ctx context.Context, p *derivation) (err error) {
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
		if m := memory.OfCommit(c); m != nil && p.digest[m.Metadata.Name] == "" { // the first that says so
			err = errors.Join(err, p.add(m))
		}
	}
	if err == nil {
		p.seen.Commit = head
	}
	return err
}

// read is what was made; nothing if that cannot be read, or if the mems were cleared away together.
func (d *deriver) read() derived {
	var made derived
	if _, err := os.Lstat(d.root.Abs(layout.DerivedFolder(resources.Mems))); err != nil {
		return derived{}
	}
	data, _, err := d.root.Read(derivedFile, maxDerived)
	if err != nil || json.Unmarshal(data, &made) != nil {
		return derived{}
	}
	return made
}

func (d *deriver) write(made, before derived) error {
	if made.Commit == before.Commit && maps.Equal(made.Mems, before.Mems) {
		return nil
	}
	data, err := json.Marshal(made)
	if err != nil {
		return err
	}
	return d.root.Replace(derivedFile, append(data, '\n'))
}
