package textdiff

import (
	"bytes"
	"fmt"
	"strings"
)

// around is how many equal lines stand before and behind a change.
const around = 3

// Unified prints what makes a into b in the form of diff -u, without times. Names
// are /dev/null for a file that does not exist. Equal texts print nothing.
func Unified(nameA, nameB string, a, b []byte) string {
	linesA, linesB := Lines(a), Lines(b)
	hunks := Compare(linesA, linesB)
	if len(hunks) == 0 && nameA == nameB {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", nameA, nameB)
	for len(hunks) > 0 {
		n := 1
		for n < len(hunks) && hunks[n].AFrom-hunks[n-1].ATo <= 2*around {
			n++
		}
		writeGroup(&out, linesA, linesB, hunks[:n])
		hunks = hunks[n:]
	}
	return out.String()
}

// writeGroup writes changes that stand near each other.
func writeGroup(out *strings.Builder, a, b [][]byte, hunks []Hunk) {
	first, last := hunks[0], hunks[len(hunks)-1]
	lead := min(around, first.AFrom)
	end := min(len(a), last.ATo+around)
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(first.AFrom-lead, end), span(first.BFrom-lead, last.BTo+end-last.ATo))
	at := first.AFrom - lead
	for _, h := range hunks {
		writeLines(out, ' ', a[at:h.AFrom])
		writeLines(out, '-', a[h.AFrom:h.ATo])
		writeLines(out, '+', b[h.BFrom:h.BTo])
		at = h.ATo
	}
	writeLines(out, ' ', a[at:end])
}

// span is how diff names lines: from 1, with their number, which is left out for one.
func span(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}

func writeLines(out *strings.Builder, sign byte, lines [][]byte) {
	for _, line := range lines {
		out.WriteByte(sign)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}
