package mems

import (
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// accessFile counts recalled mems on this machine. The counts are not shared,
// because a recall confirms nothing.
const accessFile = "run/recalled.json"

// recentFile holds the counts since accessFile was last written. accessFile
// grows with every recalled mem, so it is not rewritten at each recall.
const (
	recentFile = "run/recalled-lately.json"
	maxRecent  = 200 // maximum number of mems in recentFile
)

// Access is the number of recalls of a mem on this machine and the time of the
// last one.
type Access struct {
	Count int            `json:"count"`
	Last  resources.Time `json:"last"`
}

// Accesses returns the access counts by names of mems, or nil if there are
// none.
func Accesses(kept store.Scratch) map[string]Access {
	return mergeCounts(accessesIn(kept, accessFile), accessesIn(kept, recentFile))
}

// accessesIn reads access counts from a scratch file. It returns nil if the
// file is missing or invalid.
func accessesIn(kept store.Scratch, file string) map[string]Access {
	var all map[string]Access
	if data, err := kept.Read(file); err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// mergeCounts adds up counts; it may modify all.
func mergeCounts(all, more map[string]Access) map[string]Access {
	if all == nil {
		return more
	}
	for name, a := range more {
		known := all[name]
		if known.Count += a.Count; a.Last.After(known.Last.Time) {
			known.Last = a.Last
		}
		all[name] = known
	}
	return all
}

// CountAccess counts the mems of a recall. Concurrent recalls may be counted
// once. An error means that nothing was counted; callers can ignore it.
func CountAccess(kept store.Scratch, names []string, now time.Time) error {
	if len(names) == 0 {
		return nil
	}
	lately := accessesIn(kept, recentFile)
	if lately == nil {
		lately = map[string]Access{}
	}
	for _, name := range names {
		lately[name] = Access{Count: lately[name].Count + 1, Last: resources.NewTime(now)}
	}
	if len(lately) <= maxRecent {
		return keepAccesses(kept, recentFile, lately)
	}
	if err := keepAccesses(kept, accessFile, mergeCounts(accessesIn(kept, accessFile), lately)); err != nil {
		return err
	}
	return keepAccesses(kept, recentFile, nil)
}

// keepAccesses writes access counts to a scratch file.
func keepAccesses(kept store.Scratch, file string, all map[string]Access) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return kept.Write(file, append(data, '\n'))
}
