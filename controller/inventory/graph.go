package inventory

import (
	"context"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Known is what an inventory knows at one moment. It is good while the function runs that it was
// given to, which must not call the inventory.
type Known struct{ i *Inventory }

// Graph is who imports whom.
func (k Known) Graph() *project.Graph {
	if k.i.graph == nil {
		k.i.graph = project.Build(held{k.i}, k.i.factsOf)
	}
	return k.i.graph
}

// Facts is what a file says, trimmed; none where its language is not known.
func (k Known) Facts(path string) source.Facts { return k.i.factsOf(path) }

// Paths are those of all files, sorted. Nobody may change them.
func (k Known) Paths() []string { return k.i.paths }

// Touch looks at one file again, which may be new or gone.
func (k Known) Touch(path string) { k.i.touch(path) }

// Ask brings the inventory up to date with the tree, and lets a question be answered from it.
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

// AtHand lets a question be answered from what is known already, without looking at the tree: false,
// and nothing is asked, where that is nothing yet or the tree is being read. Who asks does not wait.
func (i *Inventory) AtHand(answer func(Known)) bool {
	if !i.mu.TryLock() {
		return false
	}
	defer i.mu.Unlock()
	if i.graph == nil {
		return false
	}
	i.asked()
	answer(Known{i})
	return true
}

// Warm finds out, in the background, what AtHand needs.
func (i *Inventory) Warm() {
	go func() {
		_ = i.Ask(context.Background(), func(k Known) { k.Graph() }) // a tree that cannot be listed has no map
	}()
}

// held are the files for who holds mu. See project.Files.
type held struct{ i *Inventory }

func (h held) Paths() []string { return h.i.paths }

func (h held) Read(path string) ([]byte, error) { return h.i.Read(path) }

// maxFollowed is how many changes at once are followed one by one; the graph of more is made anew.
const maxFollowed = 2_000

// follow tells the graph which files changed, given what they were before.
func (i *Inventory) follow(changed []string, before map[string]*file) {
	if i.graph == nil {
		return
	}
	if len(changed) > maxFollowed {
		i.graph, i.lost = nil, lost{}
		i.graph = project.Build(held{i}, i.factsOf)
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
