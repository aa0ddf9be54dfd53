package gitengine

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// change is a change of one ref between two objects; "" for none.
type change struct{ key, was, target string }

// Txn applies all changes or none, in one push with a lease on each ref. See
// engine.Engine.
func (e *Engine) Txn(ctx context.Context, ops ...engine.Op) error {
	_, err := e.txn(ctx, nil, ops)
	return err
}

// TxnAsOf is like Txn, but also conflicts with any change of the state after
// commit at. See engine.Strict.
func (e *Engine) TxnAsOf(ctx context.Context, at string, ops ...engine.Op) (now string, err error) {
	if !slices.ContainsFunc(ops, func(op engine.Op) bool { return strings.HasPrefix(op.Key, statePrefix) }) {
		return at, e.Txn(ctx, ops...)
	}
	return e.txn(ctx, &at, ops)
}

// txn applies changes. If at is not nil, changes of the state are based on that
// commit. It returns the new commit of the state, or "" if ops does not change
// the state.
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

// push pushes changes of refs, all or none.
func (e *Engine) push(ctx context.Context, changes []change) error {
	args := []string{"push", "--porcelain", "--no-verify", "--no-signed"}
	if len(changes) > 1 { // some servers do not support it
		args = append(args, "--atomic")
	}
	var refs []string
	for _, c := range changes {
		args = append(args, "--force-with-lease="+Refs+c.key+":"+c.was)
		refs = append(refs, c.target+":"+Refs+c.key)
	}
	o, err := e.git(ctx, nil, append(append(args, "--", e.Remote), refs...)...)
	if err == nil {
		return nil
	}
	switch conflict, why := refused(o.text); {
	case why != "":
		return e.failure("push", why, err)
	case len(conflict) > 0:
		return &engine.ConflictError{Keys: conflict}
	}
	return err
}

// blob writes a value into the clone, or returns "" for nil. It adds a random
// prefix: git treats a push of an existing object as done, so two machines with
// the same value would both succeed.
func (e *Engine) blob(ctx context.Context, value []byte) (string, error) {
	if value == nil {
		return "", nil
	}
	o, err := e.git(ctx, slices.Concat([]byte(rand.Text()), []byte{'\n'}, value), "hash-object", "-w", "--stdin")
	return strings.TrimSpace(o.text), err
}

// conflictMessages lists git's messages for a ref with an unexpected value: those of the
// client, and those of the server for concurrent pushes
// (builtin/receive-pack.c, refs/files-backend.c).
var conflictMessages = []string{
	"stale info", "fetch first", "cannot lock ref", "failed to update ref", "reference already exists", "already exists",
	"failed to lock", "incorrect old value provided", "remote ref updated since checkout", "unable to resolve reference",
}

// refused parses the output of git push --porcelain. It returns the conflicting
// keys and the first other error.
func refused(out string) (conflict []string, why string) {
	for line := range strings.Lines(out) {
		flag, rest, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		refs, summary, _ := strings.Cut(rest, "\t")
		if flag != "!" || strings.Contains(summary, "atomic push failed") || strings.Contains(summary, "atomic transaction failed") {
			continue
		}
		_, ref, _ := strings.Cut(refs, ":")
		if slices.ContainsFunc(conflictMessages, func(words string) bool { return strings.Contains(summary, words) }) {
			conflict = append(conflict, strings.TrimPrefix(ref, Refs))
		} else {
			why = ref + ": " + summary
		}
	}
	return conflict, why
}
