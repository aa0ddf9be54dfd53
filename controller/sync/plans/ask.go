package plans

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Sent is a remote object.
type Sent struct {
	Object resources.Object
	By     string    // claimed sender
	At     time.Time // by the sender's clock; zero if unknown
}

// Ask returns the remote version of one task. It returns nil if the task does
// not exist remotely in the same plan, or if this build cannot decode it.
func Ask(ctx context.Context, e engine.Engine, task *resources.Task) (*Sent, error) {
	about := resources.Key{Kind: resources.Tasks, Name: task.Metadata.Name}
	key := engineKey(objects, about, groupOf(task, nil))
	items, err := e.List(ctx, key)
	for _, item := range items {
		if item.Key != key {
			continue
		}
		by, text, err := unpack(item.Value)
		if err != nil {
			return nil, nil
		}
		o, err := read(about, text)
		if err != nil {
			return nil, nil
		}
		var h header
		line, _, _ := bytes.Cut(item.Value, []byte{'\n'})
		_ = json.Unmarshal(line, &h) // unpack has validated it
		return &Sent{o, by, h.At.Time}, nil
	}
	return nil, err
}
