package packer

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Told is a snippet: the entry of one object outside a pack, in the form and escaping of a pack.
type Told struct {
	ID   string // mems/NAME, anchors/NAME, tasks/NAME
	Twin string // equal for equal contents: a reader of one snippet does not need the other
	Why  string // why the object needs a check or is no longer valid; empty if neither
	Text string // the line; empty if not requested
	Cut  bool   // Text is only the beginning
}

// mostOfOne is the maximal length of the snippet of a mem, in characters.
const mostOfOne = 500

// twinOf returns a hash of the words of a content.
func twinOf(content string) string { return strconv.FormatUint(memory.SumOfWords(content, 0), 36) }

// told returns the snippet of a mem or an anchor, cut to most characters.
func (f *fact) told(most int) Told {
	t := Told{ID: f.id, Twin: twinOf(f.content())}
	if f.falsePath {
		t.Twin = twinOf(f.words())
	}
	if f.mem != nil {
		t.Why, t.Text = checked(suspicion(f.mem)), memText(f.mem)
	} else {
		t.Why, t.Text = checked(changedFile(f.anchor)), anchorText(f.anchor)
	}
	if measure(t.Text).characters > most {
		t.Text, t.Cut = cutEntry(f.dated(), f.words(), f.id, most), true
	}
	return t
}

// words returns the text of a fact, with its title, as rendered.
func (f *fact) words() string {
	switch {
	case f.anchor != nil:
		return f.anchor.Object.Spec.Content
	case f.falsePath:
		return warningOf(&f.mem.Object.Spec)
	}
	return titled(&f.mem.Object.Spec)
}

// dated returns the date at the beginning of a fact's line, empty if it has none.
func (f *fact) dated() string {
	switch {
	case f.anchor != nil:
		return date(validated(f.anchor.Object.Metadata, f.anchor.Object.Created()))
	case f.falsePath:
		return ""
	}
	return date(stoodFor(f.mem))
}

// cutEntry returns an entry of at most most characters. It omits the date if most is small.
func cutEntry(date, text, id string, most int) string {
	if most < maxExcerpt {
		date = ""
	}
	for room := most; ; {
		entry := entryText(date, line(shortened(text, room)), nil, id)
		over := measure(entry).characters - most
		if over <= 0 || room == 0 {
			return entry
		}
		room = max(0, room-over)
	}
}

// shortened returns the beginning of a text as one line of at most most characters, cut between
// words.
func shortened(text string, most int) string {
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

// suspicion returns the citations of a mem that changed or are missing, empty if none.
func suspicion(m *Mem) string { return listed(m.Status.Suspect) }

// changedFile returns a doubt if the file of an anchor changed, otherwise "".
func changedFile(a *Anchor) string {
	if suspectAnchor(a) {
		return "its file has changed"
	}
	return ""
}

// Given returns snippets of the mems and anchors in a pack, in their current version and without
// texts.
func Given(s Source, pack []byte) []Told {
	list, _ := statements(pack)
	var all []Told
	for _, entry := range list {
		if f := factNamed(s, entry.object()); f != nil {
			t := f.told(mostOfOne)
			t.Text, t.Cut = "", false // a pack contains the whole entry
			all = append(all, t)
		}
	}
	return all
}

// factNamed returns the current mem or anchor with an ID, nil if none.
func factNamed(s Source, id string) *fact {
	kind, name, _ := strings.Cut(id, "/")
	key := resources.Key{Kind: kind, Name: name}
	switch kind {
	case resources.Mems:
		if m, next, ok := observed(s, key, memory.Assess); ok {
			return factOf(&m, next)
		}
	case resources.Anchors:
		if a, next, ok := observed(s, key, status.DeriveAnchor); ok {
			return factOfAnchor(&a, next)
		}
	}
	return nil
}
