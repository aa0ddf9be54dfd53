package packer

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// maxReminder is how much of a text tells which one is meant, in characters.
const maxReminder = 80

// Ended lists those of some mems and anchors that do not hold any more, or are to be checked, each with
// why (Told.Why) and a line that says so.
func Ended(s Source, ids []string) []Told {
	var all []Told
	for _, id := range ids {
		kind, name, named := strings.Cut(id, "/")
		if !named || kind != resources.Mems && kind != resources.Anchors {
			continue
		}
		f := factNamed(s, id)
		why, what := whyEnded(s, resources.Key{Kind: kind, Name: name}, f), ""
		if why == "" {
			continue
		}
		if f != nil {
			what = " (" + shortened(f.content(), maxReminder) + ")"
		}
		all = append(all, Told{ID: id, Why: why, Text: "- " + line(id+what+": "+why)})
	}
	return all
}

// content is the text of a mem or an anchor.
func (f *fact) content() string {
	if f.mem != nil {
		return f.mem.Object.Spec.Content
	}
	return f.anchor.Object.Spec.Content
}

// whyEnded is why a mem or an anchor does not hold any more, or is to be checked; "" for neither.
func whyEnded(s Source, key resources.Key, f *fact) string {
	switch {
	case f == nil && s.Exists(key): // it cannot be read
		return ""
	case f == nil && s.Archived(key):
		return "it was archived."
	case f == nil:
		return "it was removed."
	case f.anchor != nil && f.phase == resources.Purged:
		return "it was taken out of the context."
	case f.anchor != nil:
		return checked(changedFile(f.anchor))
	}
	return endedMem(s, f.mem)
}

// endedMem is whyEnded of a mem.
func endedMem(s Source, m *Mem) string {
	spec := &m.Object.Spec
	switch m.Status.Phase {
	case resources.Superseded:
		why := memIDs + cmp.Or(m.Status.Head, m.Status.SupersededBy) + " took its place"
		if by := s.Mem(cmp.Or(m.Status.Head, m.Status.SupersededBy)); by != nil {
			why += ": " + shortened(by.Spec.Content, maxExcerpt)
		}
		return why
	case resources.Purged:
		return "it was retracted" + because(spec.PurgeReason)
	case resources.Ended:
		return "it held until " + spec.ValidTo.UTC().Format(time.DateOnly) + "."
	case resources.Gone:
		return "all that it cites is gone: " + suspicion(m) + "."
	}
	return checked(suspicion(m))
}

// because adds a reason, where there is one.
func because(reason string) string {
	if reason == "" {
		return "."
	}
	return ": " + shortened(reason, maxExcerpt)
}

// checked says that something is to be checked; "" for nothing.
func checked(doubt string) string {
	if doubt == "" {
		return ""
	}
	return "check it before you rely on it: " + doubt + "."
}
