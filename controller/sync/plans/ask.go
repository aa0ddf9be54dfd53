package plans

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Sent is an object as the team has it.
type Sent struct {
	Object resources.Object
	By     string    // who sent it, by their own word
	At     time.Time // when, by their clock; zero if they do not say
}

// Ask asks the team for its version of a task alone; nil if the team does not have it in the task's plan, or
// this build does not understand it.
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
		_ = json.Unmarshal(line, &h) // unpack did
		return &Sent{o, by, h.At.Time}, nil
	}
	return nil, err
}
