// Package textdiff compares two texts line by line: for a person who wants to see
// what would change, and to take a change out of a text that was changed further.
package textdiff

import (
	"fmt"

	"github.com/aymanbagabas/go-udiff"
)

// Unified prints what makes a into b in the form of diff -u, without times. Names
// are /dev/null for a file that does not exist. Equal texts print nothing.
func Unified(nameA, nameB string, a, b []byte) string {
	edits := udiff.Lines(string(a), string(b))
	if len(edits) == 0 && nameA != nameB {
		return fmt.Sprintf("--- %s\n+++ %s\n", nameA, nameB)
	}
	text, err := udiff.ToUnified(nameA, nameB, string(a), edits, udiff.DefaultContextLines)
	if err != nil { // edits of another text: these are of a
		return ""
	}
	return text
}

// Undo takes out of text what made before into after, where text is after with
// changes elsewhere. False if the changes touch each other: then nobody knows which comes first.
func Undo(before, after, text []byte) ([]byte, bool) {
	ours, theirs := udiff.Lines(string(after), string(before)), udiff.Lines(string(after), string(text))
	for _, a := range ours {
		for _, b := range theirs {
			if a.Start <= b.End && b.Start <= a.End {
				return nil, false
			}
		}
	}
	undone, err := udiff.ApplyBytes(after, append(ours, theirs...))
	return undone, err == nil
}
