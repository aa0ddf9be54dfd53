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

// MarksFolder is the scratch directory for marks, with a directory for each
// kind.
const MarksFolder = "quarantine"

// RemovedReason is the reason in the mark of an object whose file was removed without
// a known intent: no command, no move of git's HEAD, no stash. Stored marks contain it,
// so the text must not change.
const RemovedReason = "its file was removed, and nothing says that it should be gone"

// RemovedProblem returns a problem with RemovedReason and the two possible
// remedies.
func RemovedProblem(key resources.Key, file string) resources.Problem {
	kind, _ := resources.KindOf(key.Kind)
	ref := kind.Singular + "/" + key.Name
	return resources.Problem{
		Key: key, Object: key.String(), File: file, Reason: RemovedReason,
		Remedy: "its last version counts: `idumb restore " + ref + "` brings it back, `idumb delete " + ref + "` lets it go",
	}
}

// Mark records why an object is quarantined.
type Mark struct {
	Problem  resources.Problem `json:"problem"`
	Since    resources.Time    `json:"since"`
	LastGood []byte            `json:"lastGood,omitempty"` // spec of the last readable version
	Revision string            `json:"revision,omitempty"` // revision of LastGood
	ModTime  time.Time         `json:"modTime,omitzero"`   // modification time of LastGood in nanoseconds, because mems are ordered by it
}

// InEffect reports whether the last good version is in effect: the object is
// missing, its kind is planned, and the removal was unexplained.
func (m Mark) InEffect() bool {
	return IsPlanned(m.Problem.Key.Kind) && m.LastGood != nil && m.Problem.Reason == RemovedReason
}

// Marks holds the marks of broken objects with their last good versions. It
// does not modify the objects.
type Marks struct{ store Scratch }

// MarksIn returns the marks of broken objects that a scratch store holds.
func MarksIn(kept Scratch) Marks { return Marks{kept} }

// markName returns the scratch name of an object's mark. It returns ErrNotFound
// for an invalid key.
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
	return m.store.Write(name, append(data, '\n'))
}

// Get returns the mark of an object. It returns ErrNotFound if there is none.
func (m Marks) Get(key resources.Key) (mark Mark, err error) {
	name, err := markName(key)
	if err != nil {
		return mark, err
	}
	data, err := m.store.Read(name)
	if err != nil {
		return mark, err
	}
	if err := json.Unmarshal(data, &mark); err != nil {
		return Mark{}, fmt.Errorf(".idumb/%s: %w; it may be deleted", name, err)
	}
	mark.Problem.Key = key
	return mark, nil
}

// Remove removes a mark. It ignores a missing one.
func (m Marks) Remove(key resources.Key) error {
	name, err := markName(key)
	if err != nil {
		return err
	}
	return m.store.Remove(name)
}

// Keys returns the keys of the objects with marks, sorted. The controller uses
// it at start to find marks of repaired files. A symbolic link in place of a
// directory counts as empty.
func (m Marks) Keys() (keys []resources.Key, err error) {
	for _, kind := range resources.Kinds() {
		names, failed := m.store.List(path.Join(MarksFolder, kind.Plural))
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
