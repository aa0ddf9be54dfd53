package plans

import (
	"context"
	"maps"
	"slices"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Together are changes that are made all or none: those of one object, and what else is about it.
type Together struct {
	Object resources.Key
	Ops    []engine.Op

	sends bool // the object goes to the team
}

// with has what else is to be made, by the task that it is about, go with that task's changes.
func (w *Work) with(more map[string][]engine.Op) []Together {
	all := slices.Clone(w.Ops)
	for _, task := range slices.Sorted(maps.Keys(more)) {
		key := resources.Key{Kind: resources.Tasks, Name: task}
		i := slices.IndexFunc(all, func(t Together) bool { return t.Object == key })
		if i < 0 {
			i = len(all)
			all = append(all, Together{Object: key})
		}
		all[i].Ops = slices.Concat(all[i].Ops, more[task])
	}
	return all
}

// batches parts changes as an engine makes them at once. Between two of them others see a part of what
// was found sound as a whole: names that nothing has yet, which the next one brings.
func batches(e engine.Engine, all []Together) (parts [][]Together) {
	limited, is := e.(engine.Limited)
	if !is {
		return [][]Together{all}
	}
	ops, size := 0, 0
	for _, t := range all {
		if n := len(t.Ops); len(parts) == 0 || ops+n > limited.MostOps() || size+t.size() > engine.MaxValue {
			parts, ops, size = append(parts, nil), 0, 0
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], t)
		ops, size = ops+len(t.Ops), size+t.size()
	}
	return parts
}

func (t Together) size() (n int) {
	for _, op := range t.Ops {
		n += len(op.Value)
	}
	return n
}

// send makes changes that were found sound among all that was listed, and notes what went up. After an
// error the next look finds what was made.
func (r *Report) send(ctx context.Context, e engine.Engine, all []Together, also Also) error {
	for _, part := range batches(e, all) {
		var ops []engine.Op
		for _, t := range part {
			ops = append(ops, t.Ops...)
		}
		if err := txn(ctx, e, ops); err != nil {
			return err
		}
		for _, t := range part {
			also.Made(t.Object)
			if t.sends {
				r.Sent = append(r.Sent, t.Object)
			}
		}
	}
	return nil
}

func txn(ctx context.Context, e engine.Engine, ops []engine.Op) error {
	if strict, ok := e.(engine.Strict); ok {
		return strict.TxnAsListed(ctx, ops...)
	}
	return e.Txn(ctx, ops...)
}
