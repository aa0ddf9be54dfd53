package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/needs"
)

// Tree is where the work stands in another working tree of the repository.
type Tree struct {
	Name    string              `json:"name"` // of its folder
	Root    string              `json:"root"`
	Needs   []needs.Need        `json:"needs"`
	Working []questions.Working `json:"working"`
}

// Standing says how much there is to see to in it.
func (t *Tree) Standing() string {
	return fmt.Sprintf("%d need you, %d at work", len(t.Needs), len(t.Working))
}

const (
	// maxTrees is how many controllers are asked.
	maxTrees = 32
	// treePatience is how long each has to answer.
	treePatience = time.Second
)

// Trees asks the controllers of the other working trees of a repository where the work stands there:
// agents' tools give each agent one of its own. Who has no controller, or one that does not answer in
// time, is left out. Never nil.
func Trees(ctx context.Context, root layout.Root) []Tree {
	roots := root.Trees()
	roots = roots[:min(maxTrees, len(roots))]
	found := make([]*Tree, len(roots))
	var all sync.WaitGroup
	for i, other := range roots {
		all.Go(func() { found[i] = treeAt(ctx, other) })
	}
	all.Wait()
	trees := []Tree{}
	for _, t := range found {
		if t != nil {
			trees = append(trees, *t)
		}
	}
	return trees
}

// treeAt asks one of them; nil where nobody answers.
func treeAt(ctx context.Context, root layout.Root) *Tree {
	ctx, cancel := context.WithTimeout(ctx, treePatience)
	defer cancel()
	client, err := Dial(ctx, root)
	if err != nil {
		return nil
	}
	defer client.Close()
	answer, err := client.Question(ctx, questions.AskOverview, nil)
	if err != nil {
		return nil
	}
	defer answer.Close()
	var o questions.Overview
	if json.NewDecoder(io.LimitReader(answer, maxBody)).Decode(&o) != nil {
		return nil
	}
	return &Tree{Name: filepath.Base(string(root)), Root: string(root), Needs: o.Needs, Working: o.Working}
}
