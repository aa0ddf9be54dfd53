package sync

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// Synced are the kinds of objects that a team shares, by their plurals. All others are git's, or
// belong to one machine.
func Synced() []string { return plans.Kinds() }

// Tombstone says that somebody asked for an object to go, in a working tree of this clone. That a
// file is missing says nothing of the kind: git, or rm, may have taken it away.
type Tombstone struct {
	Version  int            `json:"v"`
	Kind     string         `json:"kind"` // by its plural
	Name     string         `json:"name"`
	UID      string         `json:"uid,omitempty"`      // "" of an object whose file could not be read
	Revision string         `json:"revision"`           // of the file that was taken away
	Archived bool           `json:"archived,omitempty"` // it was set aside, and can be restored
	By       string         `json:"by,omitempty"`       // who asked, for people
	At       resources.Time `json:"at"`                 // by this machine's clock: for people, nothing depends on it
}

// Key is the object's.
func (t Tombstone) Key() resources.Key { return resources.Key{Kind: t.Kind, Name: t.Name} }

// Tombstones are those of one working tree that the team has not been told yet. They may be used by
// many at once, in many processes. One counts only while its object is missing here: who finds that
// it stands again calls Done.
type Tombstones struct{ kept store.Scratch }

// NewTombstones are those that are kept in a place.
func NewTombstones(kept store.Scratch) *Tombstones { return &Tombstones{kept} }

// OpenTombstones returns those of a working tree; nil while its clone shares nothing.
func OpenTombstones(root layout.Root, getenv func(string) string) (*Tombstones, error) {
	s, err := Load(root, getenv)
	if s == nil || err != nil {
		return nil, err
	}
	return NewTombstones(root.SyncScratch()), nil
}

func tombstoneName(key resources.Key) string {
	return path.Join(layout.Tombstones, key.Kind, key.Name+".json")
}

// Add leaves tombstones, of kinds that are shared. When it returns nil they are on disk for good.
func (t *Tombstones) Add(all ...Tombstone) error {
	var failed []error
	for _, one := range all {
		if !slices.Contains(Synced(), one.Kind) {
			continue
		}
		one.Version = protocol
		data, err := json.Marshal(one)
		if err == nil {
			err = t.kept.Keep(tombstoneName(one.Key()), append(data, '\n'))
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// Has returns the tombstone of an object; false if nobody asked for it to go, or what was written
// down cannot be read: then nothing goes.
func (t *Tombstones) Has(key resources.Key) (Tombstone, bool) {
	data, err := t.kept.Read(tombstoneName(key))
	if err != nil {
		return Tombstone{}, false
	}
	one, err := decodeTombstone(data, key)
	return one, err == nil
}

func decodeTombstone(data []byte, key resources.Key) (one Tombstone, err error) {
	if err := json.Unmarshal(data, &one); err != nil {
		return one, fmt.Errorf("it is no tombstone: %w", err)
	}
	if one.Key() != key || resources.CheckName(one.Name) != nil {
		return one, fmt.Errorf("it is about %q, and stands elsewhere", one.Key())
	}
	return one, nil
}

// Done forgets tombstones: the team was told, or their objects stand again. No error if there is none.
func (t *Tombstones) Done(keys ...resources.Key) error {
	var failed []error
	for _, key := range keys {
		failed = append(failed, t.kept.Remove(tombstoneName(key)))
	}
	return errors.Join(failed...)
}

// All returns those that can be read, by kind and name.
func (t *Tombstones) All() (all []Tombstone, err error) {
	folders, err := foldersOf(t.kept, layout.Tombstones)
	for _, kind := range folders {
		names, failed := t.kept.List(layout.Tombstones + "/" + kind)
		err = errors.Join(err, failed)
		for _, file := range names {
			name := strings.TrimSuffix(path.Base(file), ".json")
			if one, there := t.Has(resources.Key{Kind: kind, Name: name}); there {
				all = append(all, one)
			}
		}
	}
	return all, err
}
