package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// MarksFolder is where a Store's Scratch keeps marks: a folder for each kind, a text for each object.
const MarksFolder = "quarantine"

// Removed is the reason in the mark of an object whose file was taken away, and nothing shows
// that somebody meant it to be: no command, no move of git's HEAD, no stash.
const Removed = "its file was removed, and nothing says that it should be gone"

// RemovedProblem is that reason with the two ways on.
func RemovedProblem(key resources.Key, file string) resources.Problem {
	kind, _ := resources.KindOf(key.Kind)
	ref := kind.Singular + "/" + key.Name
	return resources.Problem{
		Key: key, Object: key.String(), File: file, Reason: Removed,
		Remedy: "its last version counts: `idumb restore " + ref + "` brings it back, `idumb delete " + ref + "` lets it go",
	}
}

// Mark says why an object is in quarantine.
type Mark struct {
	Problem  resources.Problem `json:"problem"`
	Since    resources.Time    `json:"since"`
	LastGood []byte            `json:"lastGood,omitempty"` // spec bytes of the last version that was read
	Revision string            `json:"revision,omitempty"` // of LastGood
	ModTime  time.Time         `json:"modTime,omitzero"`   // when LastGood last changed, to the nanosecond: mems are compared by it
}

// Counts reports whether the last good version of a marked object counts while it is missing, and
// was not set aside.
func (m Mark) Counts() bool {
	return Planned(m.Problem.Key.Kind) && m.LastGood != nil && m.Problem.Reason == Removed
}

// Marks are those of a store: they say that an object is broken, and keep its last good version,
// without touching the object itself.
type Marks struct{ kept Scratch }

// MarksIn are the marks that are kept in a Store's Scratch.
func MarksIn(kept Scratch) Marks { return Marks{kept} }

// markName is where an object's mark is kept. An object that cannot be has none.
func markName(key resources.Key) (string, error) {
	if _, known := resources.KindOf(key.Kind); !known {
		return "", fmt.Errorf("%w: the store doesn't have a resource type %q", ErrNotFound, key.Kind)
	}
	if err := resources.CheckName(key.Name); err != nil {
		return "", fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return path.Join(MarksFolder, key.Kind, key.Name+".json"), nil
}

// Put records why an object is broken and, if known, its last good spec.
func (m Marks) Put(key resources.Key, mark Mark) error {
	name, err := markName(key)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(mark, "", "  ")
	if err != nil {
		return fmt.Errorf("mark of %s: %w", key, err)
	}
	return m.kept.Write(name, append(data, '\n'))
}

// Get returns the mark of an object. ErrNotFound if there is none.
func (m Marks) Get(key resources.Key) (mark Mark, err error) {
	name, err := markName(key)
	if err != nil {
		return mark, err
	}
	data, err := m.kept.Read(name)
	if err != nil {
		return mark, err
	}
	if err := json.Unmarshal(data, &mark); err != nil {
		return Mark{}, fmt.Errorf(".idumb/%s: %w; it may be deleted", name, err)
	}
	mark.Problem.Key = key
	return mark, nil
}

// Remove removes a mark; no error if there is none.
func (m Marks) Remove(key resources.Key) error {
	name, err := markName(key)
	if err != nil {
		return err
	}
	return m.kept.Remove(name)
}

// Keys returns the keys of the objects that have a mark, sorted: how the controller finds, when it
// starts, marks of files that were repaired meanwhile. A link in a folder's place counts as none.
func (m Marks) Keys() (keys []resources.Key, err error) {
	for _, kind := range resources.Kinds() {
		names, failed := m.kept.List(path.Join(MarksFolder, kind.Plural))
		if !errors.Is(failed, ErrUnreadable) {
			err = errors.Join(err, failed)
		}
		for _, file := range names {
			name, ok := strings.CutSuffix(path.Base(file), ".json")
			if ok && resources.CheckName(name) == nil {
				keys = append(keys, resources.Key{Kind: kind.Plural, Name: name})
			}
		}
	}
	slices.SortFunc(keys, resources.Key.Compare)
	return keys, err
}
