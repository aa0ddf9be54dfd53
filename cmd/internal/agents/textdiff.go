package agents

import (
	"fmt"

	"github.com/aymanbagabas/go-udiff"
)

// Unified returns the differences from a to b in the format of diff -u, without times. The name of
// a missing file is /dev/null. The result is empty for equal texts.
func Unified(nameA, nameB string, a, b []byte) string {
	edits := udiff.Lines(string(a), string(b))
	if len(edits) == 0 && nameA != nameB {
		return fmt.Sprintf("--- %s\n+++ %s\n", nameA, nameB)
	}
	text, err := udiff.ToUnified(nameA, nameB, string(a), edits, udiff.DefaultContextLines)
	if err != nil { // impossible: the edits belong to a
		return ""
	}
	return text
}

// Undo reverts the change from before to after in text, which is after with further changes. It
// returns false if the changes touch each other.
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
