package doctor

import (
	"encoding/json"

	"github.com/idumb-dev/idumb/resources"
)

// agrees reports whether a status file is about this revision and says this phase.
func agrees(status []byte, revision, phase string) bool {
	var seen resources.Common
	return json.Unmarshal(status, &seen) == nil && seen.ObservedRevision == revision && seen.Phase == phase
}
