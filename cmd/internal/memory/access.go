package memory

import (
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// accessFile counts which mems were recalled on this machine. It is no part of what the
// project knows: nothing is confirmed by being found.
const accessFile = layout.RunDir + "/recalled.json"

// maxAccess is how many bytes of it are read: some 50,000 mems.
const maxAccess = 4 << 20

// Access is how often a mem was recalled on this machine, and when last.
type Access struct {
	Count int            `json:"count"`
	Last  resources.Time `json:"last"`
}

// Accesses reads them, by the names of mems; nil if there are none.
func Accesses(root layout.Root) map[string]Access {
	var all map[string]Access
	data, _, err := root.Read(accessFile, maxAccess)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// CountAccess counts the mems that a recall answered with. Two recalls at once may count as
// one, and where it cannot be written nothing is counted.
func CountAccess(root layout.Root, found []Recalled, now time.Time) {
	if len(found) == 0 {
		return
	}
	all := Accesses(root)
	if all == nil {
		all = map[string]Access{}
	}
	for i := range found {
		name := found[i].Object.Metadata.Name
		all[name] = Access{Count: all[name].Count + 1, Last: resources.NewTime(now)}
	}
	if data, err := json.Marshal(all); err == nil {
		_ = root.Replace(accessFile, append(data, '\n')) // it is only counted
	}
}
