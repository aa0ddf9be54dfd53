package printers

import (
	"maps"
	"slices"
	"strings"
)

// JoinLabels prints labels as k=v,k=v, sorted.
func JoinLabels(labels map[string]string) string {
	parts := make([]string, 0, len(labels))
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, k+"="+labels[k])
	}
	return strings.Join(parts, ",")
}
