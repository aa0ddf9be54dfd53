// Package gitengine is the engine that every team has: refs on its git remote. An item is a blob
// that a ref below refs/idumb points to, or a file in the tree of the commit at refs/idumb/state;
// git's push with a lease is the compare-and-swap. It runs git, with none of the repository's hooks,
// no prompt and 20 seconds at most, and leaves no ref in the clone.
package gitengine

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Refs is where the items stand on the remote.
const Refs = "refs/idumb/"

// attempts is how often a list is begun anew because a ref moved on while its blob was fetched.
const attempts = 5

// Engine is a team's remote, as one clone reaches it.
type Engine struct {
	Dir    string // a folder of the clone
	Remote string // a URL, or the path of a repository
	Cache  string // a folder for what was fetched of the state, and the commit that was seen last; "": the clone's objects, and none

	ssh sync.Once
	own bool // the person has set how git runs ssh

	known atomic.Pointer[string] // the version that was understood

	store   sync.Once
	objects []string // see apart
}

// List returns the items whose keys begin so. See engine.Engine.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Item, error) {
	items, _, err := e.ListAt(ctx, prefix)
	return items, err
}

// ListAt lists as of the moment of the remote's list of refs, which is named by the commit of the state;
// "" where there is none. See engine.Strict.
func (e *Engine) ListAt(ctx context.Context, prefix string) (items []engine.Item, at string, err error) {
	items, tip, err := e.seen(ctx, prefix, "")
	if err != nil || !ofState(prefix) {
		return items, "", err
	}
	state, err := e.state(ctx, tip, prefix)
	return append(items, state...), tip, err
}

// seen are the items as refs, and the commit of the state, all of which the clone has then, if that is not
// the one which is known already.
func (e *Engine) seen(ctx context.Context, prefix, known string) (items []engine.Item, tip string, err error) {
	for range attempts {
		items, tip, err := e.refs(ctx, prefix)
		if err != nil {
			return nil, "", err
		}
		unseen := tip
		if tip == known {
			unseen = ""
		}
		moved, err := e.fetch(ctx, items, unseen)
		if err != nil {
			return nil, "", err
		}
		if !moved {
			items, err = e.values(ctx, items, withoutChance)
			return items, tip, err
		}
	}
	return nil, "", fmt.Errorf("the items of %s change faster than they can be read; try again", e.Remote)
}

// refs are the items as the remote lists them, without their values, and the commit of the state.
func (e *Engine) refs(ctx context.Context, prefix string) (items []engine.Item, tip string, err error) {
	args := []string{"ls-remote", "--quiet", "--refs", "--", e.Remote, Refs + versionRef}
	if !strings.HasPrefix(prefix, statePrefix) {
		args = append(args, Refs+prefix+"*")
	}
	if ofState(prefix) {
		args = append(args, Refs+stateRef)
	}
	o, err := e.git(ctx, nil, args...)
	if err != nil {
		return nil, "", err
	}
	version := ""
	for line := range strings.Lines(o.out) {
		rev, ref, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch key, ours := strings.CutPrefix(ref, Refs); {
		case ours && key == versionRef:
			version = rev
		case ours && key == stateRef:
			tip = rev
		case ours && strings.HasPrefix(key, prefix):
			items = append(items, engine.Item{Key: key, Rev: rev})
		}
	}
	slices.SortFunc(items, func(a, b engine.Item) int { return cmp.Compare(a.Key, b.Key) })
	return items, tip, e.understood(ctx, version)
}

// fetch brings the blobs and the commit that are not in the clone. It reports whether a ref moved on
// meanwhile. They are fetched into no ref, so that git itself collects them.
func (e *Engine) fetch(ctx context.Context, items []engine.Item, tip string) (moved bool, err error) {
	if tip != "" {
		items = append(slices.Clone(items), engine.Item{Key: stateRef, Rev: tip})
	}
	missing, err := e.missing(ctx, items)
	if err != nil || len(missing) == 0 {
		return false, err
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-gc"}
	if last := e.lastSeen(); last != "" && e.has(ctx, last) {
		args = append(args, "--negotiation-tip="+last)
	}
	args = append(args, "--stdin", "--", e.Remote)
	var refs strings.Builder
	for _, item := range missing {
		fmt.Fprintln(&refs, Refs+item.Key)
	}
	o, err := e.git(ctx, []byte(refs.String()), args...)
	if err != nil {
		if strings.Contains(o.err, "couldn't find remote ref") {
			return true, nil
		}
		return false, err
	}
	missing, err = e.missing(ctx, missing)
	return len(missing) > 0, err
}

// missing are the items whose blobs are not in the clone.
func (e *Engine) missing(ctx context.Context, items []engine.Item) ([]engine.Item, error) {
	if len(items) == 0 {
		return nil, nil
	}
	o, err := e.git(ctx, revisions(items), "cat-file", "--batch-check")
	if err != nil {
		return nil, err
	}
	var missing []engine.Item
	lines := strings.Split(strings.TrimSpace(o.out), "\n")
	for i, item := range items {
		if i >= len(lines) || strings.HasSuffix(lines[i], " missing") {
			missing = append(missing, item)
		}
	}
	return missing, nil
}

func revisions(items []engine.Item) []byte {
	var in strings.Builder
	for _, item := range items {
		fmt.Fprintln(&in, item.Rev)
	}
	return []byte(in.String())
}

// withoutChance is a value as blob wrote it.
func withoutChance(value []byte) ([]byte, bool) {
	_, value, ours := bytes.Cut(value, []byte{'\n'})
	return value, ours
}

// values reads the values of items, as open finds them in their blobs. What is no blob, or too long,
// is not ours and left out.
func (e *Engine) values(ctx context.Context, items []engine.Item, open func([]byte) ([]byte, bool)) ([]engine.Item, error) {
	if len(items) == 0 {
		return nil, nil
	}
	o, err := e.git(ctx, revisions(items), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	var found []engine.Item
	for r, i := bufio.NewReader(strings.NewReader(o.out)), 0; i < len(items); i++ {
		kind, value, err := object(r)
		if err != nil {
			return nil, fmt.Errorf("git cat-file of %s%s: %w", Refs, items[i].Key, err)
		}
		if value, ours := open(value); ours && kind == "blob" && len(value) <= engine.MaxValue {
			items[i].Value = value
			found = append(found, items[i])
		}
	}
	return found, nil
}

// object reads one object as git-cat-file(1) prints it with --batch.
func object(r *bufio.Reader) (kind string, value []byte, err error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return "", nil, err
	}
	words := strings.Fields(header)
	if len(words) != 3 {
		return "", nil, errors.New(strings.TrimSpace(header))
	}
	size, err := strconv.Atoi(words[2])
	if err != nil || size < 0 {
		return "", nil, errors.New(strings.TrimSpace(header))
	}
	value = make([]byte, size)
	if _, err = io.ReadFull(r, value); err == nil {
		_, err = r.Discard(1)
	}
	return words[1], value, err
}
