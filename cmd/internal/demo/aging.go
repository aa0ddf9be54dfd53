package demo

import (
	"fmt"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// daysUntilFading returns after how many whole days the mem in data is fading.
func daysUntilFading(data []byte) (int, error) {
	created := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	object, _, err := resources.Read(resources.Key{Kind: resources.Mems, Name: agingMem}, data)
	if err != nil {
		return 0, err
	}
	mem, _ := object.(*resources.Mem)
	mem.Metadata.CreationTimestamp = resources.NewTime(created)
	for days := range 10_000 {
		view := resources.NewSnapshot(resources.SnapshotInput{Objects: []resources.Object{mem}, Now: created.AddDate(0, 0, days)})
		if status, _ := resources.DeriveMem(mem, view); status.Phase == resources.Fading {
			return days, nil
		}
	}
	return 0, fmt.Errorf("mem/%s never fades", agingMem)
}
