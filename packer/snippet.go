package packer

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// Snippet is the entry of one object outside a pack, in the form and escaping
// of a pack.
type Snippet struct {
	ID        string // mems/NAME, anchors/NAME, tasks/NAME
	TextHash  string // equal for equal contents: a reader of one snippet does not need the other
	Doubt     string // why the object needs a check or is no longer valid; empty if neither
	Text      string // the line; empty if not requested
	Truncated bool   // Text is only the beginning
}

// maxSnippet is the maximal length of the snippet of a mem, in characters.
const maxSnippet = 500

func textHash(content string) string { return strconv.FormatUint(memory.SumOfWords(content, 0), 36) }

// snippet returns the snippet of a mem or an anchor, cut to most characters.
func (f *fact) snippet(most int) Snippet {
	t := Snippet{ID: f.id, TextHash: textHash(f.content())}
	if f.falsePath {
		t.TextHash = textHash(f.words())
	}
	if f.mem != nil {
		t.Doubt, t.Text = checkRequest(suspectCitations(f.mem)), memText(f.mem)
	} else {
		t.Doubt, t.Text = checkRequest(changedFile(f.anchor)), anchorText(f.anchor)
	}
	if tokens.Measure(t.Text).Characters > most {
		t.Text, t.Truncated = cutEntry(f.lineDate(), f.words(), f.id, most), true
	}
	return t
}

// words returns the text of a fact, with its title, as it is rendered before it
// is cut and escaped.
func (f *fact) words() string {
	switch {
	case f.anchor != nil:
		return f.anchor.Object.Spec.Content
	case f.falsePath:
		return warningOf(&f.mem.Object.Spec)
	}
	return titledContent(&f.mem.Object.Spec)
}

// lineDate returns the date at the beginning of a fact's line, empty without a date.
func (f *fact) lineDate() string {
	switch {
	case f.anchor != nil:
		return date(lastValidated(f.anchor.Object.Metadata, f.anchor.Object.Created()))
	case f.falsePath:
		return ""
	}
	return date(lastConfirmed(f.mem))
}

// cutEntry returns an entry of at most most characters. It omits the date if most is small.
func cutEntry(date, text, id string, most int) string {
	if most < maxExcerpt {
		date = ""
	}
	for room := most; ; {
		entry := entryText(date, line(shorten(text, room)), nil, id)
		over := tokens.Measure(entry).Characters - most
		if over <= 0 || room == 0 {
			return entry
		}
		room = max(0, room-over)
	}
}

// shorten returns the beginning of a text as one line of at most most characters, cut between
// words.
func shorten(text string, most int) string {
	const more = "..."
	runes := []rune(strings.Join(strings.Fields(clean(text)), " "))
	if len(runes) <= most {
		return string(runes)
	}
	cut := string(runes[:max(0, most-len(more))])
	if at := strings.LastIndexFunc(cut, unicode.IsSpace); at > len(cut)/2 {
		cut = cut[:at]
	}
	return cut + more
}

// suspectCitations returns the citations of a mem that changed or are missing, empty if none.
func suspectCitations(m *Mem) string { return listed(m.Status.Suspect) }

// changedFile returns a doubt if the file of an anchor changed, otherwise "".
func changedFile(a *Anchor) string {
	if suspectAnchor(a) {
		return "its file has changed"
	}
	return ""
}

// PackSnippets returns snippets of the mems and anchors in a pack, in their current version and without
// texts.
func PackSnippets(s Source, pack []byte) []Snippet {
	list, _ := statements(pack)
	var all []Snippet
	for _, entry := range list {
		if f := factByID(s, entry.object()); f != nil {
			t := f.snippet(maxSnippet)
			// A pack contains the whole entry, except of a long false path.
			t.Text, t.Truncated = "", f.falsePath && compressWarning(f.words()) != strings.Join(strings.Fields(clean(f.words())), " ")
			all = append(all, t)
		}
	}
	return all
}

// factByID returns the current mem or anchor with an ID, nil if none.
func factByID(s Source, id string) *fact {
	kind, name, _ := strings.Cut(id, "/")
	key := resources.Key{Kind: kind, Name: name}
	switch kind {
	case resources.Mems:
		if m, next, ok := withStatus(s, key, memory.Assess); ok {
			return factOf(&m, next)
		}
	case resources.Anchors:
		if a, next, ok := withStatus(s, key, status.DeriveAnchor); ok {
			return factOfAnchor(&a, next)
		}
	}
	return nil
}
