package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/githistory"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// feeder makes mems of what was done and decided: of tasks that are completed, of anchors of
// type decision, and of commit messages that tell a decision, a breaking change or a task.
// It writes what nobody wrote before, as any command would, and changes no file that is
// there; names follow from the source, so each makes one mem, on every machine.
//
// What it has seen to stands in fedFile, which is of this machine: a mem that somebody
// deletes by hand is not made again. In another clone, which knows nothing of that, it is
// not made again either if the deletion was committed; purged or archived mems are there for
// all to see.
type feeder struct {
	root   layout.Root
	client controller.Client
	repo   mutate.Repo
	log    *slog.Logger

	deleted map[string]bool // names of mems that a commit deleted; nil: not asked yet
	told    map[string]told // by task: what it was asked for last
}

// told is what the mem of a task was made of. The cache never changes what it holds: while
// both are the same, so is the mem.
type told struct {
	task *resources.Task
	seen *resources.Sightings
}

const (
	fedFile    = layout.RunDir + "/fed.json"
	maxFed     = 16 << 20
	maxCommits = 1000 // of a history that is read for the first time
	// feedAtOnce is how many mems are written under one lock: what there is already is read
	// once for them, and nobody who writes has to wait for much longer than that takes.
	feedAtOnce = 256
	// feedAfter is how long a burst of changes is waited for: mems are not urgent.
	feedAfter = 250 * time.Millisecond
)

// fed is what was seen to.
type fed struct {
	Commit  string            `json:"commit,omitempty"`  // messages were read up to there
	Sources map[string]string `json:"sources,omitempty"` // "task/x" to the digest of what it said
	Former  []string          `json:"former,omitempty"`  // where HEAD stood before; see rewritten
}

// feeds reports whether a change may bring something new. A log may be what a task
// that is claimed to be completed still lacked.
func feeds(c controller.Change) bool {
	switch c.Key.Kind {
	case resources.Tasks:
		t, ok := c.New.(*resources.Task)
		return ok && !c.StatusOnly && t.Spec.State == resources.TaskCompleted
	case resources.Anchors:
		a, ok := c.New.(*resources.Anchor)
		return ok && !c.StatusOnly && resources.AnchorType(a) == "decision"
	case store.FilesKind:
		return c.Key.Name == githistory.HeadFile
	}
	return c.Key.Kind == resources.CheckpointsKind || c.Key == resources.Key{} // all is listed
}

// feedMemory feeds the memory when something changed, until ctx ends.
func feedMemory(ctx context.Context, root string, files *filestore.Store, client controller.Client, changed nudges, log *slog.Logger) {
	f := &feeder{root: layout.Root(root), client: client, repo: mutate.Open(files, time.Now, false), log: log}
	for changed.wait(ctx, feedAfter) {
		if err := f.run(ctx); err != nil && ctx.Err() == nil {
			log.Warn("feeding the memory", "controller", "feed", "error", err)
		}
	}
}

func (f *feeder) run(ctx context.Context) error {
	f.client.WorkDays() // where HEAD stands is watched from then on
	before := f.read()
	seen := fed{Commit: before.Commit, Former: before.Former, Sources: maps.Clone(before.Sources)}
	if seen.Sources == nil {
		seen.Sources = map[string]string{}
	}
	commits, head, err := f.commits(ctx, seen.Commit)
	errs := []error{err}
	f.deleted = nil
	failed := false
	due := f.due(ctx, slices.Concat(f.ofTasks(seen), f.ofAnchors(), commits), seen)
	for batch := range slices.Chunk(due, feedAtOnce) {
		owed, wrong := f.feed(ctx, batch, seen)
		errs, failed = append(errs, wrong), failed || owed
	}
	if failed {
		f.told = nil
	}
	if !failed && err == nil {
		seen.Commit = head
		seen.Former, err = f.rewritten(ctx, formers(before, head))
		errs = append(errs, err)
	}
	if seen.Commit != before.Commit || !slices.Equal(seen.Former, before.Former) || !maps.Equal(seen.Sources, before.Sources) {
		errs = append(errs, f.write(seen))
	}
	return errors.Join(errs...)
}

// fedSource is what a mem was made of; of a commit its message, which a rebase keeps.
func fedSource(m *resources.Mem) string {
	if strings.HasPrefix(m.Spec.Source, "commit/") {
		return m.Metadata.Name
	}
	return m.Spec.Source
}

// due are the mems that nobody has seen to. One that is not there and that a commit deleted is
// seen to herewith.
func (f *feeder) due(ctx context.Context, mems []*resources.Mem, seen fed) []*resources.Mem {
	return slices.DeleteFunc(mems, func(m *resources.Mem) bool {
		source, digest := fedSource(m), resources.SourceDigest(m)
		if seen.Sources[source] == digest {
			return true
		}
		if f.client.Mem(m.Metadata.Name) != nil || !f.wasDeleted(ctx, m.Metadata.Name) {
			return false
		}
		seen.Sources[source] = digest
		return true
	})
}

// feed writes mems, each unless there is one of its source already, or was, and notes those
// that are seen to. What cannot be written is owed: it is tried again at the next change, and
// keeps no other one from being written.
func (f *feeder) feed(ctx context.Context, mems []*resources.Mem, seen fed) (owed bool, wrong error) {
	fed, err := f.repo.FeedMems(ctx, mems)
	switch {
	case err != nil && (len(mems) == 1 || ctx.Err() != nil):
		return true, err
	case err != nil:
		for _, m := range mems {
			one, err := f.feed(ctx, []*resources.Mem{m}, seen)
			owed, wrong = owed || one, errors.Join(wrong, err)
		}
		return owed, wrong
	}
	for i, m := range mems {
		seen.Sources[fedSource(m)] = resources.SourceDigest(m)
		wrong = errors.Join(wrong, fed[i].Err)
		if fed[i].Why == "" && fed[i].Err == nil {
			f.client.Event(fed[i].Key, resources.Normal, "Fed", "it was made of %s", m.Spec.Source)
		}
	}
	return false, wrong
}

// wasDeleted reports whether a commit deleted the mem of that name. Git is asked once a run,
// and only if there is something to make.
func (f *feeder) wasDeleted(ctx context.Context, name string) bool {
	if f.deleted == nil {
		f.deleted = map[string]bool{}
		names, err := githistory.Deleted(ctx, f.root)
		if err != nil {
			f.log.Warn("which mems were deleted is not known", "controller", "feed", "error", err)
		}
		for _, name := range names {
			f.deleted[name] = true
		}
	}
	return f.deleted[name]
}

// ofTasks are the mems of completed tasks, but for those that were seen to and are as they
// were: a line in the log of one task does not have ten thousand looked at.
func (f *feeder) ofTasks(seen fed) []*resources.Mem {
	var mems []*resources.Mem
	now := make(map[string]told, len(f.told))
	for _, name := range f.client.TasksInState(resources.TaskCompleted) {
		t, ok := f.client.Task(name)
		if !ok || imported(t) {
			continue
		}
		is := told{t, f.client.Evidence(name)}
		_, done := seen.Sources["task/"+name]
		if before, known := f.told[name]; known && before == is && done {
			now[name] = is
			continue
		}
		if m := resources.MemOfTask(t, is.seen); m != nil {
			now[name] = is
			mems = append(mems, m)
		}
	}
	f.told = now
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

func (f *feeder) ofAnchors() []*resources.Mem {
	var mems []*resources.Mem
	for _, key := range f.client.List(resources.Anchors) {
		object, _ := f.client.Get(key)
		if a, ok := object.(*resources.Anchor); ok {
			if m := resources.MemOfAnchor(a); m != nil {
				mems = append(mems, m)
			}
		}
	}
	return mems
}

// commits returns the mems of the commits since the one that was read last, and where HEAD
// stands.
func (f *feeder) commits(ctx context.Context, since string) ([]*resources.Mem, string, error) {
	head := githistory.Head(f.root)
	if head == "" || head == since {
		return nil, head, nil
	}
	commits, err := githistory.Commits(ctx, f.root, since, maxCommits)
	if err != nil {
		return nil, since, err
	}
	var mems []*resources.Mem
	for _, c := range commits {
		if m := resources.MemOfCommit(c); m != nil {
			mems = append(mems, m)
		}
	}
	return mems, head, nil
}

// read is what was seen to; nothing if that cannot be read.
func (f *feeder) read() fed {
	var seen fed
	data, _, err := f.root.Read(fedFile, maxFed)
	if err != nil || json.Unmarshal(data, &seen) != nil {
		return fed{}
	}
	return seen
}

func (f *feeder) write(seen fed) error {
	data, err := json.Marshal(seen)
	if err != nil {
		return err
	}
	return f.root.Replace(fedFile, append(data, '\n'))
}
