package inventory

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Known is the content of an inventory at one moment. It implements
// project.Files. It is valid during the call of the function that receives it.
// That function must not call methods of the inventory.
type Known struct{ i *Inventory }

// Graph returns the import graph.
func (k Known) Graph() *project.Graph {
	if k.i.graph == nil {
		k.i.graph = project.Build(k, k.i.factsOf)
	}
	return k.i.graph
}

// Users returns the imports that use a file. For a file of a multi-file
// package, these are the imports that name one of its declarations.
func (k Known) Users(path string) []project.Edge {
	edges, facts := k.Graph().Dependents(path), k.Facts(path)
	if facts.Language != "Go" {
		return edges
	}
	return slices.DeleteFunc(edges, func(e project.Edge) bool {
		return len(e.Names) > 0 && !slices.Contains(e.Names, "*") &&
			!slices.ContainsFunc(facts.Symbols, func(s source.Symbol) bool { return s.Owner == "" && slices.Contains(e.Names, s.Name) })
	})
}

// Facts returns the trimmed facts of a file. They are empty if its language is
// unknown.
func (k Known) Facts(path string) source.Facts { return k.i.factsOf(path) }

// Paths returns the paths of all files, sorted. The caller must not modify the
// slice.
func (k Known) Paths() []string { return k.i.paths }

// Whole reads a file and returns all of its facts.
func (k Known) Whole(path string) (source.Facts, error) { return k.i.Whole(path) }

// Scope returns the time and the omissions of the inventory.
func (k Known) Scope() Scope { return k.i.scope() }

// Touch updates one file, which may be new or deleted.
func (k Known) Touch(path string) { k.i.touch(path) }

// Ask updates the inventory and calls answer with its content.
func (i *Inventory) Ask(ctx context.Context, answer func(Known)) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked()
	if _, err := i.bring(ctx); err != nil {
		return err
	}
	answer(Known{i})
	return nil
}

// AtHand calls answer with the cached content, without an update. It returns
// false without calling answer if there is no content yet or if the tree is
// being read. It does not block.
func (i *Inventory) AtHand(answer func(Known)) bool { return i.Soon(0, answer) }

// Soon is like AtHand, but waits for up to patience while the tree is being
// read.
func (i *Inventory) Soon(patience time.Duration, answer func(Known)) bool {
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
	answer(Known{i})
	return true
}

// Read returns the content of a file. See project.Files.
func (k Known) Read(path string) ([]byte, error) { return k.i.Read(path) }

// Open opens a file that may be too large for Read. See project.Opener.
func (k Known) Open(path string) (io.ReadCloser, error) {
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

// follow updates the graph and notifies the follower about changed files.
// before has their previous state.
func (i *Inventory) follow(changed []string, before map[string]*file) {
	if i.told != nil && len(changed) > 0 {
		i.told(changed)
	}
	if i.graph == nil {
		return
	}
	if len(changed) > maxFollowed {
		i.graph, i.lost = nil, lost{}
		i.graph = project.Build(Known{i}, i.factsOf)
		return
	}
	for _, path := range changed {
		was, now := before[path], i.files[path]
		if now == nil {
			i.lost.removed(i.graph, path, was)
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
			i.lost.changed(path, was)
		}
	}
}
