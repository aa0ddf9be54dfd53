package mutate

import (
	"context"
	"slices"

	"github.com/idumb-dev/idumb/controller/mutate/transition"
	"github.com/idumb-dev/idumb/resources"
)

// Branch splits a task into others: see transition.Branched. All objects are
// written or none; a crash between the files leaves the new tasks next to the
// old one. moved.Also has the new tasks, then the tasks that depended on the
// old one.
func (r Repo) Branch(ctx context.Context, key resources.Key, into []string) (moved ActResult, err error) {
	err = r.Run(ctx, func(tx *Tx) error {
		record, o, err := tx.get(key)
		if err != nil {
			return err
		}
		made, waiting, old, err := transition.Branched(o.(*resources.Task), into, tx.View())
		if err != nil {
			return err
		}
		var objects []resources.Object
		var over []string
		for _, t := range made {
			objects, over = append(objects, t), append(over, "")
		}
		for _, t := range waiting {
			there, err := tx.Record(t.Key())
			if err != nil {
				return err
			}
			objects, over = append(objects, t), append(over, there.Rev)
		}
		results, err := tx.putAll(append(slices.Clip(objects), old), append(over, record.Rev))
		if err == nil {
			last := len(results) - 1
			moved.Result, moved.Related = results[last], results[:last]
		}
		return err
	})
	return moved, err
}
