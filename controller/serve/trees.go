package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/attention"
)

// Tree is the state of work in another working tree of the repository.
type Tree struct {
	Name    string               `json:"name"` // name of its directory
	Root    string               `json:"root"`
	Needs   []attention.Need     `json:"needs"`
	Working []queries.ActiveTask `json:"working"`
}

// Summary returns a summary of the tree's needs and active tasks.
func (t *Tree) Summary() string {
	return fmt.Sprintf("%d need you, %d at work", len(t.Needs), len(t.Working))
}

const (
	// maxTrees is the maximum number of controllers that are queried.
	maxTrees = 32
	// treeTimeout is the timeout of each query.
	treeTimeout = time.Second
)

// Trees queries the controllers of the repository's other working trees for the
// state of work. Some agent tools give each agent its own working tree. Trees
// omits a tree without a controller that answers in time. The result is never
// nil.
func Trees(ctx context.Context, root layout.Root) []Tree {
	roots := root.Trees()
	roots = roots[:min(maxTrees, len(roots))]
	found := make([]*Tree, len(roots))
	var all sync.WaitGroup
	for i, other := range roots {
		all.Go(func() { found[i] = queryTree(ctx, other) })
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

// queryTree queries the controller of one tree. It returns nil if no controller
// answers.
func queryTree(ctx context.Context, root layout.Root) *Tree {
	ctx, cancel := context.WithTimeout(ctx, treeTimeout)
	defer cancel()
	client, err := Dial(ctx, root)
	if err != nil {
		return nil
	}
	defer client.Close()
	answer, err := client.Question(ctx, queries.AskOverview, nil)
	if err != nil {
		return nil
	}
	defer answer.Close()
	var o queries.Overview
	if json.NewDecoder(io.LimitReader(answer, maxBody)).Decode(&o) != nil {
		return nil
	}
	return &Tree{Name: filepath.Base(string(root)), Root: string(root), Needs: o.Needs, Working: o.Working}
}
