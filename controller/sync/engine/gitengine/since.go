package gitengine

import (
	"context"
	"errors"
	"strings"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Since returns the differences between two commits of the state. See
// engine.Differ. If the remote still has the known commit and no process of
// this clone saw a later one, nothing is fetched.
func (e *Engine) Since(ctx context.Context, at string) (beside, changed []engine.Item, now string, err error) {
	beside, now, err = e.listSince(ctx, "", at)
	if err == nil {
		err = e.follow(ctx, now)
	}
	if err != nil || now == at {
		return beside, nil, now, err
	}
	changed, err = e.differences(ctx, at, now)
	return beside, changed, now, err
}

// Modes of entries that are not items, as printed by git.
const (
	noFile    = "000000"
	submodule = "160000"
)

// differences returns the items of the state that differ between two commits.
func (e *Engine) differences(ctx context.Context, from, to string) ([]engine.Item, error) {
	if from == "" || to == "" {
		return nil, engine.ErrCompacted
	}
	o, err := e.git(ctx, nil, "diff-tree", "-r", "-z", "--raw", "--no-renames", from, to, "--")
	if err != nil && !e.has(ctx, from) { // for example, after the cache was removed
		return nil, engine.ErrCompacted
	}
	if err != nil {
		return nil, err
	}
	var there, changed []engine.Item
	words := strings.Split(o.text, "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		about := strings.Fields(words[i]) // see git-diff-tree(1), RAW OUTPUT FORMAT
		if len(about) != 5 {
			return nil, errors.New("git diff-tree: its answer is not understood")
		}
		item := engine.Item{Key: statePrefix + words[i+1], Rev: about[3]}
		if changed = append(changed, item); about[1] != noFile && about[1] != submodule {
			there = append(there, item)
		}
	}
	there, err = e.values(ctx, there, fullValue)
	values := map[string][]byte{}
	for _, item := range there {
		values[item.Key] = item.Value
	}
	for i := range changed { // lists omit objects that are not blobs or too long, too
		changed[i].Value = values[changed[i].Key]
	}
	return changed, err
}
