package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// RemoteObject is a remote object.
type RemoteObject struct {
	Object resources.Object
	Sender string    // claimed sender
	Time   time.Time // by the sender's clock; zero if unknown
}

// Fetch returns the remote version of one task. It returns nil if the task does
// not exist remotely in the same plan, or if this build cannot decode it.
func Fetch(ctx context.Context, e engine.Engine, task *resources.Task) (*RemoteObject, error) {
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
		o, err := decodeStrict(about, text)
		if err != nil {
			return nil, nil
		}
		var h header
		line, _, _ := bytes.Cut(item.Value, []byte{'\n'})
		_ = json.Unmarshal(line, &h) // unpack has validated it
		return &RemoteObject{o, by, h.Time.Time}, nil
	}
	return nil, err
}
