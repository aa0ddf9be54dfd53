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
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// SharedKinds returns the plurals of the kinds that a team shares. Other kinds are
// distributed by git or local to one machine.
func SharedKinds() []string { return exchange.Kinds() }

// Tombstone records a user's request to delete an object, in a working tree of
// this clone. A missing file is no such request, because git or rm may have
// removed it.
type Tombstone struct {
	Version   int            `json:"v"`
	Kind      string         `json:"kind"` // plural
	Name      string         `json:"name"`
	UID       string         `json:"uid,omitempty"`      // empty if the file was unreadable
	Revision  string         `json:"revision"`           // revision of the deleted file
	Archived  bool           `json:"archived,omitempty"` // archived, and can be restored
	Requester string         `json:"by,omitempty"`       // requester; informational
	Time      resources.Time `json:"at"`                 // by this machine's clock; informational
}

// Key returns the key of the object.
func (t Tombstone) Key() resources.Key { return resources.Key{Kind: t.Kind, Name: t.Name} }

// Tombstones holds the delete requests of a working tree that are not pushed
// yet. It is safe for concurrent use by several processes. A tombstone is valid
// only while its object is missing locally. If the object exists again, call
// Done.
type Tombstones struct{ store store.Scratch }

// NewTombstones returns the tombstones in a scratch store.
func NewTombstones(kept store.Scratch) *Tombstones { return &Tombstones{kept} }

// OpenTombstones returns the tombstones of a working tree. It returns nil if
// its clone shares nothing.
func OpenTombstones(root layout.Root, getenv func(string) string) (*Tombstones, error) {
	if s, err := Load(root, getenv); s == nil || err != nil {
		return nil, err
	}
	return NewTombstones(root.SyncScratch()), nil
}

// tombstoneName returns the name of an object's tombstone in the scratch store.
func tombstoneName(key resources.Key) string {
	return path.Join(layout.Tombstones, key.Kind, key.Name+".json")
}

// Add adds tombstones for objects of shared kinds. When it returns nil, they
// are durable.
func (t *Tombstones) Add(all ...Tombstone) error {
	var failed []error
	for _, one := range all {
		if !slices.Contains(SharedKinds(), one.Kind) {
			continue
		}
		one.Version = protocol
		data, err := json.Marshal(one)
		if err == nil {
			err = t.store.WriteDurably(tombstoneName(one.Key()), append(data, '\n'))
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

// Has returns the tombstone of an object. It returns false if there is none or
// if it is unreadable; the object is then not deleted.
func (t *Tombstones) Has(key resources.Key) (Tombstone, bool) {
	data, err := t.store.Read(tombstoneName(key))
	if err != nil {
		return Tombstone{}, false
	}
	one, err := decodeTombstone(data, key)
	return one, err == nil
}

// decodeTombstone decodes the tombstone of an object. It returns an error if
// the content is invalid or about another object.
func decodeTombstone(data []byte, key resources.Key) (one Tombstone, err error) {
	if err := json.Unmarshal(data, &one); err != nil {
		return one, fmt.Errorf("it is no tombstone: %w", err)
	}
	if one.Key() != key || resources.CheckName(one.Name) != nil {
		return one, fmt.Errorf("its key does not match %q", one.Key())
	}
	return one, nil
}

// Done removes tombstones after they were pushed or their objects exist again.
// It ignores missing ones.
func (t *Tombstones) Done(keys ...resources.Key) error {
	var failed []error
	for _, key := range keys {
		failed = append(failed, t.store.Remove(tombstoneName(key)))
	}
	return errors.Join(failed...)
}

// All returns the readable tombstones, by kind and name.
func (t *Tombstones) All() (all []Tombstone, err error) {
	folders, err := kindDirs(t.store, layout.Tombstones)
	for _, kind := range folders {
		names, failed := t.store.List(layout.Tombstones + "/" + kind)
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
