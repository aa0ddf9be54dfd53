package exchange

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Batch is an atomic set of changes: the changes of one object and related
// items.
type Batch struct {
	Object resources.Key
	Ops    []engine.Op

	isPush      bool // pushes the object
	independent bool // valid independently of other objects
}

// related adds related changes, by task, to the changes of those tasks.
func (w *Plan) related(more map[string][]engine.Op) []Batch {
	all := slices.Clone(w.Ops)
	for _, task := range slices.Sorted(maps.Keys(more)) {
		key := resources.Key{Kind: resources.Tasks, Name: task}
		i := slices.IndexFunc(all, func(t Batch) bool { return t.Object == key })
		if i < 0 {
			i = len(all)
			all = append(all, Batch{Object: key})
		}
		all[i].Ops = slices.Concat(all[i].Ops, more[task])
	}
	return all
}

// batches splits changes into transactions of the size that the engine allows.
// Independent changes come first. Between two transactions, other clones may
// see references to objects that the next transaction creates.
func batches(e engine.Engine, all []Batch) (parts [][]Batch) {
	limited, is := e.(engine.Limited)
	if !is {
		return [][]Batch{all}
	}
	slices.SortStableFunc(all, func(a, b Batch) int {
		switch {
		case a.independent == b.independent:
			return 0
		case b.independent:
			return -1
		}
		return 1
	})
	ops, size, folders := 0, 0, map[string]bool{}
	for i, t := range all {
		more := t.folders(folders)
		if i == 0 || t.independent != all[i-1].independent || ops+len(t.Ops) > limited.MostOps() || len(more) > engine.MostGuards || size+t.size() > engine.MaxValue {
			parts, ops, size, more = append(parts, nil), 0, 0, t.folders(nil)
		}
		last := len(parts) - 1
		parts[last] = append(parts[last], t)
		ops, size, folders = ops+len(t.Ops), size+t.size(), more
	}
	return parts
}

// folders returns a new set: others, with the key directories of the changes.
func (t Batch) folders(others map[string]bool) map[string]bool {
	all := map[string]bool{}
	maps.Copy(all, others)
	for _, op := range t.Ops {
		all[engine.Folder(op.Key)] = true
	}
	return all
}

// size returns the total length of the values to write.
func (t Batch) size() (n int) {
	for _, op := range t.Ops {
		n += len(op.Value)
	}
	return n
}

// send applies changes that are valid at a revision of the remote state and
// records the pushes. It returns the keys of the changed remote objects. After
// an error, the next pass detects the other changes.
func (r *Report) send(ctx context.Context, e engine.Engine, at string, all []Batch, also BatchHook) (made []string, err error) {
	for _, part := range batches(e, all) {
		var ops []engine.Op
		for _, t := range part {
			ops = append(ops, t.Ops...)
		}
		alone := !slices.ContainsFunc(part, func(t Batch) bool { return !t.independent })
		if at, err = txn(ctx, e, at, alone, ops); err != nil {
			return made, err
		}
		for _, op := range ops {
			if strings.HasPrefix(op.Key, Prefix) {
				made = append(made, op.Key)
			}
		}
		for _, t := range part {
			also.RecordClaims(t.Object)
			if t.isPush {
				r.Pushed = append(r.Pushed, t.Object)
			}
		}
	}
	return made, nil
}

// txn applies changes that are valid at a revision, and returns the revision for
// the next ones. An engine that supports watches handles concurrent
// transactions, so independent changes there need not be serialized with those
// of other clones. Other engines serialize all changes.
func txn(ctx context.Context, e engine.Engine, at string, alone bool, ops []engine.Op) (now string, err error) {
	strict, is := e.(engine.Strict)
	if _, tells := e.(engine.Watcher); !is || alone && tells {
		return at, e.Txn(ctx, ops...)
	}
	return strict.TxnAsOf(ctx, at, ops...)
}
