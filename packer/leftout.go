package packer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The end of a pack states the number of entries that did not fit, and the titles of the first few,
// so that the reader can query them. Irrelevant entries are not counted.
const (
	leftOutTitles    = 3
	leftOutTitleSize = 60 // characters of a title
)

// leftOut lists relevant entries that did not enter: reserved entries, false paths, then the
// others; each group best first, regardless of the last pack.
type leftOut []*candidate

func (d *packing) leavings(order []int) (left leftOut) {
	for _, i := range order {
		if c := &d.all[i]; !c.in {
			left = append(left, c)
		}
	}
	for i := range d.all {
		if c := &d.all[i]; c.passed == tooMany || c.section == antiPatterns && !c.able() {
			left = append(left, c)
		}
	}
	slices.SortFunc(left, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(a.missed(), b.missed()), cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
	})
	return left
}

// missed returns the rank of an omitted entry; lower is more important.
func (c *candidate) missed() int {
	switch {
	case c.tier == reserved && c.section != antiPatterns:
		return 0
	case c.section == antiPatterns:
		return 1
	}
	return 2 + int(c.tier)
}

// text returns the section at the end of the pack.
func (l leftOut) text() string {
	if len(l) == 0 {
		return ""
	}
	var titles []string
	for _, c := range l {
		if title := c.title(); len(titles) < leftOutTitles && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return leftOutText(len(l), strings.Join(titles, " | "))
}

func leftOutText(count int, titles string) string {
	return fmt.Sprintf("<%s>\n- %d found no room: %s\n</%[1]s>\n", leftOutSection, count, titles)
}

// endReserve returns the maximal size of that section.
func endReserve() size {
	return measure(leftOutText(9999999, strings.Repeat("x", leftOutTitles*(leftOutTitleSize+len(" (mems/)")))))
}

// title returns the title of an entry, or the beginning of its text, with its ID.
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
	if room := leftOutTitleSize - len(c.id); len(runes) > max(0, room) {
		runes = append(runes[:max(0, room)], []rune("...")...)
	}
	return line(string(runes) + " (" + c.id + ")")
}
