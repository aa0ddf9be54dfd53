package mems

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Evidence reads what people and agents write as evidence: "docs/auth.md" or
// "docs/auth.md#Tokens" where there is such a file, anything else as a note.
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

// Cite makes of notes that name files evidence that cites them, and takes the sums of what
// is cited and has none. It returns what could not be found, in sentences.
func Cite(m *resources.Mem, w View) []string {
	var notes []string
	for i := range m.Spec.Evidence {
		e := &m.Spec.Evidence[i]
		if *e == (resources.MemEvidence{Note: e.Note}) {
			*e = Evidence(e.Note, w)
		}
		if e.Path == "" {
			if looksLikeFile(e.Note) {
				notes = append(notes, fmt.Sprintf("there is no file %q here: it is kept as a note", e.Note))
			}
			continue
		}
		sum, exists := memory.SumOf(*e, w)
		if !exists {
			notes = append(notes, fmt.Sprintf("there is no %s here: as long as all that it cites is gone, the mem stays out of the context", e.Cites()))
		}
		if exists && sum == "" && e.SHA256 == "" {
			notes = append(notes, fmt.Sprintf("%s is too big to be watched, or cannot be read: only that it is gone will be noticed", e.Cites()))
		}
		if e.SHA256 == "" {
			e.SHA256 = sum
		}
	}
	return notes
}

// TakeSums takes the sums of what a new mem cites and has none.
func TakeSums(m *resources.Mem, w View) {
	for i := range m.Spec.Evidence {
		if e := &m.Spec.Evidence[i]; e.Path != "" && e.SHA256 == "" {
			e.SHA256, _ = memory.SumOf(*e, w)
		}
	}
}

func looksLikeFile(note string) bool {
	return note != "" && !strings.ContainsAny(note, " \t\n:") && (strings.Contains(note, "/") || path.Ext(note) != "")
}

// differs lists what a mem cites that changed or is gone since its sums were taken.
func differs(m *resources.Mem, w View) (changed, gone []string) {
	for _, e := range m.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		changes, exists := memory.Compare(e, w)
		switch {
		case !exists:
			gone = append(gone, e.Cites())
		case changes:
			changed = append(changed, e.Cites())
		}
	}
	return changed, gone
}

// maxCited is how many mems one text confirms.
const maxCited = 20

// Cited returns the names of the mems that a text cites, as mem/NAME or mems/NAME, each
// once, in their order: somebody relied on them.
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
