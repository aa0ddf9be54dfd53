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

// queueDelay is the delay before the queue file is taken over. A command may append several
// requests, and a sandbox may allow it to write this one file only.
const queueDelay = 100 * time.Millisecond

// queueKey is the only key of the drainer: requests are carried out in order.
var queueKey = resources.Key{Kind: "queue", Name: "queue"}

// newDrainer returns the reconciler that carries out the requests in queue.File.
func newDrainer(repo mutate.Repo, c controller.Client) controller.Reconciler {
	d := &queue.Worker{Root: repo.Store.Root(), Acts: acts.All(), Repo: writeThrough(repo, c), Now: c.Now, Tell: func(id, verb, reason string) {
		if reason != "" {
			c.Event(configKey, resources.Warning, "QueueSetAside", "queued command %s %s was set aside: %s; see .idumb/quarantine/queue", verb, id, reason)
		}
	}}
	return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
		c.SourceFile(queue.File) // subscribes to changes of the file
		again, err := d.Drain(ctx)
		return controller.Result{RequeueAfter: again}, err
	})
}

// configKey is the object of events that concern no other object.
var configKey = resources.Key{Kind: resources.Configs, Name: resources.ConfigName}

// commandQueueKeys returns the key that carries out the queued commands, when their file changed and
// at the end of a listing.
func commandQueueKeys(ch controller.Change, _ controller.Client) []resources.Key {
	if ch.Key == (resources.Key{Kind: store.FilesKind, Name: queue.File}) || ch.Key == (resources.Key{}) {
		return []resources.Key{queueKey}
	}
	return nil
}
