package gitengine

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// The state is one ref. Its commits contain all items below statePrefix as
// files. Git stores their history and transfers only changes, and a push can
// contain any number of changes.
const (
	stateRef    = "state"
	statePrefix = stateRef + "/"
)

// ofState reports whether a key prefix may match items of the state.
func ofState(prefix string) bool {
	return strings.HasPrefix(prefix, statePrefix) || strings.HasPrefix(statePrefix, prefix)
}

// state returns the items in a commit of the state.
func (e *Engine) state(ctx context.Context, tip, prefix string) ([]engine.Item, error) {
	if err := e.follow(ctx, tip); err != nil {
		return nil, err
	}
	items, err := e.tree(ctx, tip)
	if err != nil {
		return nil, err
	}
	items = slices.DeleteFunc(items, func(item engine.Item) bool { return !strings.HasPrefix(item.Key, prefix) })
	return e.values(ctx, items, fullValue)
}

// fullValue returns a value of the state unchanged. Unlike values of refs, it
// has no random prefix.
func fullValue(value []byte) ([]byte, bool) { return value, true }

// tree returns the items in a commit of the state, without values. keys
// restricts the result.
func (e *Engine) tree(ctx context.Context, tip string, keys ...string) ([]engine.Item, error) {
	if tip == "" {
		return nil, nil
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", tip, "--"}
	for _, key := range keys {
		args = append(args, strings.TrimPrefix(key, statePrefix))
	}
	o, err := e.gitWith(ctx, []string{"GIT_LITERAL_PATHSPECS=1"}, nil, args...)
	if err != nil {
		return nil, err
	}
	var items []engine.Item
	for entry := range strings.SplitSeq(o.text, "\x00") {
		about, path, _ := strings.Cut(entry, "\t")
		if words := strings.Fields(about); len(words) == 3 && words[1] == "blob" {
			items = append(items, engine.Item{Key: statePrefix + path, Rev: words[2]})
		}
	}
	return items, nil
}

// tipFile holds the last seen commit.
const tipFile = "tip"

// lastSeen returns the last seen commit of the state, or "" if unknown.
func (e *Engine) lastSeen() string {
	if e.Cache == "" {
		return ""
	}
	data, err := os.ReadFile(filepath.Join(e.Cache, tipFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// has reports whether the clone has a commit.
func (e *Engine) has(ctx context.Context, commit string) bool {
	_, err := e.git(ctx, nil, "cat-file", "-e", commit+"^{commit}")
	return err == nil
}

// follow records a seen commit. It returns engine.ErrRolledBack if tip is empty,
// or if the clone still has the last seen commit and that is no ancestor of it.
func (e *Engine) follow(ctx context.Context, tip string) error {
	last := e.lastSeen()
	if e.Cache == "" || last == tip {
		return nil
	}
	if last != "" && (tip == "" || e.has(ctx, last) && !e.leads(ctx, tip, last)) {
		return engine.ErrRolledBack
	}
	e.tidy(ctx, tip)
	// The last seen commit need not survive a power loss.
	temp := filepath.Join(e.Cache, "."+tipFile+"-"+rand.Text())
	if err := os.WriteFile(temp, []byte(tip+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(e.Cache, tipFile))
}

// leads reports whether the commit to is the commit tip or an ancestor of it.
func (e *Engine) leads(ctx context.Context, tip, to string) bool {
	_, err := e.git(ctx, nil, "merge-base", "--is-ancestor", to, tip)
	return err == nil
}

// Forget drops the last seen commit, so that the current remote state is
// accepted regardless of earlier states.
func (e *Engine) Forget() error {
	err := os.Remove(filepath.Join(e.Cache, tipFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// maxAttempts is the maximum number of attempts to change the state against
// concurrent changes. firstWait is the maximum delay before the first retry.
const (
	maxAttempts = 12
	firstWait   = 20 * time.Millisecond
)

// pushState changes items of the state and other refs, all or none, and returns
// the new commit. It bases the change on commit at. If at is nil, it uses the
// current commit and retries after concurrent changes of other items.
func (e *Engine) pushState(ctx context.Context, at *string, changes []change, ops []engine.Op) (string, error) {
	for n := range maxAttempts {
		tip := ""
		if at != nil {
			tip = *at
		} else if _, now, err := e.refs(ctx, statePrefix); err != nil {
			return "", err
		} else if _, err = e.fetch(ctx, nil, now); err != nil {
			return "", err
		} else {
			tip = now
		}
		commit, err := e.commit(ctx, tip, ops)
		if err != nil {
			return "", err
		}
		err = e.push(ctx, append(slices.Clone(changes), change{stateRef, tip, commit}))
		var conflict *engine.ConflictError
		if !errors.As(err, &conflict) || !slices.Contains(conflict.Keys, stateRef) || at != nil || len(conflict.Keys) > 1 {
			return commit, withItemKeys(err, ops)
		}
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(mathrand.N(firstWait << n)):
		}
	}
	return "", fmt.Errorf("the state on %s changes faster than it can be changed from here; try again", e.Remote)
}

// withItemKeys replaces the key of the state in a conflict by the keys of the items.
func withItemKeys(err error, ops []engine.Op) error {
	var conflict *engine.ConflictError
	if !errors.As(err, &conflict) || !slices.Contains(conflict.Keys, stateRef) {
		return err
	}
	keys := slices.DeleteFunc(slices.Clone(conflict.Keys), func(key string) bool { return key == stateRef })
	for _, op := range ops {
		keys = append(keys, op.Key)
	}
	return &engine.ConflictError{Keys: keys}
}

// commit creates a commit with changes on top of tip, if all items have the
// expected revisions. Otherwise it returns *engine.ConflictError. An empty tip
// means no parent.
func (e *Engine) commit(ctx context.Context, tip string, ops []engine.Op) (string, error) {
	if err := e.compare(ctx, tip, ops); err != nil {
		return "", err
	}
	blobs, err := e.blobs(ctx, ops)
	if err != nil {
		return "", err
	}
	index, err := os.CreateTemp("", "idumb-index-*")
	if err != nil {
		return "", err
	}
	index.Close()
	os.Remove(index.Name()) // git treats an empty index file as corrupt
	defer os.Remove(index.Name())
	env := []string{"GIT_INDEX_FILE=" + index.Name()}
	if tip != "" {
		if _, err := e.gitWith(ctx, env, nil, "read-tree", tip); err != nil {
			return "", err
		}
	}
	var in strings.Builder
	for i, op := range ops {
		path := strings.TrimPrefix(op.Key, statePrefix)
		if op.Value == nil {
			fmt.Fprintf(&in, "0 %s\t%s\x00", strings.Repeat("0", len(op.Was)), path)
		} else {
			fmt.Fprintf(&in, "100644 %s\t%s\x00", blobs[i], path)
		}
	}
	if _, err := e.gitWith(ctx, env, []byte(in.String()), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := e.gitWith(ctx, env, nil, "write-tree")
	if err != nil {
		return "", err
	}
	return e.commitTree(ctx, strings.TrimSpace(tree.text), tip, len(ops))
}

// commitTree creates a commit of a tree. A random word prevents two machines
// from creating the same commit, which git would treat as pushed.
func (e *Engine) commitTree(ctx context.Context, tree, tip string, changes int) (string, error) {
	args := []string{"commit-tree", tree, "-m", fmt.Sprintf("%d changes", changes), "-m", rand.Text()}
	if tip != "" {
		args = append(args, "-p", tip)
	}
	who := []string{"GIT_AUTHOR_NAME=idumb", "GIT_AUTHOR_EMAIL=idumb@localhost", "GIT_COMMITTER_NAME=idumb", "GIT_COMMITTER_EMAIL=idumb@localhost"}
	o, err := e.gitWith(ctx, who, nil, args...)
	return strings.TrimSpace(o.text), err
}

// compare returns *engine.ConflictError unless all items have the expected
// revisions.
func (e *Engine) compare(ctx context.Context, tip string, ops []engine.Op) error {
	keys := make([]string, len(ops))
	for i, op := range ops {
		keys[i] = op.Key
	}
	const atOnce = 200 // fits into a command line
	revs := map[string]string{}
	for part := range slices.Chunk(keys, atOnce) {
		items, err := e.tree(ctx, tip, part...)
		if err != nil {
			return err
		}
		for _, item := range items {
			revs[item.Key] = item.Rev
		}
	}
	var conflict engine.ConflictError
	for _, op := range ops {
		if revs[op.Key] != op.Was {
			conflict.Keys = append(conflict.Keys, op.Key)
		}
	}
	if len(conflict.Keys) > 0 {
		return &conflict
	}
	return nil
}

// blobs writes the values of changes into the clone and returns their IDs; ""
// for a removal.
func (e *Engine) blobs(ctx context.Context, ops []engine.Op) ([]string, error) {
	dir, err := os.MkdirTemp("", "idumb-blobs-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ids := make([]string, len(ops))
	var in strings.Builder
	var which []int
	for i, op := range ops {
		if op.Value == nil {
			continue
		}
		file := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(file, op.Value, 0o600); err != nil {
			return nil, err
		}
		fmt.Fprintln(&in, file)
		which = append(which, i)
	}
	if len(which) == 0 {
		return ids, nil
	}
	o, err := e.git(ctx, []byte(in.String()), "hash-object", "-w", "--no-filters", "--stdin-paths")
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(o.text)
	if len(lines) != len(which) {
		return nil, fmt.Errorf("git hash-object: %d ids of %d", len(lines), len(which))
	}
	for n, i := range which {
		ids[i] = lines[n]
	}
	return ids, nil
}
