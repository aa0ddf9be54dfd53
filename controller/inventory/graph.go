package inventory

import (
	"context"
	"io"
	"time"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Snapshot is the content of an inventory at one moment. It implements
// project.Files. It is valid during the call of the function that receives it.
// That function must not call methods of the inventory.
type Snapshot struct{ i *Inventory }

// Graph returns the import graph.
func (k Snapshot) Graph() *project.Graph {
	if k.i.graph == nil {
		k.i.graph = project.Build(k, k.i.factsOf)
	}
	return k.i.graph
}

// Users returns the imports that use a file. For a file of a multi-file
// package, these are the imports that name one of its declarations.
func (k Snapshot) Users(path string) []project.Edge {
	return project.Users(k.Graph().Dependents(path), k.Facts(path))
}

// Facts returns the trimmed facts of a file. They are empty if its language is
// unknown.
func (k Snapshot) Facts(path string) source.Facts { return k.i.factsOf(path) }

// Paths returns the paths of all files, sorted. The caller must not modify the
// slice.
func (k Snapshot) Paths() []string { return k.i.paths }

// FullFacts reads a file and returns all of its facts.
func (k Snapshot) FullFacts(path string) (source.Facts, error) { return k.i.FullFacts(path) }

// Scope returns the time and the omissions of the inventory.
func (k Snapshot) Scope() Scope { return k.i.scope() }

// GitMoved reports whether git moved HEAD since the last update, and may have
// changed any file.
func (k Snapshot) GitMoved() bool { return k.i.root.GitMoved(k.i.updatedAt) }

// UpdatedAt returns the time of the last update.
func (k Snapshot) UpdatedAt() time.Time { return k.i.updatedAt }

// Touch updates one file, which may be new or deleted.
func (k Snapshot) Touch(path string) { k.i.touch(path) }

// Ask updates the inventory and calls answer with its content.
func (i *Inventory) Ask(ctx context.Context, answer func(Snapshot)) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked()
	if _, err := i.update(ctx); err != nil {
		return err
	}
	answer(Snapshot{i})
	return nil
}

// IfCached calls answer with the cached content, without an update. It returns
// false without calling answer if there is no content yet or if the tree is
// being read. It does not block.
func (i *Inventory) IfCached(answer func(Snapshot)) bool { return i.Await(0, answer) }

// Await is like IfCached, but waits for up to patience while the tree is being
// read.
func (i *Inventory) Await(patience time.Duration, answer func(Snapshot)) bool {
	for until := time.Now().Add(patience); !i.mu.TryLock(); time.Sleep(time.Millisecond) {
		if !time.Now().Before(until) {
			return false
		}
	}
	defer i.mu.Unlock()
	if i.graph == nil {
		return false
	}
	i.asked()
	answer(Snapshot{i})
	return true
}

// Read returns the content of a file. See project.Files.
func (k Snapshot) Read(path string) ([]byte, error) { return k.i.Read(path) }

// Open opens a file that may be too large for Read. See project.Opener.
func (k Snapshot) Open(path string) (io.ReadCloser, error) {
	t, err := openTree(k.i.root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.open(path)
}

// maxFollowed is the maximum number of changed files with which the graph is
// updated. With more, it is rebuilt.
const maxFollowed = 2_000

// notify updates the graph and notifies the follower about changed files.
// before has their previous state.
func (i *Inventory) notify(changed []string, before map[string]*file) {
	if i.onChange != nil && len(changed) > 0 {
		i.onChange(changed)
	}
	if i.graph == nil {
		return
	}
	if len(changed) > maxFollowed {
		i.graph, i.removed = nil, removedExports{}
		i.graph = project.Build(Snapshot{i}, i.factsOf)
		return
	}
	for _, path := range changed {
		if was, now := before[path], i.files[path]; now == nil {
			i.removed.removed(i.graph, path, was)
			i.graph.Remove(path)
		}
	}
	for _, path := range changed {
		if i.files[path] != nil {
			i.graph.Change(path, i.factsOf(path))
		}
	}
	for _, path := range changed {
		if was := before[path]; was != nil && i.files[path] != nil {
			i.removed.changed(path, was)
		}
	}
}
