package exchange

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// conflictsDir holds a file for each conflict.
const conflictsDir = "conflicts"

// incomingSuffix is the suffix of marks for rejected remote versions. Such marks are
// removed automatically once the version is accepted.
const incomingSuffix = ".in.json"

// Mark is a conflict. It is kept until the user resolves it. The remote value
// is in effect, and the mark holds the local one.
type Mark struct {
	Kind   string         `json:"kind"`
	Name   string         `json:"name"`
	Reason string         `json:"reason"`           // a sentence without a full stop
	Author string         `json:"by,omitempty"`     // claimed author of the remote version
	Time   resources.Time `json:"at"`               // time of detection
	Fields []Conflict     `json:"fields,omitempty"` // fields that both sides changed
	Base   string         `json:"base,omitempty"`   // base version
	Ours   string         `json:"ours,omitempty"`   // local version
	Theirs string         `json:"theirs,omitempty"` // remote version

	file string
}

// Key returns the key of the object.
func (m *Mark) Key() resources.Key { return resources.Key{Kind: m.Kind, Name: m.Name} }

// Incoming reports whether the mark is about a rejected remote version.
func (m *Mark) Incoming() bool { return strings.HasSuffix(m.file, incomingSuffix) }

// recordConflict writes a conflict mark and returns the name of its file. It must be
// called before the local version is replaced. It is idempotent.
func (x *Exchange) recordConflict(m Mark) (name string, err error) {
	m.Time = resources.NewTime(x.Now())
	sum := resources.Revision([]byte(m.Ours + "\x00" + m.Theirs + "\x00" + m.Reason))[:12]
	name = markName(m.Key()) + "." + sum + ".json"
	return name, x.writeMark(m, name)
}

// withUpgradeHint adds a remedy to an error about an unknown field, which a later build
// may know.
func withUpgradeHint(why error) error {
	if p := (resources.Problem{}); errors.As(why, &p) && strings.HasPrefix(p.Reason, "unknown field") {
		p.Remedy = "the sender may have a newer idumb: upgrade this one"
		return p
	}
	return why
}

// lastGood returns the base version of an object, or "".
func (x *Exchange) lastGood(key resources.Key) string {
	agreed := x.base.last(key)
	if agreed == nil {
		return ""
	}
	r, _ := x.base.read(agreed.position) // the next round reports an unreadable version
	return r.Text
}

// writeMark writes a mark to the file with a name, unless the file already has
// a mark with the same reason and remote value.
func (x *Exchange) writeMark(m Mark, name string) error {
	m.file = name
	if old, err := readMark(filepath.Join(x.Dir, conflictsDir, name)); err == nil && old.Reason == m.Reason && old.Theirs == m.Theirs {
		return nil
	}
	return m.replace(x.Dir)
}

// replace writes the mark to its file in a sync directory.
func (m *Mark) replace(dir string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = Replace(filepath.Join(dir, conflictsDir, m.file), append(data, '\n'))
	}
	if err != nil {
		err = fmt.Errorf("a conflict about %s cannot be written down: %w", m.Key(), err)
	}
	return err
}

// maxMarkName leaves room for the suffix of the file name.
const maxMarkName = 150

// markName returns the file name prefix of an object's marks.
func markName(key resources.Key) string {
	name := key.Kind + "--" + key.Name
	if len(name) > maxMarkName {
		name = name[:maxMarkName] + "-" + resources.Revision([]byte(name))[:12]
	}
	return name
}

// readMark reads the file of a mark.
func readMark(path string) (m Mark, err error) {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	m.file = filepath.Base(path)
	return m, err
}

// Marks returns the conflicts in a sync directory, sorted by object. It omits
// unreadable ones, which cannot be resolved.
func Marks(dir string) ([]Mark, error) {
	files, err := os.ReadDir(filepath.Join(dir, conflictsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var marks []Mark
	for _, f := range files {
		if m, err := readMark(filepath.Join(dir, conflictsDir, f.Name())); err == nil && strings.HasSuffix(f.Name(), ".json") {
			marks = append(marks, m)
		}
	}
	slices.SortFunc(marks, func(a, b Mark) int { return cmp.Or(a.Key().Compare(b.Key()), strings.Compare(a.file, b.file)) })
	return marks, err
}

// editedFields returns the fields of a conflict in which the local version differs
// from the base version and from the remote value of the conflict. These fields
// were changed locally since.
func (m *Mark) editedFields(agreed, here []byte) []string {
	kind, _ := resources.KindOf(m.Kind)
	fields := m.names()
	for _, other := range [][]byte{agreed, []byte(m.Theirs)} {
		_, differ, err := MergeObject(kind, other, here, other, fields...)
		if err != nil { // an unreadable version is ignored
			return nil
		}
		fields = (&Mark{Fields: differ}).names()
	}
	return fields
}

// names returns the names of the conflicting fields.
func (m *Mark) names() (names []string) {
	for _, c := range m.Fields {
		names = append(names, c.Field)
	}
	return names
}

// endEdited resolves a conflict in the fields that were changed locally after
// it, because the change is the user's decision.
func (x *Exchange) endEdited(m Mark, agreed, here []byte) error {
	edited := m.editedFields(agreed, here)
	if len(edited) == 0 {
		return nil
	}
	m.Fields = slices.DeleteFunc(m.Fields, func(c Conflict) bool { return slices.Contains(edited, c.Field) })
	if len(m.Fields) == 0 {
		return ignoreMissing(Settle(x.Dir, m))
	}
	return m.replace(x.Dir)
}

// EndEdited resolves the conflicts in fields that were changed locally and are
// not pushed yet.
func (x *Exchange) EndEdited(ctx context.Context) error {
	marks, err := Marks(x.Dir)
	for _, m := range marks {
		agreed := x.lastGood(m.Key())
		if len(m.Fields) == 0 || agreed == "" {
			continue
		}
		if r, failed := x.Store.Get(ctx, m.Key()); failed == nil {
			err = errors.Join(err, x.endEdited(m, []byte(agreed), r.Spec))
		}
	}
	return err
}

// OnTop returns a version of the object with the local values of the conflict.
// These are the conflicting fields, or all local changes if the whole local
// version was replaced. Later changes are kept.
func (m *Mark) OnTop(now []byte) ([]byte, error) {
	kind, _ := resources.KindOf(m.Kind)
	ours, theirs := []byte(m.Ours), []byte(m.Theirs)
	if len(m.Fields) > 0 {
		text, _, err := MergeObject(kind, ours, now, ours, m.names()...)
		return text, err
	}
	wanted, _, err := MergeObject(kind, []byte(m.Base), theirs, ours)
	if err != nil {
		return nil, err
	}
	text, _, err := MergeObject(kind, theirs, wanted, now)
	return text, err
}

// Settle removes a mark.
func Settle(dir string, m Mark) error { return os.Remove(filepath.Join(dir, conflictsDir, m.file)) }

// removeOutdatedMarks removes the incoming marks that are no longer valid.
func (l *pass) removeOutdatedMarks(context.Context) (err error) {
	if !l.x.passState.all {
		for _, key := range l.keys {
			if name := markName(key) + incomingSuffix; !l.validMarks[name] {
				err = errors.Join(err, ignoreMissing(Settle(l.x.Dir, Mark{file: name})))
			}
		}
		return err
	}
	marks, err := Marks(l.x.Dir)
	for _, m := range marks {
		if m.Incoming() && !l.validMarks[m.file] {
			err = errors.Join(err, Settle(l.x.Dir, m))
		}
	}
	return err
}

// ignoreMissing returns the error, or nil if it means that a file does not
// exist.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
