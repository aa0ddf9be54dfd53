package printers

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// joinLabels formats labels as k=v,k=v, sorted.
func joinLabels(labels map[string]string) string {
	parts := make([]string, 0, len(labels))
	for _, k := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, k+"="+labels[k])
	}
	return strings.Join(parts, ",")
}

// LastSeen formats the time since an event was last seen: 5m, or 5m (x3 over 10m).
func LastSeen(e resources.Event, now time.Time) string {
	last := queries.Age(e.Time.Time, now)
	if e.Count > 1 {
		last += fmt.Sprintf(" (x%d over %s)", e.Count, queries.Age(e.First.Time, now))
	}
	return last
}
