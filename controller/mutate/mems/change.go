package mems

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Confirmation is a confirmation that a mem is still valid.
type Confirmation struct {
	Author, Note string
	Check        bool     // refuse if a citation has changed
	Evidence     []string // replaces the missing citations
}

// Confirm returns the mem with one more confirmation and updated hashes of its
// citations. Several confirmations by the same author on one day count once.
func Confirm(m *resources.Mem, c Confirmation, w View) (*resources.Mem, error) {
	if err := refuseOutOfUse("confirm", m, w); err != nil {
		return nil, err
	}
	next := resources.Clone(m).(*resources.Mem)
	if len(c.Evidence) > 0 {
		next.Spec.Evidence = slices.DeleteFunc(next.Spec.Evidence, func(e resources.MemEvidence) bool {
			return e.Path != "" && !memory.Look(e, w).Exists
		})
		for _, text := range c.Evidence {
			e := Evidence(text, w)
			if err := noPart("confirm", m, e, memory.Look(e, w), w); err != nil {
				return nil, err
			}
			next.Spec.Evidence = withEvidence(next.Spec.Evidence, e)
		}
	}
	// citations that changed or disappeared since their hashes were recorded
	var changed []string
	var gone []string
	for _, e := range next.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		switch seen := memory.Look(e, w); {
		case !seen.Exists:
			gone = append(gone, e.Cites())
		case seen.Changed:
			changed = append(changed, e.Cites())
		}
	}
	if _, lost := next.Metadata.Annotations[memory.AnnotationSourceLost]; lost {
		changed = append(changed, next.Spec.Source+" is not on any branch")
		delete(next.Metadata.Annotations, memory.AnnotationSourceLost)
	}
	switch {
	case len(gone) > 0:
		return nil, refuse("confirm", m, Changed, "its evidence no longer exists: "+strings.Join(gone, ", "), "say what shows it now: --evidence FILE, or replace it: idumb supersede mem "+m.Metadata.Name)
	case c.Check && len(changed) > 0:
		return nil, refuse("confirm", m, Changed, "its evidence has changed: "+strings.Join(changed, ", "), "read it, then confirm without --check, or replace it: idumb supersede mem "+m.Metadata.Name)
	}
	for i := range next.Spec.Evidence {
		if e := &next.Spec.Evidence[i]; e.Path != "" {
			*e = memory.Look(*e, w).Now
		}
	}
	today := status.DayOf(w.Now())
	same := func(o resources.MemConfirmation) bool { return o.By == c.Author && status.DayOf(o.At.Time) == today }
	if !slices.ContainsFunc(next.Spec.Confirmations, same) {
		next.Spec.Confirmations = append(next.Spec.Confirmations, resources.MemConfirmation{At: resources.NewTime(w.Now()), By: c.Author, Note: c.Note})
	}
	return next, nil
}

// withEvidence adds an element to a list, unless it is already in the list.
func withEvidence(list []resources.MemEvidence, e resources.MemEvidence) []resources.MemEvidence {
	same := func(there resources.MemEvidence) bool {
		if e.Path == "" {
			return there.Path == "" && there.Note == e.Note
		}
		return there.Path == e.Path && there.Section == e.Section
	}
	if slices.ContainsFunc(list, same) {
		return list
	}
	return append(list, e)
}

// refuseOutOfUse returns a refusal if a mem is out of use.
func refuseOutOfUse(verb string, m *resources.Mem, w View) error {
	if head := memory.Head(m, w); head.Metadata.Name != m.Metadata.Name {
		step := "idumb " + verb + " mem " + head.Metadata.Name
		if verb == "purge" {
			step = "idumb mem purge " + head.Metadata.Name
		}
		return refuse(verb, m, Replaced, fmt.Sprintf("mem %q supersedes it", head.Metadata.Name), step)
	}
	if at := m.Spec.PurgedAt; !at.IsZero() && m.Spec.Type != resources.FalsePath {
		return refuse(verb, m, OutOfUse, "it was purged", fmt.Sprintf(`take that back first: idumb patch mem %s -p '{"spec":{"purgedAt":null,"purgeReason":null}}'`, m.Metadata.Name))
	}
	return nil
}

// Purge returns the mem removed from contexts. Its file stays.
func Purge(m *resources.Mem, reason string, w View) (*resources.Mem, error) {
	if m.Spec.Type == resources.FalsePath {
		return nil, refuse("purge", m, FalsePathCause, "it records a failed approach, which only another mem with a reason can replace", fmt.Sprintf(`idumb supersede mem %s --content "..." --reason "..."`, m.Metadata.Name))
	}
	next := resources.Clone(m).(*resources.Mem)
	if next.Spec.PurgedAt.IsZero() || next.Spec.PurgedAt.After(w.Now()) {
		next.Spec.PurgedAt = resources.NewTime(w.Now())
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		next.Spec.PurgeReason = reason
	}
	return next, nil
}

// Supersede returns the mem as the replacement of the last mem in old's chain.
// A false path is only replaced with a reason.
func Supersede(m, old *resources.Mem, reason string, w View) (*resources.Mem, error) {
	head := memory.Head(old, w)
	if head.Metadata.Name == m.Metadata.Name {
		if old.Metadata.Name != m.Metadata.Name {
			return m, nil // it is already the head of that chain
		}
		return nil, refuse("supersede", m, Itself, "a mem cannot replace itself", "name another one with --with, or write a new one with --content")
	}
	if other := revivedMem(m, head, w); other != nil {
		root := memory.ChainRoot(m, w).Metadata.Name
		return nil, refuse("supersede", head, Itself, fmt.Sprintf("mem %q supersedes mem %q, which would become valid again", m.Metadata.Name, other.Metadata.Name), fmt.Sprintf("use the first mem of its chain: idumb supersede mem %s --by %s", head.Metadata.Name, root))
	}
	next := resources.Clone(m).(*resources.Mem)
	if next.Spec.Supersedes != head.Metadata.Name {
		next.Spec.Supersedes, next.Spec.SupersedesSince = head.Metadata.Name, resources.NewTime(w.Now())
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		next.Spec.SupersedeReason = reason
	}
	return next, checkReplace("supersede", next, head)
}

// revivedMem returns the mem that would become valid again if m replaced head
// instead of its current predecessor, or nil.
func revivedMem(m, head *resources.Mem, w View) *resources.Mem {
	old := w.Mem(m.Spec.Supersedes)
	if old == nil || old.Metadata.Name == head.Metadata.Name || memory.Live(old, w, w.Now()) {
		return nil
	}
	if by := memory.Replacements(old, w); len(by) != 1 || by[0].Metadata.Name != m.Metadata.Name {
		return nil // it has another replacement, or none
	}
	return old
}

// Link returns the mem with or without a relation to another object. A relation
// to a replaced mem is changed to its replacement.
func Link(m *resources.Mem, to resources.Key, linked bool, g memory.Graph) (*resources.Mem, error) {
	if linked {
		to = headOf(to, g)
	}
	if to == m.Key() {
		return nil, refuse("link", m, Itself, "it is itself", "name another object")
	}
	next := resources.Clone(m).(*resources.Mem)
	switch i := slices.Index(resources.RelatedKeys(next), to); {
	case linked && i < 0:
		next.Spec.RelatedTo = append(next.Spec.RelatedTo, reference(to))
	case !linked:
		for ; i >= 0; i = slices.Index(resources.RelatedKeys(next), to) {
			next.Spec.RelatedTo = slices.Delete(next.Spec.RelatedTo, i, i+1)
		}
	}
	return next, nil
}

// LinkAs is like Link with an object in text form: NAME of a mem, or KIND/NAME.
func LinkAs(m *resources.Mem, to string, g memory.Graph) (*resources.Mem, error) {
	next := resources.Clone(m).(*resources.Mem)
	next.Spec.RelatedTo = append(next.Spec.RelatedTo, to)
	keys := resources.RelatedKeys(next)
	key := keys[len(keys)-1]
	if slices.Contains(keys[:len(keys)-1], key) {
		return m, nil
	}
	if key == m.Key() || headOf(key, g) != key {
		return Link(m, key, true, g)
	}
	return next, nil
}

// headOf returns the current replacement of a mem. It returns other keys
// unchanged.
func headOf(key resources.Key, g memory.Graph) resources.Key {
	if key.Kind != resources.Mems {
		return key
	}
	if m := g.Mem(key.Name); m != nil {
		return memory.Head(m, g).Key()
	}
	return key
}

// reference returns the form of an object in spec.relatedTo of a mem.
func reference(key resources.Key) string {
	kind, ok := resources.KindOf(key.Kind)
	if !ok || key.Kind == resources.Mems {
		return key.Name
	}
	return kind.Singular + "/" + key.Name
}
