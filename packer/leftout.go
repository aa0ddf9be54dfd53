package packer

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strings"
)

// The end of a pack names what was left out, so that the reader can ask for it.
const (
	maxLeftOutNames      = 40
	maxLeftOutCharacters = 1000
)

// leftOut is what did not enter though it might be wanted.
type leftOut struct {
	names      []string // for want of room: what is reserved, false paths, stale ones, then all others
	irrelevant int      // mems that have too little to do with the active tasks
}

// leavings collects what was left out, in the order in which entries had their turn, but for
// what is merely useful.
func (d *packing) leavings(order []int) leftOut {
	var l leftOut
	var others, useful []string
	all := d.all
	for _, i := range order {
		switch c := &all[i]; {
		case c.in, c.tier == learnt:
		case c.tier == reserved, c.section == antiPatterns:
			l.names = append(l.names, c.id)
		default:
			others = append(others, c.id)
		}
	}
	for _, i := range d.byMagnitude() {
		if c := &all[i]; !c.in && (c.chosen || !c.loose) {
			useful = append(useful, c.id)
		}
	}
	for i := range all {
		switch c := &all[i]; {
		case c.loose && !c.chosen:
			l.irrelevant++
		case c.able():
		case c.section == antiPatterns: // never in silence, not even a stale one
			l.names = append(l.names, c.id)
		case c.why == tooFar, c.why == nothingShared, c.why == unasked:
			l.irrelevant += max(c.times, 1)
		}
	}
	l.names = unique(slices.Concat(l.names, others, useful))
	return l
}

// byMagnitude is what is merely useful by how great its score is, to a power of two, and then
// by name: the end of a pack must not change with every nudge.
func (d *packing) byMagnitude() []int {
	if d.useful != nil {
		return d.useful
	}
	d.useful = make([]int, 0, len(d.all))
	for i := range d.all {
		if c := &d.all[i]; c.tier == learnt && c.able() {
			d.useful = append(d.useful, i)
		}
	}
	magnitude := func(i int) int { return bits.Len(uint(max(d.all[i].score, 0))) } // without what counts for having been in
	slices.SortFunc(d.useful, func(i, j int) int {
		if c := cmp.Compare(magnitude(j), magnitude(i)); c != 0 {
			return c
		}
		return strings.Compare(d.all[i].id, d.all[j].id)
	})
	return d.useful
}

// unique returns names without repetitions: several parts of one object may be out.
func unique(names []string) []string {
	seen := make(map[string]bool, len(names))
	return slices.DeleteFunc(names, func(name string) bool {
		known := seen[name]
		seen[name] = true
		return known
	})
}

// endReserve is the size of the end when it has no room for names.
func endReserve() size { return measure(leftOutTag(9999999, 9999999) + "</left_out>\n") }

func leftOutTag(noRoom, irrelevant int) string {
	return fmt.Sprintf("<left_out entries=\"%d\" less_relevant=\"%d\">\n", noRoom, irrelevant)
}

// text returns the end of the pack with that many names.
func (l leftOut) text(names int) string {
	if len(l.names) == 0 && l.irrelevant == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(leftOutTag(len(l.names), l.irrelevant))
	for _, name := range l.names[:names] {
		b.WriteString("- " + line(name) + "\n")
	}
	if more := len(l.names) - names; more > 0 && names > 0 {
		fmt.Fprintf(&b, "- and %d more: idumb context --explain\n", more)
	}
	b.WriteString("</left_out>\n")
	return b.String()
}

// wanted returns the size of the end that has as many names as it should: at most
// maxLeftOutNames, in maxLeftOutCharacters or an eighth of the host's limit. Where there are
// more names than that, all of it is kept for them, so that it does not change with each name.
func (l leftOut) wanted(b Budget) size {
	most := maxLeftOutCharacters
	if b.Limit > 0 {
		most = min(most, b.Limit/8)
	}
	names := l.fitting(func(s size) bool { return s.characters <= most })
	size := measure(l.text(names))
	if names < len(l.names) && size.characters > 0 && size.characters < most {
		size.milli, size.characters = size.milli*most/size.characters, most
	}
	return size
}

// fitting returns the greatest number of names with which the end still fits.
// More names take more room, but that the last one takes that of saying how many more there are.
func (l leftOut) fitting(fits func(size) bool) int {
	most := min(len(l.names), maxLeftOutNames)
	unlike := max(0, most-1) // up to here each name makes it longer
	n := sort.Search(unlike, func(n int) bool { return !fits(measure(l.text(n + 1))) })
	if n == unlike && most > 0 && fits(measure(l.text(most))) {
		return most
	}
	return n
}
