package demo

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// daysUntilFading returns after how many whole days the mem in data is fading.
func daysUntilFading(data []byte) int {
	created := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	object, _, err := resources.Decode(mustKind(resources.Mems), "staging-is-slow", data)
	if err != nil {
		return 0
	}
	mem := object.(*resources.Mem)
	mem.Metadata.CreationTimestamp = resources.NewTime(created)
	for days := 1; days < 10_000; days++ {
		now := created.AddDate(0, 0, days)
		view := resources.NewSnapshot(resources.SnapshotInput{Objects: []resources.Object{mem}, Now: now})
		if status, _ := resources.DeriveMem(mem, view); status.Phase == resources.Fading {
			return days
		}
	}
	return 0
}
