package exchange

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// Files with user decisions about an exchange.
const (
	localOnlyFile = "alone.json" // objects that existed only locally when the clone joined
	sendFile      = "send.json"  // hashes of versions that may be pushed despite a suspected secret
)

// decisionState identifies the state of the decision files without reading them.
func decisionState(dir string) string {
	var all strings.Builder
	for _, file := range []string{localOnlyFile, sendFile} {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil {
			fmt.Fprintf(&all, "%s %d %d\n", file, info.Size(), info.ModTime().UnixNano())
		}
	}
	return all.String()
}

// KeepBack records the objects that exist only locally when a clone joins its
// team, and returns their number. They may be old and are not pushed until the
// user decides. New objects are pushed. team has the remote objects.
func (x *Exchange) KeepBack(ctx context.Context, team map[resources.Key]bool) (int, error) {
	found, err := x.local(ctx)
	if err != nil {
		return 0, err
	}
	var names []string
	for key, h := range found {
		if agreed := x.base.last(key); agreed == nil && !team[key] && !h.private {
			names = append(names, key.String())
			x.localOnly[key] = true
		}
	}
	slices.Sort(names)
	return len(names), writeList(filepath.Join(x.Dir, localOnlyFile), names)
}

// PushLocalOnly allows pushing the objects of KeepBack.
func (x *Exchange) PushLocalOnly() error {
	x.localOnly = nil
	return writeList(filepath.Join(x.Dir, localOnlyFile), nil)
}

// AgreeToSend allows pushing one version that seems to contain a secret.
func AgreeToSend(dir string, text []byte) error {
	file := filepath.Join(dir, sendFile)
	return writeList(file, append(readList(file), resources.Revision(text)))
}

// agreedToSend reports whether the user agreed to push this version although it
// seems to contain a secret; see AgreeToSend.
func (x *Exchange) agreedToSend(_ resources.Key, text []byte) bool {
	return slices.Contains(readList(filepath.Join(x.Dir, sendFile)), resources.Revision(text))
}

// writeList replaces a file with a list of words.
func writeList(file string, list []string) error {
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return Replace(file, append(data, '\n'))
}

// readList reads a list of words. An unreadable file is an empty list.
func readList(file string) (list []string) {
	if data, err := os.ReadFile(file); err != nil || json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// Theirs returns the followed remote objects.
func (x *Exchange) Theirs(ctx context.Context, e engine.Engine) (map[resources.Key]bool, error) {
	_, err := x.ask(ctx, e, nil)
	found := map[resources.Key]bool{}
	if err != nil {
		return found, err
	}
	for key := range x.passState.team.objects {
		found[key] = true
	}
	return found, nil
}

// SeedRemote makes the local versions win over the remote ones that Theirs read, as
// if the remote versions were the base.
func (x *Exchange) SeedRemote() (err error) {
	for key, item := range x.passState.team.objects {
		if err == nil && item.rejection == nil {
			err = x.base.RecordBase(key, item.rev, item.text, x.Now())
		}
	}
	return err
}

// New reports whether there is no base version of any object.
func (x *Exchange) New() bool { return len(x.base.entries) == 0 }

// Reset removes all base versions, the record of KeepBack and store.TeamFile.
// Conflicts stay.
func Reset(dir string) error {
	var err error
	for _, file := range []string{baseFile, localOnlyFile, store.TeamFile} {
		if failed := os.Remove(filepath.Join(dir, file)); !errors.Is(failed, os.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Waiting returns the keys of the objects that are not pushed yet, and of those
// that are held back because they existed only here when the clone joined, as
// far as this clone knows. Both are sorted.
func (x *Exchange) Waiting(ctx context.Context) (toSend, localOnly []resources.Key, err error) {
	tracked, err := x.tracked(ctx)
	if err != nil {
		return nil, nil, err
	}
	found, err := x.local(ctx)
	for key, h := range found {
		switch {
		case x.mustPush(key, h, tracked):
			toSend = append(toSend, key)
		case x.localOnly[key] && h.text != nil && !tracked[x.Store.Locate(key)]:
			localOnly = append(localOnly, key)
		}
	}
	slices.SortFunc(toSend, resources.Key.Compare)
	slices.SortFunc(localOnly, resources.Key.Compare)
	return toSend, localOnly, err
}

// RemoteObject is a remote object.
type RemoteObject struct {
	Object resources.Object
	Sender string    // claimed sender
	Time   time.Time // by the sender's clock; zero if unknown
}

// Fetch returns the remote version of one task. It returns nil if the task does
// not exist remotely in the same plan, or if this build cannot decode it.
func Fetch(ctx context.Context, e engine.Engine, task *resources.Task) (*RemoteObject, error) {
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
		o, err := decodeStrict(about, text)
		if err != nil {
			return nil, nil
		}
		var h header
		line, _, _ := bytes.Cut(item.Value, []byte{'\n'})
		_ = json.Unmarshal(line, &h) // unpack has validated it
		return &RemoteObject{o, by, h.Time.Time}, nil
	}
	return nil, err
}
