package main

import (
	_ "embed"
	"slices"
	"strings"
)

// knownFaults lists the kinds of faults that are not fixed yet. Each line contains the kind, a tab and
// the reason.
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

// rare reports whether the fixed worlds need not show a listed kind, since it depends on timing.
func rare(kind string) bool { return strings.Contains(knownFaults, kind+"\trare:") }

// unknown returns the faults of kinds that are not listed.
func unknown(faults []fault) []fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return slices.Contains(knownKinds(), f.Kind) })
}
