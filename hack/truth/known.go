package main

import (
	_ "embed"
	"slices"
	"strings"
)

// knownFaults lists the kinds of faults that are not mended yet, a line each: kind, a tab, the reason.
//
//go:embed known.txt
var knownFaults string

// knownKinds returns the listed kinds.
func knownKinds() []string {
	var kinds []string
	for line := range strings.Lines(knownFaults) {
		if kind, _, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(line, "#") {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// unknown returns the faults of kinds that are not listed.
func unknown(faults []fault) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return slices.Contains(knownKinds(), f.Kind) })
}
