package packer

import (
	"cmp"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// maxReminder is the maximal length of an excerpt that identifies an entry, in characters.
const maxReminder = 80

// ExpiredSnippets returns those of the given mems and anchors that are no longer valid or need a check, each
// with the reason (Snippet.Doubt) and a line.
func ExpiredSnippets(s Source, ids []string) []Snippet {
	var all []Snippet
	for _, id := range ids {
		kind, name, named := strings.Cut(id, "/")
		if !named || kind != resources.Mems && kind != resources.Anchors {
			continue
		}
		f := factByID(s, id)
		why, what := whyEnded(s, resources.Key{Kind: kind, Name: name}, f), ""
		if why == "" {
			continue
		}
		if f != nil {
			what = " (" + shorten(f.content(), maxReminder) + ")"
		}
		all = append(all, Snippet{ID: id, Doubt: why, Text: "- " + line(id+what+": "+why)})
	}
	return all
}

// content returns the text of a mem or an anchor.
func (f *fact) content() string {
	if f.mem != nil {
		return f.mem.Object.Spec.Content
	}
	return f.anchor.Object.Spec.Content
}

// whyEnded returns why a mem or an anchor is no longer valid or needs a check; empty if neither.
func whyEnded(s Source, key resources.Key, f *fact) string {
	switch {
	case f == nil && s.Exists(key): // its file cannot be parsed
		return ""
	case f == nil && s.Archived(key):
		return "it was archived."
	case f == nil:
		return "it was removed."
	case f.anchor != nil && f.phase == resources.Purged:
		return "it was taken out of the context."
	case f.anchor != nil:
		return checkRequest(changedFile(f.anchor))
	}
	return endedMem(s, f.mem)
}

// endedMem returns why a mem is no longer valid or needs a check; empty if neither.
func endedMem(s Source, m *Mem) string {
	spec := &m.Object.Spec
	switch m.Status.Phase {
	case resources.Superseded:
		why := memIDs + cmp.Or(m.Status.Head, m.Status.SupersededBy) + " replaced it"
		if by := s.Mem(cmp.Or(m.Status.Head, m.Status.SupersededBy)); by != nil {
			why += ": " + shorten(by.Spec.Content, maxExcerpt)
		}
		return why
	case resources.Purged:
		return "it was retracted" + reasonSuffix(spec.PurgeReason)
	case resources.Ended:
		return "it was valid until " + spec.ValidTo.UTC().Format(time.DateOnly) + "."
	case resources.GonePhase:
		return "all of its sources no longer exist: " + suspectCitations(m) + "."
	}
	return checkRequest(suspectCitations(m))
}

// reasonSuffix returns the end of a sentence with a reason, "." for no reason.
func reasonSuffix(reason string) string {
	if reason == "" {
		return "."
	}
	return ": " + shorten(reason, maxExcerpt)
}

// checkRequest returns a request to check an entry; empty for no doubt.
func checkRequest(doubt string) string {
	if doubt == "" {
		return ""
	}
	return "check it before you rely on it: " + doubt + "."
}
