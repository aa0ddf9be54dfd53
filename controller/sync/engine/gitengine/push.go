package gitengine

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// change is what becomes of one ref: from the object that was seen to another one, "" for none.
type change struct{ key, was, to string }

// Txn makes all changes or none, by one push with a lease on each ref. See engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.txn(ctx, nil, ops)
	return err
}

// TxnAsOf is Txn that conflicts with any change of the state since a commit of it. See engine.Strict.
func (e *Engine) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	if !slices.ContainsFunc(ops, func(op engine.Op) bool { return strings.HasPrefix(op.Key, statePrefix) }) {
		return at, e.Txn(ctx, ops...)
	}
	return e.txn(ctx, &at, ops)
}

// txn makes changes, those of the state upon a commit of it, if there is one; it returns the next one.
func (e *Engine) txn(ctx context.Context, at *string, ops []engine.Op) (now string, err error) {
	if len(ops) == 0 {
		return "", nil
	}
	var changes []change
	var state []engine.Op
	for _, op := range ops {
		if strings.HasPrefix(op.Key, statePrefix) {
			state = append(state, op)
			continue
		}
		blob, err := e.blob(ctx, op.Value)
		if err != nil {
			return "", err
		}
		changes = append(changes, change{op.Key, op.Was, blob})
	}
	if len(state) > 0 {
		return e.pushState(ctx, at, changes, state)
	}
	return "", e.push(ctx, changes)
}

// push changes refs, all or none.
func (e *Engine) push(ctx context.Context, changes []change) error {
	args := []string{"push", "--porcelain", "--no-verify", "--no-signed"}
	if len(changes) > 1 { // a server may not know how
		args = append(args, "--atomic")
	}
	var refs []string
	for _, c := range changes {
		args = append(args, "--force-with-lease="+Refs+c.key+":"+c.was)
		refs = append(refs, c.to+":"+Refs+c.key)
	}
	o, err := e.git(ctx, nil, append(append(args, "--", e.Remote), refs...)...)
	if err == nil {
		return nil
	}
	conflict, why := refused(o.out)
	switch {
	case why != "":
		return e.failure("push", why, err)
	case len(conflict) > 0:
		return &engine.ConflictError{Keys: conflict}
	}
	return err
}

// blob writes a value into the clone; "" for none. A word of chance stands before it: git takes a
// push of what is there already for done, so that of two machines with one value both would win.
func (e *Engine) blob(ctx context.Context, value []byte) (string, error) {
	if value == nil {
		return "", nil
	}
	o, err := e.git(ctx, slices.Concat([]byte(rand.Text()), []byte{'\n'}, value), "hash-object", "-w", "--stdin")
	return strings.TrimSpace(o.out), err
}

// faster are git's words for a ref that is not what the lease says: the client's own, and those of
// the server where two pushes met (builtin/receive-pack.c, refs/files-backend.c).
var faster = []string{
	"stale info", "fetch first", "cannot lock ref", "failed to update ref", "reference already exists", "already exists",
	"failed to lock", "incorrect old value provided", "remote ref updated since checkout", "unable to resolve reference",
}

// refused reads the answer of git push --porcelain: the keys that somebody was faster with, and
// what else the server refused, in its words.
func refused(out string) (conflict []string, why string) {
	for line := range strings.Lines(out) {
		flag, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		refs, summary, _ := strings.Cut(rest, "\t")
		if flag != "!" || strings.Contains(summary, "atomic push failed") || strings.Contains(summary, "atomic transaction failed") {
			continue
		}
		_, ref, _ := strings.Cut(refs, ":")
		if slices.ContainsFunc(faster, func(words string) bool { return strings.Contains(summary, words) }) {
			conflict = append(conflict, strings.TrimPrefix(ref, Refs))
		} else {
			why = ref + ": " + summary
		}
	}
	return conflict, why
}
