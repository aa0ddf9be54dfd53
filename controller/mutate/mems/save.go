// Package mems defines the effects of saving, confirming, replacing, linking
// and purging mems, and when these are refused. Except for CountAccess, its
// functions write nothing, so commands, the tools of agents and automatic sources
// decide in the same way.
package mems

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

// View is the input of the functions. mutate.View implements it.
type View interface {
	memory.View
	memory.Sources
	// SourceNames returns the names by which parts of a file may be cited.
	SourceNames(path string) []string
	// Topic returns the mems of a topic, sorted by name.
	Topic(key string) []*resources.Mem
	// MemsSaying returns all mems with these words, normalized by
	// memory.NormalText, sorted by name. The caller may modify the slice.
	MemsSaying(text string) []*resources.Mem
}

// Causes of a refusal.
const (
	OtherShelf     apierrors.Cause = "OtherShelf" // the topic, or the mem to replace, is on another shelf
	NoReason       apierrors.Cause = "NoReason"   // a false path is only replaced with a reason
	Replaced       apierrors.Cause = "Replaced"   // the mem was replaced
	OutOfUse       apierrors.Cause = "OutOfUse"   // the mem was purged or has expired
	Changed        apierrors.Cause = "Changed"    // a citation has changed or disappeared
	FalsePathCause apierrors.Cause = "Kept"       // a false path cannot be purged
	Itself         apierrors.Cause = "Itself"     // a mem cannot relate to itself
)

// refuse returns a refusal to change a mem, with the next step.
func refuse(verb string, m *resources.Mem, cause apierrors.Cause, why, step string) error {
	return apierrors.Refuse(cause, "cannot "+verb+" "+quotedName(m), why, step)
}

// quotedName names a mem in errors: by its name, or as "a mem" before it has
// one.
func quotedName(m *resources.Mem) string {
	if name := m.Metadata.Name; name != "" {
		return fmt.Sprintf("mem %q", name)
	}
	return "a mem"
}

// Results of saving.
const (
	New       = "saved"     // a new mem without a predecessor
	Revision  = "revised"   // a mem that replaces another one
	Duplicate = "duplicate" // it already existed; its count was increased
)

// Saved is the result of saving.
type Saved struct {
	Mem       *resources.Mem // the mem to write: the new or the existing one
	Operation string
	Replaced  string   // the replaced mem
	Notes     []string // sentences for the author
	Hints     []string // suggestions, as sentences
}

// Save decides how to save a mem:
//
//   - If a live mem has the same words (memory.NormalText), its count is
//     increased and no mem is added. It takes over the cues of the new mem, its
//     evidence if it has none, and its predecessor.
//   - If a live mem has the same topic and other words, the new mem is a
//     revision: it replaces that mem and takes over its shelf, type, tags and
//     cues if it has none.
//   - A name in spec.supersedes is resolved to the head of its chain.
//
// Save records the hashes of citations (see cite) and trims spaces. It modifies
// m.
func Save(m *resources.Mem, w View) (Saved, error) {
	m.Spec.Content, m.Spec.TopicKey = strings.TrimSpace(m.Spec.Content), strings.TrimSpace(m.Spec.TopicKey)
	if old := duplicateOf(m, w); old != nil {
		return countAgain(m, old, w)
	}
	return Add(m, w)
}

// countAgain increases the count of a live mem with the same words. That mem
// replaces the one that the new mem would have replaced.
func countAgain(m, old *resources.Mem, w View) (Saved, error) {
	saved := Saved{Mem: resources.Clone(old).(*resources.Mem), Operation: Duplicate}
	before := predecessor(m, w, &saved)
	switch asked := m.Spec.Supersedes != ""; {
	case before == nil, before.Metadata.Name == old.Metadata.Name:
	case !asked && (old.Spec.TopicKey != "" || memory.ReplacementError(old, before) != ""):
		saved.Notes = append(saved.Notes, fmt.Sprintf("mem/%s has the same content, and mem/%s has other content on topic %q: see idumb mem tree", old.Metadata.Name, before.Metadata.Name, m.Spec.TopicKey))
	default:
		next, err := Supersede(saved.Mem, before, m.Spec.SupersedeReason, w)
		if err != nil {
			return saved, err
		}
		saved.Mem, saved.Replaced = next, before.Metadata.Name
	}
	saved.Mem.Spec.Duplicates++
	if saved.Mem.Spec.TopicKey == "" && (saved.Replaced != "" || len(liveOf(m.Spec.TopicKey, w)) == 0) {
		saved.Mem.Spec.TopicKey = m.Spec.TopicKey
	}
	return saved, saved.learn(m, w)
}

// Add is like Save, but always adds the mem. It modifies m.
func Add(m *resources.Mem, w View) (Saved, error) {
	saved := Saved{Mem: m, Operation: New}
	if err := saved.cite(m, w); err != nil {
		return saved, err
	}
	old := predecessor(m, w, &saved)
	if old == nil {
		return saved, nil
	}
	saved.Operation, saved.Replaced = Revision, old.Metadata.Name
	m.Spec.Supersedes = old.Metadata.Name
	m.Spec.Shelf = cmp.Or(m.Spec.Shelf, old.Spec.Shelf)
	if old.Spec.Type != resources.FalsePath { // the replacement of a false path is rarely one
		m.Spec.Type = cmp.Or(m.Spec.Type, old.Spec.Type)
	}
	m.Spec.TopicKey = cmp.Or(m.Spec.TopicKey, old.Spec.TopicKey)
	if len(m.Spec.Tags) == 0 {
		m.Spec.Tags = slices.Clone(old.Spec.Tags)
	}
	if m.Spec.AppliesWhen == nil && old.Spec.AppliesWhen != nil {
		copied := resources.Clone(old).(*resources.Mem)
		m.Spec.AppliesWhen = copied.Spec.AppliesWhen
	}
	return saved, checkReplace("save", m, old)
}

// duplicateOf returns a live mem with the same words, or nil. It prefers one
// with the same topic, then the first by name.
func duplicateOf(m *resources.Mem, w View) *resources.Mem {
	chains := memory.Chained(w)
	live := slices.DeleteFunc(sameWords(m, w), func(other *resources.Mem) bool { return !memory.Live(other, chains, w.Now()) })
	if len(live) == 0 {
		return nil
	}
	topic := memory.NormalTopic(m.Spec.TopicKey)
	same := slices.IndexFunc(live, func(other *resources.Mem) bool { return memory.NormalTopic(other.Spec.TopicKey) == topic })
	return live[max(0, same)]
}

// sameWords returns the other mems with the same words, valid or not, sorted by
// name.
func sameWords(m *resources.Mem, w View) []*resources.Mem {
	return slices.DeleteFunc(w.MemsSaying(memory.NormalText(m.Spec.Content)), func(other *resources.Mem) bool { return other.Metadata.Name == m.Metadata.Name })
}

// predecessor returns the mem that m replaces, or nil. It adds notes to saved if
// that is not the named mem or not the only one of the topic.
func predecessor(m *resources.Mem, w View, saved *Saved) *resources.Mem {
	if name := m.Spec.Supersedes; name != "" {
		old := w.Mem(name)
		if old == nil || name == m.Metadata.Name {
			return nil // the writer reports it
		}
		head := memory.Head(old, w)
		if head.Metadata.Name != old.Metadata.Name {
			saved.Notes = append(saved.Notes, fmt.Sprintf("mem/%s was replaced before: this replaces mem/%s", name, head.Metadata.Name))
		}
		return head
	}
	heads := liveOf(m.Spec.TopicKey, w)
	heads = slices.DeleteFunc(heads, func(o *resources.Mem) bool { return o.Metadata.Name == m.Metadata.Name })
	if len(heads) == 0 {
		return nil
	}
	if others := len(heads) - 1; others > 0 {
		saved.Notes = append(saved.Notes, fmt.Sprintf("%d more mems say something else about topic %q: see idumb review mems", others, m.Spec.TopicKey))
	}
	return heads[0]
}

// liveOf returns the live mems of a topic, newest first.
func liveOf(topic string, w View) []*resources.Mem {
	if memory.NormalTopic(topic) == "" {
		return nil
	}
	chains := memory.Chained(w) // most mems of a topic are revisions of one mem
	live := slices.DeleteFunc(slices.Clone(w.Topic(topic)), func(m *resources.Mem) bool { return !memory.Live(m, chains, w.Now()) })
	slices.SortStableFunc(live, func(a, b *resources.Mem) int { return b.Created().Compare(a.Created()) })
	return live
}

// checkReplace returns a refusal if a mem cannot replace another one.
func checkReplace(verb string, m, old *resources.Mem) error {
	why := memory.ReplacementError(m, old)
	if why == "" {
		return nil
	}
	if m.Spec.Shelf == old.Spec.Shelf {
		return refuse(verb, m, NoReason, why, `say why it is no longer in effect: --reason "..."`)
	}
	return refuse(verb, m, OtherShelf, why, fmt.Sprintf("omit --shelf, or use another topic: a mem replaces only mems on the same shelf, and mem/%s has this topic", old.Metadata.Name))
}
