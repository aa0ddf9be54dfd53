package packer

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Told is what is told of one object beside a pack: a line in the pack's form, escaped like it.
type Told struct {
	ID   string // mems/NAME, anchors/NAME, tasks/NAME
	Twin string // equal for what says the same: who knows one need not be told the other
	Why  string // why it is to be checked, or does not hold any more; "" for neither
	Text string // the line; "" where only the others were asked for
	Cut  bool   // Text tells the beginning only
}

// mostOfOne bounds what is told of one mem at once, in characters. The whole of it can be asked for.
const mostOfOne = 500

// twinOf is equal for equal contents, whatever stands between the words.
func twinOf(content string) string { return strconv.FormatUint(memory.SumOfWords(content, 0), 36) }

// told is the line of a mem or an anchor, cut where it would be longer than most characters.
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

// words are the text of a fact, with its title, as lines tell it.
func (f *fact) words() string {
	switch {
	case f.anchor != nil:
		return f.anchor.Object.Spec.Content
	case f.falsePath:
		return warningOf(&f.mem.Object.Spec)
	}
	return titled(&f.mem.Object.Spec)
}

// dated is the day that the line of a fact begins with, "" for none.
func (f *fact) dated() string {
	switch {
	case f.anchor != nil:
		return date(validated(f.anchor.Object.Metadata, f.anchor.Object.Created()))
	case f.falsePath:
		return ""
	}
	return date(stoodFor(f.mem))
}

// cutEntry is an entry of as much of a text as most characters have room for, without its date where that is little.
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

// shortened is the beginning of a text in one line, of that many characters at most and whole words.
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

// suspicion is what a mem cites that changed or is gone, "" for nothing.
func suspicion(m *Mem) string { return listed(m.Status.Suspect) }

// changedFile says that the file of an anchor has changed since, "" if it has not.
func changedFile(a *Anchor) string {
	if suspectAnchor(a) {
		return "its file has changed"
	}
	return ""
}

// Given lists the mems and anchors that a pack tells of, as they are now, without their lines.
func Given(s Source, pack []byte) []Told {
	list, _ := statements(pack)
	var all []Told
	for _, entry := range list {
		if f := factNamed(s, entry.object()); f != nil {
			t := f.told(mostOfOne)
			t.Text, t.Cut = "", false // a pack tells all of it
			all = append(all, t)
		}
	}
	return all
}

// factNamed is the mem or the anchor of an ID as it is now, nil if there is none.
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
