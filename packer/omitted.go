package packer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// The end of a pack states the number of entries that did not fit, and the titles of the first few,
// so that the reader can query them. Irrelevant entries are not counted.
const (
	maxOmittedTitles = 3
	maxOmittedTitle  = 60 // characters of a title
)

// omittedEntries lists relevant entries that did not enter: reserved entries, false paths, then the
// others; each group best first, regardless of the last pack.
type omittedEntries []*candidate

// omitted returns the entries that did not enter: the candidates in order, the mems that exceeded
// a maximal number, and the false paths that may not enter.
func (d *packing) omitted(order []int) (left omittedEntries) {
	for _, i := range order {
		if c := &d.candidates[i]; !c.in {
			left = append(left, c)
		}
	}
	for i := range d.candidates {
		if c := &d.candidates[i]; c.exclusion == tooManyMems || c.section == antiPatterns && !c.canEnter() {
			left = append(left, c)
		}
	}
	slices.SortFunc(left, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.omissionRank(), b.omissionRank()), cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
	})
	return left
}

// omissionRank returns the rank of an omitted entry; lower is more important.
func (c *candidate) omissionRank() int {
	switch {
	case c.tier == reserved && c.section != antiPatterns:
		return 0
	case c.section == antiPatterns:
		return 1
	}
	return 2 + int(c.tier)
}

// text returns the section at the end of the pack. It is empty if no entry was
// omitted.
func (l omittedEntries) text() string {
	if len(l) == 0 {
		return ""
	}
	var titles []string
	for _, c := range l {
		if title := c.title(); len(titles) < maxOmittedTitles && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return omittedText(len(l), strings.Join(titles, " | "))
}

// omittedText returns the section that states how many entries did not fit, with some of their
// titles.
func omittedText(count int, titles string) string {
	return fmt.Sprintf("<%s>\n- %d found no room: %s\n</%[1]s>\n", omittedSection, count, titles)
}

// endReserve returns the maximal size of the section on omitted entries.
func endReserve() tokens.Size {
	return tokens.Measure(omittedText(9999999, strings.Repeat("x", maxOmittedTitles*(maxOmittedTitle+len(" (mems/)")))))
}

// title returns the title of a mem, or the beginning of its text, with its ID;
// for another entry only the ID.
func (c *candidate) title() string {
	if c.fact == nil || c.fact.mem == nil {
		return line(c.id)
	}
	spec := &c.fact.mem.Object.Spec
	text := spec.Title
	if text == "" {
		text = spec.Content
	}
	runes := []rune(strings.Join(strings.Fields(clean(text)), " "))
	if room := maxOmittedTitle - len(c.id); len(runes) > max(0, room) {
		runes = append(runes[:max(0, room)], []rune("...")...)
	}
	return line(string(runes) + " (" + c.id + ")")
}
