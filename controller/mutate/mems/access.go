package mems

import (
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// accessFile counts which mems were recalled on this machine. It is no part of what the
// project knows: nothing is confirmed by being found.
const accessFile = "run/recalled.json"

// latelyFile holds what was counted since accessFile was written last: that one grows with
// every mem that ever was an answer, and is not to be read and written at each recall.
const (
	latelyFile = "run/recalled-lately.json"
	mostLately = 200 // mems in it
)

// Access is how often a mem was recalled on this machine, and when last.
type Access struct {
	Count int            `json:"count"`
	Last  resources.Time `json:"last"`
}

// Accesses reads them, by the names of mems; nil if there are none.
func Accesses(kept store.Scratch) map[string]Access {
	return together(accessesIn(kept, accessFile), accessesIn(kept, latelyFile))
}

func accessesIn(kept store.Scratch, file string) map[string]Access {
	var all map[string]Access
	data, err := kept.Read(file)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// together adds counts up; it may change all.
func together(all, more map[string]Access) map[string]Access {
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

// CountAccess counts the mems that a recall answered with. Two recalls at once may count as
// one. An error says that nothing was counted: nobody needs to fail for that.
func CountAccess(kept store.Scratch, names []string, now time.Time) error {
	if len(names) == 0 {
		return nil
	}
	lately := accessesIn(kept, latelyFile)
	if lately == nil {
		lately = map[string]Access{}
	}
	for _, name := range names {
		lately[name] = Access{Count: lately[name].Count + 1, Last: resources.NewTime(now)}
	}
	if len(lately) <= mostLately {
		return keepAccesses(kept, latelyFile, lately)
	}
	if err := keepAccesses(kept, accessFile, together(accessesIn(kept, accessFile), lately)); err != nil {
		return err
	}
	return keepAccesses(kept, latelyFile, nil)
}

func keepAccesses(kept store.Scratch, file string, all map[string]Access) error {
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return kept.Write(file, append(data, '\n'))
}
