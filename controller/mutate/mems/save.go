// Package mems says what saving, confirming, replacing, linking and purging do to mems,
// and when they refuse. Its functions are pure: the command, the tools of agents and
// whatever feeds the memory by itself decide alike from the same view.
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

// View is what the functions look at. mutate.View is one.
type View interface {
	memory.View
	memory.Sources
	// SourceNames are the names by which parts of a file may be cited.
	SourceNames(path string) []string
	// Topic returns the mems of a topic, sorted by name.
	Topic(key string) []*resources.Mem
	// MemsSaying returns all mems with these words, as memory.NormalText leaves them,
	// sorted by name, in a slice that is the caller's.
	MemsSaying(text string) []*resources.Mem
}

// Causes of a refusal.
const (
	OtherShelf apierrors.Cause = "OtherShelf" // the topic, or the mem to be replaced, stands on another shelf
	NoReason   apierrors.Cause = "NoReason"   // a false path ends only with a reason
	Replaced   apierrors.Cause = "Replaced"   // another mem took its place
	OutOfUse   apierrors.Cause = "OutOfUse"   // it was purged, or its time is over
	Changed    apierrors.Cause = "Changed"    // what it cites has changed or is gone
	Kept       apierrors.Cause = "Kept"       // a false path is not purged
	Itself     apierrors.Cause = "Itself"     // a mem and itself
)

// refuse says why something cannot be done to a mem, and what to do instead.
func refuse(verb string, m *resources.Mem, cause apierrors.Cause, why, step string) error {
	return apierrors.Refuse(cause, "cannot "+verb+" "+object(m), why, step)
}

func object(m *resources.Mem) string {
	if name := m.Metadata.Name; name != "" {
		return fmt.Sprintf("mem %q", name)
	}
	return "a mem"
}

// What became of what was to be saved.
const (
	New       = "saved"     // a mem that stands for itself
	Revision  = "revised"   // a mem that replaces another one
	Duplicate = "duplicate" // it was there; it is counted, not stored twice
)

// Saved is what saving leads to.
type Saved struct {
	Mem   *resources.Mem // as it is to be written: the new one, or the one that was there
	What  string
	Other string   // the mem that it replaces
	Notes []string // sentences for whoever saved it
	Hints []string // what would have been better, as sentences
}

// Save decides what becomes of a mem that somebody wants to keep:
//
//   - a live mem with the same words (memory.NormalText) is counted up, and nothing new
//     is written; it takes over what it is to be found by, and evidence where it has none,
//     and it replaces what the new one would have replaced;
//   - with the topic of a live mem that says something else it is a revision: it replaces
//     that one, and takes over its shelf, type, tags and cues where it has none of its own;
//   - what it names in spec.supersedes is followed to the head of its chain.
//
// What it cites gets its sum (see cite), and blanks around its words go. m is changed.
func Save(m *resources.Mem, w View) (Saved, error) {
	m.Spec.Content, m.Spec.TopicKey = strings.TrimSpace(m.Spec.Content), strings.TrimSpace(m.Spec.TopicKey)
	if old := duplicateOf(m, w); old != nil {
		return again(m, old, w)
	}
	return Keep(m, w)
}

// again counts a mem that says the same as one that lives, and lets that one stand where
// the new one was to stand.
func again(m, old *resources.Mem, w View) (Saved, error) {
	saved := Saved{Mem: resources.Clone(old).(*resources.Mem), What: Duplicate}
	before := predecessor(m, w, &saved)
	asked := m.Spec.Supersedes != ""
	switch {
	case before == nil, before.Metadata.Name == old.Metadata.Name:
	case !asked && (old.Spec.TopicKey != "" || memory.Unfit(old, before) != ""):
		saved.Notes = append(saved.Notes, fmt.Sprintf("mem/%s says the same, and mem/%s something else about topic %q: see idumb mem tree", old.Metadata.Name, before.Metadata.Name, m.Spec.TopicKey))
	default:
		next, err := Supersede(saved.Mem, before, m.Spec.SupersedeReason, w)
		if err != nil {
			return saved, err
		}
		saved.Mem, saved.Other = next, before.Metadata.Name
	}
	saved.Mem.Spec.Duplicates++
	if saved.Mem.Spec.TopicKey == "" && (saved.Other != "" || len(liveOf(m.Spec.TopicKey, w)) == 0) {
		saved.Mem.Spec.TopicKey = m.Spec.TopicKey
	}
	return saved, saved.learn(m, w)
}

// Keep is Save for a mem that is to be there, whatever says the same. m is changed.
func Keep(m *resources.Mem, w View) (Saved, error) {
	saved := Saved{Mem: m, What: New}
	if err := saved.cite(m, w); err != nil {
		return saved, err
	}
	old := predecessor(m, w, &saved)
	if old == nil {
		return saved, nil
	}
	saved.What, saved.Other = Revision, old.Metadata.Name
	m.Spec.Supersedes = old.Metadata.Name
	m.Spec.Shelf = cmp.Or(m.Spec.Shelf, old.Spec.Shelf)
	if old.Spec.Type != resources.FalsePath { // what ends a false path seldom is one
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
	return saved, fits("save", m, old)
}

// duplicateOf is the live mem that says the same; of several the one of the same topic,
// then the first by name.
func duplicateOf(m *resources.Mem, w View) *resources.Mem {
	chains := memory.Chained(w)
	live := slices.DeleteFunc(sayers(m, w), func(other *resources.Mem) bool { return !memory.Live(other, chains, w.Now()) })
	if len(live) == 0 {
		return nil
	}
	topic := memory.NormalTopic(m.Spec.TopicKey)
	same := slices.IndexFunc(live, func(other *resources.Mem) bool { return memory.NormalTopic(other.Spec.TopicKey) == topic })
	return live[max(0, same)]
}

// sayers are the other mems with the same words, whether they hold or not, sorted by name.
func sayers(m *resources.Mem, w View) []*resources.Mem {
	return slices.DeleteFunc(w.MemsSaying(memory.NormalText(m.Spec.Content)), func(other *resources.Mem) bool { return other.Metadata.Name == m.Metadata.Name })
}

// predecessor is the mem that m replaces; nil for none.
func predecessor(m *resources.Mem, w View, saved *Saved) *resources.Mem {
	if name := m.Spec.Supersedes; name != "" {
		old := w.Mem(name)
		if old == nil || name == m.Metadata.Name {
			return nil // whoever writes it says so
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

// liveOf are the live mems of a topic, the one that was made last first.
func liveOf(topic string, w View) []*resources.Mem {
	if memory.NormalTopic(topic) == "" {
		return nil
	}
	chains := memory.Chained(w) // most of a topic are the revisions of one mem
	live := slices.DeleteFunc(slices.Clone(w.Topic(topic)), func(m *resources.Mem) bool { return !memory.Live(m, chains, w.Now()) })
	slices.SortStableFunc(live, func(a, b *resources.Mem) int { return b.Created().Compare(a.Created()) })
	return live
}

// fits refuses a mem that cannot take the place of another one.
func fits(verb string, m, old *resources.Mem) error {
	why := memory.Unfit(m, old)
	if why == "" {
		return nil
	}
	if m.Spec.Shelf == old.Spec.Shelf {
		return refuse(verb, m, NoReason, why, `say why it does not hold any more: --reason "..."`)
	}
	return refuse(verb, m, OtherShelf, why, fmt.Sprintf("leave --shelf out, or give it another topic: a mem replaces only mems of its own shelf, and mem/%s has this topic", old.Metadata.Name))
}
