package reconcilers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/migrate"
	"github.com/idumb-dev/idumb/resources/status"
)

// derivedKey stands for all that mems are made of: they are made together.
var derivedKey = resources.Key{Kind: "derived", Name: "derived"}

const (
	derivedFile = layout.RunDir + "/fed.json"
	maxDerived  = 16 << 20
	maxCommits  = 1000 // of a history that is read for the first time
	// derivedAtOnce is how many mems are written under one lock: nobody who writes has to
	// wait for much longer than that takes.
	derivedAtOnce = 128
	// derivedAfter is how long a burst of changes is waited for: mems are not urgent.
	derivedAfter = 250 * time.Millisecond
)

// newDeriver makes mems of what was done and decided: of tasks that are completed, of
// anchors of type decision, and of commit messages that tell a decision, a breaking change
// or a task. It writes what nobody wrote before, as any command would, and changes no file
// that is there; names follow from the source, so each makes one mem, on every machine.
//
// What it has seen to stands in derivedFile, which is of this machine: a mem that somebody
// deletes by hand is not made again. In another clone, which knows nothing of that, it is
// not made again either if the deletion was committed; purged or archived mems are there for
// all to see.
func newDeriver(repo mutate.Repo, c controller.Client) controller.Reconciler {
	d := &deriver{root: repo.Store.Root(), client: c, changing: writing(repo, c), creating: repo}
	d.creating.Known = c.Snapshot
	return d
}

// derivedKeys: the one key, whenever a change may bring something new. A log may be what a
// task that is claimed to be completed still lacked.
func derivedKeys(ch controller.Change, c controller.Client) []resources.Key {
	due := ch.Key == resources.Key{} // all is listed
	switch ch.Key.Kind {
	case resources.Tasks:
		t := asTask(ch.New)
		due = t != nil && !ch.StatusOnly && t.Spec.State == resources.TaskCompleted
	case resources.CheckpointsKind:
		t, ok := c.Task(ch.Key.Name)
		due = ok && t.Spec.State == resources.TaskCompleted
	case resources.Anchors:
		a, ok := ch.New.(*resources.Anchor)
		due = ok && !ch.StatusOnly && resources.AnchorType(a) == "decision"
	case store.FilesKind:
		due = ch.Key.Name == store.HeadFile
	}
	if due {
		return []resources.Key{derivedKey}
	}
	return nil
}

// deriver is the reconciler. One goroutine uses it.
type deriver struct {
	root     layout.Root
	client   controller.Client
	changing mutate.Repo // for mems that are there
	creating mutate.Repo // for new ones, which are compared with what the informer saw

	deleted map[string]bool      // names of mems that a commit deleted; nil: not asked yet
	at      string               // where HEAD stood when that was asked
	asked   map[string]askedTask // by task: what it was asked for last
}

// askedTask is what the mem of a task was made of. The cache never changes what it holds:
// while both are the same, so is the mem.
type askedTask struct {
	task *resources.Task
	seen *status.Evidence
}

// derived is what was seen to.
type derived struct {
	Commit  string            `json:"commit,omitempty"`  // messages were read up to there
	Sources map[string]string `json:"sources,omitempty"` // "task/x" to the digest of what it said
	Former  []string          `json:"former,omitempty"`  // where HEAD stood before; see rewritten
}

// Reconcile makes what is due, so many mems at most, and comes again for the rest: others
// write in between, and the next ones are compared with those that were made.
func (d *deriver) Reconcile(ctx context.Context, _ resources.Key) (controller.Result, error) {
	d.client.WorkDays() // where HEAD stands is watched from then on
	before := d.read()
	done := derived{before.Commit, maps.Clone(before.Sources), before.Former}
	if done.Sources == nil {
		done.Sources = map[string]string{}
	}
	more, err := d.batch(ctx, slices.Concat(d.ofTasks(done), d.ofAnchors()), done)
	if !more {
		var failed error
		more, failed = d.ofHistory(ctx, &done)
		err = errors.Join(err, failed)
	}
	if done.Commit != before.Commit || !slices.Equal(done.Former, before.Former) || !maps.Equal(done.Sources, before.Sources) {
		err = errors.Join(err, d.write(done))
	}
	if err != nil || !more {
		return controller.Result{}, err
	}
	return controller.Result{After: time.Millisecond}, nil
}

// ofHistory makes the mems of commits, and sees to those of commits that are no more. What
// git cannot tell now it is asked again at the next change.
func (d *deriver) ofHistory(ctx context.Context, done *derived) (more bool, err error) {
	commits, head, err := d.commits(ctx, done.Commit)
	if err != nil {
		return false, controller.Terminal(err)
	}
	if more, err = d.batch(ctx, commits, *done); more || err != nil {
		return more, err
	}
	former, err := d.rewritten(ctx, formers(*done, head))
	done.Commit, done.Former = head, former
	return false, controller.Terminal(err)
}

// batch makes the first mems of those that are due, and reports whether there are more.
func (d *deriver) batch(ctx context.Context, mems []*resources.Mem, done derived) (more bool, err error) {
	due, err := d.due(ctx, mems, done)
	n := min(len(due), derivedAtOnce)
	owed, failed := d.derive(ctx, due[:n], done)
	if owed {
		d.asked = nil
	}
	return n < len(due), errors.Join(err, failed)
}

// sourceOf is what a mem was made of; of a commit its message, which a rebase keeps.
func sourceOf(m *resources.Mem) string {
	if strings.HasPrefix(m.Spec.Source, "commit/") {
		return m.Metadata.Name
	}
	return m.Spec.Source
}

// due are the mems that nobody has seen to. One that is not there and that a commit deleted is
// seen to herewith.
func (d *deriver) due(ctx context.Context, mems []*resources.Mem, done derived) (due []*resources.Mem, err error) {
	for _, m := range mems {
		source, digest := sourceOf(m), resources.SourceDigest(m)
		if done.Sources[source] == digest {
			continue
		}
		if d.client.Mem(m.Metadata.Name) == nil && err == nil {
			err = d.askDeleted(ctx)
		}
		if d.client.Mem(m.Metadata.Name) == nil && d.deleted[m.Metadata.Name] {
			done.Sources[source] = digest
			continue
		}
		due = append(due, m)
	}
	return due, err
}

// askDeleted asks git which mems a commit deleted: once as long as HEAD stands where it stood,
// and only if there is something to make.
func (d *deriver) askDeleted(ctx context.Context) error {
	head := githistory.Head(d.root)
	if d.deleted != nil && d.at == head {
		return nil
	}
	names, err := githistory.Deleted(ctx, d.root)
	if err != nil {
		return fmt.Errorf("which mems were deleted is not known: %w", err)
	}
	d.deleted, d.at = map[string]bool{}, head
	for _, name := range names {
		d.deleted[name] = true
	}
	return nil
}

// derive writes mems, each unless there is one of its source already, or was, and notes those
// that are seen to. What cannot be written is owed: it is tried again, and keeps no other one
// from being written.
func (d *deriver) derive(ctx context.Context, mems []*resources.Mem, done derived) (owed bool, wrong error) {
	if len(mems) == 0 {
		return false, nil
	}
	all, err := d.creating.Derive(ctx, mems)
	switch {
	case err != nil && (len(mems) == 1 || ctx.Err() != nil):
		return true, err
	case err != nil:
		for _, m := range mems {
			one, err := d.derive(ctx, []*resources.Mem{m}, done)
			owed, wrong = owed || one, errors.Join(wrong, err)
		}
		return owed, wrong
	}
	for i, m := range mems {
		done.Sources[sourceOf(m)] = resources.SourceDigest(m)
		wrong = errors.Join(wrong, all[i].Err)
		if all[i].Why == "" && all[i].Err == nil {
			d.client.Recheck(all[i].Key)
			d.client.Event(all[i].Key, resources.Normal, "Derived", "it was made of %s", m.Spec.Source)
		}
	}
	return false, wrong
}

// ofTasks are the mems of completed tasks, but for those that were seen to and are as they
// were: a line in the log of one task does not have ten thousand looked at.
func (d *deriver) ofTasks(done derived) []*resources.Mem {
	var mems []*resources.Mem
	now := make(map[string]askedTask, len(d.asked))
	for _, name := range d.client.TasksInState(resources.TaskCompleted) {
		t, ok := d.client.Task(name)
		if !ok || imported(t) {
			continue
		}
		is := askedTask{t, d.client.Evidence(name)}
		_, made := done.Sources["task/"+name]
		if before, known := d.asked[name]; known && before == is && made {
			now[name] = is
			continue
		}
		if m := memory.OfTask(t, is.seen); m != nil {
			now[name] = is
			mems = append(mems, m)
		}
	}
	d.asked = now
	return mems
}

// imported reports whether a task was taken over from elsewhere: what it says of its
// result is seldom more than that it was closed.
func imported(t *resources.Task) bool {
	for key := range t.Metadata.Annotations {
		if strings.HasSuffix(key, migrate.DigestKey) {
			return true
		}
	}
	return false
}

func (d *deriver) ofAnchors() []*resources.Mem {
	var mems []*resources.Mem
	for _, key := range d.client.List(resources.Anchors) {
		object, _ := d.client.Get(key)
		if a, ok := object.(*resources.Anchor); ok {
			if m := memory.OfAnchor(a); m != nil {
				mems = append(mems, m)
			}
		}
	}
	return mems
}

// commits returns the mems of the commits since the one that was read last, and where HEAD
// stands.
func (d *deriver) commits(ctx context.Context, since string) ([]*resources.Mem, string, error) {
	head := githistory.Head(d.root)
	if head == "" || head == since {
		return nil, head, nil
	}
	commits, err := githistory.Commits(ctx, d.root, since, maxCommits)
	if err != nil {
		return nil, since, err
	}
	var mems []*resources.Mem
	for _, c := range commits {
		if m := memory.OfCommit(c); m != nil {
			mems = append(mems, m)
		}
	}
	return mems, head, nil
}

// read is what was seen to; nothing if that cannot be read.
func (d *deriver) read() derived {
	var done derived
	data, _, err := d.root.Read(derivedFile, maxDerived)
	if err != nil || json.Unmarshal(data, &done) != nil {
		return derived{}
	}
	return done
}

func (d *deriver) write(done derived) error {
	data, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return d.root.Replace(derivedFile, append(data, '\n'))
}
