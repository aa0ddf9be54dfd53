// Package textdiff compares two texts line by line: for a person who wants to see
// what would change, and to take a change out of a text that was changed further.
package textdiff

import (
	"bytes"
	"slices"
)

// Hunk says that lines AFrom to ATo (without the latter) of one text stand as lines
// BFrom to BTo in the other. Lines count from 0.
type Hunk struct{ AFrom, ATo, BFrom, BTo int }

// Lines cuts a text behind each line end. No text has no line.
func Lines(text []byte) [][]byte {
	return slices.Collect(bytes.Lines(text))
}

// Compare returns the differing parts of two lists of lines, in order.
func Compare(a, b [][]byte) []Hunk {
	start := 0
	for start < len(a) && start < len(b) && bytes.Equal(a[start], b[start]) {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && bytes.Equal(a[len(a)-1-end], b[len(b)-1-end]) {
		end++
	}
	hunks := shortest(a[start:len(a)-end], b[start:len(b)-end])
	for i := range hunks {
		h := &hunks[i]
		h.AFrom, h.ATo, h.BFrom, h.BTo = h.AFrom+start, h.ATo+start, h.BFrom+start, h.BTo+start
	}
	return hunks
}

// maxWork bounds the search for the fewest changes: what would take longer counts
// as one change.
const maxWork = 2000

// shortest is Myers' search for the fewest changes.
func shortest(a, b [][]byte) []Hunk {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	trace, found := search(a, b)
	if !found {
		return []Hunk{{0, len(a), 0, len(b)}}
	}
	return hunksOf(trace, len(a), len(b))
}

// search returns how far each number of changes reaches on each diagonal.
func search(a, b [][]byte) (trace [][]int, found bool) {
	most := min(len(a)+len(b), maxWork)
	reach := make([]int, 2*most+3) // by diagonal
	zero := most + 1
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(reach[zero-d-1:zero+d+2]))
		for k := -d; k <= d; k += 2 {
			x := reach[zero+k-1] + 1
			if k == -d || k != d && reach[zero+k-1] < reach[zero+k+1] {
				x = reach[zero+k+1]
			}
			for x < len(a) && x-k < len(b) && bytes.Equal(a[x], b[x-k]) {
				x++
			}
			reach[zero+k] = x
			if x >= len(a) && x-k >= len(b) {
				return trace, true
			}
		}
	}
	return nil, false
}

// hunksOf walks the search back from its end.
func hunksOf(trace [][]int, x, y int) []Hunk {
	var hunks []Hunk
	for d := len(trace) - 1; d > 0; d-- {
		reach, zero, k := trace[d], d+1, x-y
		from := k - 1
		if k == -d || k != d && reach[zero+k-1] < reach[zero+k+1] {
			from = k + 1
		}
		px := reach[zero+from]
		py := px - from
		if from == k+1 { // a line of b came in
			hunks = joined(hunks, Hunk{px, px, py, py + 1})
		} else {
			hunks = joined(hunks, Hunk{px, px + 1, py, py})
		}
		x, y = px, py
	}
	slices.Reverse(hunks)
	return hunks
}

// joined puts a hunk before the last one found, in one with it if they touch.
func joined(hunks []Hunk, h Hunk) []Hunk {
	if n := len(hunks); n > 0 && hunks[n-1].AFrom == h.ATo && hunks[n-1].BFrom == h.BTo {
		hunks[n-1].AFrom, hunks[n-1].BFrom = h.AFrom, h.BFrom
		return hunks
	}
	return append(hunks, h)
}

// Undo takes out of text what made before into after, where text is after with
// changes elsewhere. False if the changes touch each other.
func Undo(before, after, text []byte) ([]byte, bool) {
	old, base, now := Lines(before), Lines(after), Lines(text)
	ours, theirs := Compare(base, old), Compare(base, now)
	var out [][]byte
	at := 0 // in base
	for len(ours)+len(theirs) > 0 {
		var h Hunk
		var from [][]byte
		if len(theirs) == 0 || len(ours) > 0 && ours[0].AFrom < theirs[0].AFrom {
			h, from, ours = ours[0], old, ours[1:]
		} else {
			h, from, theirs = theirs[0], now, theirs[1:]
		}
		if h.AFrom < at || touches(h, ours) || touches(h, theirs) {
			return nil, false
		}
		out = append(append(out, base[at:h.AFrom]...), from[h.BFrom:h.BTo]...)
		at = h.ATo
	}
	return bytes.Join(append(out, base[at:]...), nil), true
}

// touches reports whether the next change of the other side begins where h ends, or
// before: then nobody knows which comes first.
func touches(h Hunk, next []Hunk) bool { return len(next) > 0 && next[0].AFrom <= h.ATo }
