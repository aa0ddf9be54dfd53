package dash

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// treesInterval is the minimal time between two queries of the other worktrees. The screen does not
// wait for their answers.
const treesInterval = time.Second

// trees are the last answers of the repository's other worktrees.
type trees struct {
	due chan struct{} // signals that they should be queried

	mu  sync.Mutex
	all []serve.Tree
}

// last returns the last answers of the other worktrees.
func (t *trees) last() []serve.Tree {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}

// set stores the answers and reports whether they changed.
func (t *trees) set(all []serve.Tree) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.all
	t.all = all
	return len(was)+len(all) > 0 && !reflect.DeepEqual(was, all)
}

// watchTrees queries the other worktrees for their state: after each sent state, after a change
// that their controllers report, and when a controller opens its socket.
func (f *Feed) watchTrees(ctx context.Context) {
	followed, ended := map[string]bool{}, make(chan string)
	for {
		select {
		case <-ctx.Done():
			return
		case root := <-ended:
			delete(followed, root)
		case <-f.trees.due:
		}
		for _, other := range f.Files.Root().Trees() {
			f.run.Add(other.Abs(layout.APISocket))
		}
		all, was := serve.Trees(ctx, f.Files.Root()), followed
		followed = map[string]bool{}
		for _, t := range all {
			if followed[t.Root] = true; !was[t.Root] {
				go f.followTree(ctx, t.Root, ended)
			}
		}
		if f.trees.set(all) {
			wake(f.changed)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(treesInterval):
		}
	}
}

// followTree triggers a query after each change in another worktree, until its controller ends. A
// controller without a stream of changes is queried together with the other worktrees.
func (f *Feed) followTree(ctx context.Context, root string, ended chan<- string) {
	client, err := serve.Dial(ctx, layout.Root(root))
	if err != nil {
		return
	}
	defer client.Close()
	body, err := client.Changes(ctx, serve.FromNow)
	if err != nil {
		return
	}
	wake(f.trees.due) // for earlier changes
	<-listen(ctx, body, f.trees.due)
	select {
	case ended <- root:
	case <-ctx.Done():
	}
}
