package reconcilers

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/queue"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// queueAfter is how long the file may grow before it is taken away from who writes it: one command may
// queue several changes, and in a sandbox that lets it write just this file it can make no other.
const queueAfter = 100 * time.Millisecond

// queueKey stands for all commands that wait: they are carried out in their order.
var queueKey = resources.Key{Kind: "queue", Name: "queue"}

// newDrainer carries out the commands that are appended to queue.File.
func newDrainer(repo mutate.Repo, c controller.Client) controller.Reconciler {
	d := &queue.Drainer{Root: repo.Store.Root(), Acts: acts.All(), Repo: writing(repo, c), Now: c.Now, Tell: func(id, verb, reason string) {
		if reason != "" {
			c.Event(configKey, resources.Warning, "QueueSetAside", "queued command %s %s was set aside: %s; see .idumb/quarantine/queue", verb, id, reason)
		}
	}}
	return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
		c.SourceFile(queue.File) // its change is a Change from then on
		again, err := d.Drain(ctx)
		return controller.Result{After: again}, err
	})
}

// configKey is what events are about that are about no object of their own.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

// queueKeys: the file, and what waits in it when all is listed.
func queueKeys(ch controller.Change, _ controller.Client) []resources.Key {
	if ch.Key == (resources.Key{Kind: store.FilesKind, Name: queue.File}) || ch.Key == (resources.Key{}) {
		return []resources.Key{queueKey}
	}
	return nil
}
