package mems

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Confirmation is somebody's word that a mem still holds.
type Confirmation struct {
	By, Note string
	Check    bool     // refuse where what it cites has changed
	Evidence []string // in place of what it cites and what is gone
}

// Confirm returns the mem confirmed: one confirmation more, and the sums of what it cites
// as that is now. Several by the same on one day are one.
func Confirm(m *resources.Mem, c Confirmation, w View) (*resources.Mem, error) {
	if err := inUse("confirm", m, w); err != nil {
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
	changed, gone := differs(next, w)
	if _, lost := next.Metadata.Annotations[memory.AnnotationSourceLost]; lost {
		changed = append(changed, next.Spec.Source+" is on no branch any more")
		delete(next.Metadata.Annotations, memory.AnnotationSourceLost)
	}
	switch {
	case len(gone) > 0:
		return nil, refuse("confirm", m, Changed, "what it cites is gone: "+strings.Join(gone, ", "), "say what shows it now: --evidence FILE, or replace it: idumb supersede mem "+m.Metadata.Name)
	case c.Check && len(changed) > 0:
		return nil, refuse("confirm", m, Changed, "what it cites has changed: "+strings.Join(changed, ", "), "read it, then confirm without --check, or replace it: idumb supersede mem "+m.Metadata.Name)
	}
	for i := range next.Spec.Evidence {
		if e := &next.Spec.Evidence[i]; e.Path != "" {
			*e = memory.Look(*e, w).Now
		}
	}
	today := status.DayOf(w.Now())
	same := func(o resources.MemConfirmation) bool { return o.By == c.By && status.DayOf(o.At.Time) == today }
	if !slices.ContainsFunc(next.Spec.Confirmations, same) {
		next.Spec.Confirmations = append(next.Spec.Confirmations, resources.MemConfirmation{At: resources.NewTime(w.Now()), By: c.By, Note: c.Note})
	}
	return next, nil
}

// withEvidence is a list with one more, unless it is there.
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

// inUse refuses what is out of use already.
func inUse(verb string, m *resources.Mem, w View) error {
	if head := memory.Head(m, w); head.Metadata.Name != m.Metadata.Name {
		step := "idumb " + verb + " mem " + head.Metadata.Name
		if verb == "purge" {
			step = "idumb mem purge " + head.Metadata.Name
		}
		return refuse(verb, m, Replaced, fmt.Sprintf("mem %q took its place", head.Metadata.Name), step)
	}
	if at := m.Spec.PurgedAt; !at.IsZero() && m.Spec.Type != resources.FalsePath {
		return refuse(verb, m, OutOfUse, "it was purged", fmt.Sprintf(`take that back first: idumb patch mem %s -p '{"spec":{"purgedAt":null,"purgeReason":null}}'`, m.Metadata.Name))
	}
	return nil
}

// Purge returns the mem taken out of the context. Its file stays.
func Purge(m *resources.Mem, reason string, w View) (*resources.Mem, error) {
	if m.Spec.Type == resources.FalsePath {
		return nil, refuse("purge", m, Kept, "a false path ends only by a mem that replaces it and says why", fmt.Sprintf(`idumb supersede mem %s --content "..." --reason "..."`, m.Metadata.Name))
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

// Supersede returns the mem as one that takes the place of another one: the head of the
// chain of old. old ends, for a false path only with a reason.
func Supersede(m, old *resources.Mem, reason string, w View) (*resources.Mem, error) {
	head := memory.Head(old, w)
	if head.Metadata.Name == m.Metadata.Name {
		if old.Metadata.Name != m.Metadata.Name {
			return m, nil // it is the head of that chain already
		}
		return nil, refuse("supersede", m, Itself, "a mem cannot replace itself", "name another one with --with, or write a new one with --content")
	}
	if other := wouldReturn(m, head, w); other != nil {
		root := memory.ChainRoot(m, w).Metadata.Name
		return nil, refuse("supersede", head, Itself, fmt.Sprintf("mem %q takes the place of mem %q, which would hold again", m.Metadata.Name, other.Metadata.Name), fmt.Sprintf("let the first of its chain do it: idumb supersede mem %s --by %s", head.Metadata.Name, root))
	}
	next := resources.Clone(m).(*resources.Mem)
	if next.Spec.Supersedes != head.Metadata.Name {
		next.Spec.Supersedes, next.Spec.SupersedesSince = head.Metadata.Name, resources.NewTime(w.Now())
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		next.Spec.SupersedeReason = reason
	}
	return next, fits("supersede", next, head)
}

// wouldReturn is the mem that would hold again if m replaced head in place of what it
// replaces now; nil for none.
func wouldReturn(m, head *resources.Mem, w View) *resources.Mem {
	old := w.Mem(m.Spec.Supersedes)
	if old == nil || old.Metadata.Name == head.Metadata.Name || memory.Live(old, w, w.Now()) {
		return nil
	}
	by := memory.Replacements(old, w)
	if len(by) != 1 || by[0].Metadata.Name != m.Metadata.Name {
		return nil // something else replaces it, or nothing does
	}
	return old
}

// Link returns the mem with, or without, a relation to another object. One that is related to
// a mem that was replaced is related to what took its place.
func Link(m *resources.Mem, to resources.Key, linked bool, g memory.Graph) (*resources.Mem, error) {
	if linked {
		to = headOf(to, g)
	}
	if to == m.Key() {
		return nil, refuse("link", m, Itself, "it is itself", "name another object")
	}
	next := resources.Clone(m).(*resources.Mem)
	i := slices.Index(resources.RelatedKeys(next), to)
	switch {
	case linked && i < 0:
		next.Spec.RelatedTo = append(next.Spec.RelatedTo, reference(to))
	case !linked:
		for ; i >= 0; i = slices.Index(resources.RelatedKeys(next), to) {
			next.Spec.RelatedTo = slices.Delete(next.Spec.RelatedTo, i, i+1)
		}
	}
	return next, nil
}

// LinkAs is Link with the other object as somebody wrote it: NAME of a mem, or KIND/NAME.
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

// headOf is the mem that holds in the place of the one that was named; any other object as
// it is.
func headOf(key resources.Key, g memory.Graph) resources.Key {
	if key.Kind != resources.Mems {
		return key
	}
	if m := g.Mem(key.Name); m != nil {
		return memory.Head(m, g).Key()
	}
	return key
}

// reference is an object as spec.relatedTo of a mem names it.
func reference(key resources.Key) string {
	kind, ok := resources.KindOf(key.Kind)
	if !ok || key.Kind == resources.Mems {
		return key.Name
	}
	return kind.Singular + "/" + key.Name
}
