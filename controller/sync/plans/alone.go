package plans

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Files of an exchange that say what a person decided.
const (
	aloneFile = "alone.json" // what stood only here when the clone joined
	sendFile  = "send.json"  // versions that go up though they look like they hold a secret, by their hashes
)

// decided names the state of what a person decided in a folder, without reading it.
func decided(dir string) string {
	var all strings.Builder
	for _, file := range []string{aloneFile, sendFile} {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil {
			fmt.Fprintf(&all, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String()
}

// KeepBack notes what stands only here when a clone joins its team: it may be from long ago, and is not
// sent until somebody changes the list. What is made from now on is.
func (x *Exchange) KeepBack(ctx context.Context, team map[resources.Key]bool) (int, error) {
	found, err := x.local(ctx)
	if err != nil {
		return 0, err
	}
	var names []string
	for key, h := range found {
		if agreed := x.base.last(key); agreed == nil && !team[key] && !h.private {
			names = append(names, key.String())
			x.alone[key] = true
		}
	}
	slices.Sort(names)
	return len(names), writeList(filepath.Join(x.Dir, aloneFile), names)
}

// SendAlone lets go up what KeepBack keeps.
func (x *Exchange) SendAlone() error {
	x.alone = nil
	return writeList(filepath.Join(x.Dir, aloneFile), nil)
}

// AgreeToSend lets one version go up though it looks like it holds a secret.
func AgreeToSend(dir string, text []byte) error {
	file := filepath.Join(dir, sendFile)
	return writeList(file, append(readList(file), resources.Revision(text)))
}

func (x *Exchange) agreedToSend(_ resources.Key, text []byte) bool {
	return slices.Contains(readList(filepath.Join(x.Dir, sendFile)), resources.Revision(text))
}

func writeList(file string, list []string) error {
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return Replace(file, append(data, '\n'))
}

// readList reads a list of words; what cannot be read is an empty one.
func readList(file string) (list []string) {
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// Theirs asks the team for its objects, as far as they are followed.
func (x *Exchange) Theirs(ctx context.Context, e engine.Engine) (map[resources.Key]bool, error) {
	_, err := x.ask(ctx, e, nil)
	found := map[resources.Key]bool{}
	if err != nil {
		return found, err
	}
	for key := range x.known.team.objects {
		found[key] = true
	}
	return found, nil
}

// Seed has what stands here count, whatever Theirs said that the team has: as if both had agreed on that before.
func (x *Exchange) Seed() (err error) {
	for key, item := range x.known.team.objects {
		if err == nil && item.unpleased == nil {
			err = x.base.Agree(key, item.rev, item.text, x.Now())
		}
	}
	return err
}

// New reports whether nothing was ever agreed on with the team.
func (x *Exchange) New() bool { return len(x.base.entries) == 0 }

// Reset forgets what both sides agreed on. Conflicts stay.
func Reset(dir string) error {
	var err error
	for _, file := range []string{baseFile, aloneFile, store.TeamFile} {
		if failed := os.Remove(filepath.Join(dir, file)); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Waiting counts what stands here and the team does not have, as far as this clone knows.
func (x *Exchange) Waiting(ctx context.Context) (n int, err error) {
	tracked, err := x.tracked(ctx)
	if err != nil {
		return 0, err
	}
	found, err := x.local(ctx)
	for key, h := range found {
		if x.waits(key, h, tracked) {
			n++
		}
	}
	return n, err
}
