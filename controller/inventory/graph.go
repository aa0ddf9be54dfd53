package inventory

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/source"
)

// Known is what an inventory knows at one moment, its files (project.Files) among it. It is good while the function runs that it was
// given to, which must not call the inventory.
type Known struct{ i *Inventory }

// Graph is who imports whom.
func (k Known) Graph() *project.Graph {
	if k.i.graph == nil {
		k.i.graph = project.Build(k, k.i.factsOf)
	}
	return k.i.graph
}

// Users are the imports that take something of a file: of a package that is several files, those
// that name something that this one declares.
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

// Facts is what a file says, trimmed; none where its language is not known.
func (k Known) Facts(path string) source.Facts { return k.i.factsOf(path) }

// Paths are those of all files, sorted. Nobody may change them.
func (k Known) Paths() []string { return k.i.paths }

// Whole is all that a file says, read at this moment.
func (k Known) Whole(path string) (source.Facts, error) { return k.i.Whole(path) }

// Scope says as of when this is and what it leaves out.
func (k Known) Scope() Scope { return k.i.scope() }

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
func (i *Inventory) AtHand(answer func(Known)) bool { return i.Soon(0, answer) }

// Soon is AtHand for who waits so long, where the tree is being read.
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

// Open opens a file that may be longer than Read reads. See project.Opener.
func (k Known) Open(path string) (io.ReadCloser, error) {
	t, err := openTree(k.i.root)
	if err != nil {
		return nil, err
	}
	defer t.close()
	return t.open(path)
}

// maxFollowed is how many changes at once are followed one by one; the graph of more is made anew.
const maxFollowed = 2_000

// follow tells the graph, and who wants to know, which files changed, given what they were before.
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
