package feed

import (
	"context"
	"reflect"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// treesPause is how long after the repository's other worktrees were asked they are asked again at the
// earliest: each answers for itself, and the screen waits for none.
const treesPause = time.Second

// trees are the repository's other worktrees as their controllers said last.
type trees struct {
	due chan struct{} // they are to be asked

	mu  sync.Mutex
	all []serve.Tree
}

func (t *trees) last() []serve.Tree {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}

// set reports whether that is something else than before.
func (t *trees) set(all []serve.Tree) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.all
	t.all = all
	return len(was)+len(all) > 0 && !reflect.DeepEqual(was, all)
}

// watchTrees asks the other worktrees where the work stands there: after each state that is sent, when a
// controller there tells of a change, and when one opens its socket.
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
		case <-time.After(treesPause):
		}
	}
}

// followTree has the other worktrees asked after each change in one of them, until its controller ends. One
// that is too old to tell of changes is asked with the others.
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
	wake(f.trees.due) // for what changed before
	<-listen(ctx, body, f.trees.due)
	select {
	case ended <- root:
	case <-ctx.Done():
	}
}
