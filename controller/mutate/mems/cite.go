package mems

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Evidence parses evidence of users and agents: "docs/auth.md" or
// "docs/auth.md#Tokens" if the file exists, and a note otherwise.
func Evidence(text string, w View) resources.MemEvidence {
	file, section, _ := strings.Cut(strings.TrimSpace(text), "#")
	if file == "" || strings.HasPrefix(file, "/") || path.Clean(file) != file || strings.HasPrefix(file, "..") {
		return resources.MemEvidence{Note: text}
	}
	if _, _, exists := w.SourceFile(file); !exists {
		return resources.MemEvidence{Note: text}
	}
	return resources.MemEvidence{Path: file, Section: strings.TrimSpace(section)}
}

// NoPart is the cause of a refusal: a file has no part with the cited name.
const NoPart apierrors.Cause = "NoPart"

// CiteInstead is the prefix of a citation in the next step of a refusal for
// NoPart. The refusal's Evidence is the original citation.
const CiteInstead = "cite it as --evidence "

// cite converts notes that name files to citations and records missing hashes.
// It adds notes about missing sources, and hints for citing a part instead of a
// whole file.
func (s *Saved) cite(m *resources.Mem, w View) error {
	for i := range m.Spec.Evidence {
		e := &m.Spec.Evidence[i]
		if *e == (resources.MemEvidence{Note: e.Note}) {
			*e = Evidence(e.Note, w)
		}
		if e.Path == "" {
			if looksLikeFile(e.Note) {
				s.note("there is no file %q here: it is kept as a note", e.Note)
			}
			continue
		}
		seen := memory.Look(*e, w)
		if err := noPart("save", m, *e, seen, w); err != nil {
			return err
		}
		s.noteSeen(*e, seen)
		s.hint(m, *e, w)
		if e.SHA256 == "" {
			*e = seen.Now
		}
	}
	return nil
}

// note adds a note for the author of the mem.
func (s *Saved) note(format string, values ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, values...))
}

// noteSeen adds a note if a citation may not have the expected effect.
func (s *Saved) noteSeen(e resources.MemEvidence, seen memory.EvidenceState) {
	switch {
	case !seen.Exists:
		s.note("%s does not exist: the mem stays out of the context unless one of its citations exists", e.Cites())
	case seen.Part.SHA256 == "" && e.SHA256 == "":
		s.note("%s is too large or unreadable: iDumb detects its removal, but no changes", e.Cites())
	case len(seen.Part.Names) > 1:
		s.note("%s is %s: a change of any of them counts", e.Cites(), strings.Join(seen.Part.Names, " and "))
	}
}

// noPart refuses a new citation of a part that the file does not have. It also
// refuses a name that the file only mentions, because a comment or an import
// would be watched.
func noPart(verb string, m *resources.Mem, e resources.MemEvidence, seen memory.EvidenceState, w View) error {
	_, _, there := w.SourceFile(e.Path)
	if e.Section == "" || e.SHA256 != "" || !there || seen.Exists && !seen.Part.Mentioned {
		return nil
	}
	why := fmt.Sprintf("%s has no part that is called %q", e.Path, e.Section)
	if seen.Part.Mentioned {
		why = fmt.Sprintf("%s mentions %q, but nothing shows that it declares it; a line that declares it can be cited by its text", e.Path, e.Section)
	}
	instead := resources.MemEvidence{Path: e.Path}
	if names := w.SourceNames(e.Path); len(names) > 0 {
		why += "; it has " + resources.Listed(names, 5, ", ")
		instead.Section = resources.Nearest(e.Section, names)
	}
	refusal := apierrors.Refuse(NoPart, "cannot "+verb+" "+quotedName(m), why, CiteInstead+instead.Cites())
	refusal.Evidence = e.Cites()
	return refusal
}

// TakeSums records the missing hashes of a new mem's citations.
func TakeSums(m *resources.Mem, w View) {
	for i := range m.Spec.Evidence {
		if e := &m.Spec.Evidence[i]; e.Path != "" && e.SHA256 == "" {
			if seen := memory.Look(*e, w); !seen.Moved {
				e.SHA256 = seen.Now.SHA256
			}
		}
	}
}

// looksLikeFile reports whether the text of a note has the form of a path.
func looksLikeFile(note string) bool {
	return note != "" && !strings.ContainsAny(note, " \t\n:") && (strings.Contains(note, "/") || path.Ext(note) != "")
}

// maxCited is the maximum number of mems that one text confirms.
const maxCited = 20

// Cited returns the names of the mems that a text cites, as mem/NAME or
// mems/NAME, in order and without duplicates.
func Cited(text string) []string {
	var names []string
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;:()[]<>"'`+"`", r) }) {
		kind, name, found := strings.Cut(word, "/")
		name = strings.TrimRight(name, ".!?")
		if !found || kind != "mem" && kind != resources.Mems || resources.CheckName(name) != nil || slices.Contains(names, name) {
			continue
		}
		if names = append(names, name); len(names) == maxCited {
			break
		}
	}
	return names
}
