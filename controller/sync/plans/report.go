package plans

import "github.com/idumb-dev/idumb/resources"

// Report is what was found and done.
type Report struct {
	ToSend   []resources.Key // what is to go to the team
	Sent     []resources.Key // what went there
	Taken    []resources.Key // what came from the team
	PutBack  []resources.Key // files that were missing, and were put back
	SetAside []resources.Key // what the team set aside, and is set aside here now
	Marked   []resources.Key // conflicts that were written down
	Held     []Held          // what does not go up, and why
	Refused  []Held          // what does not come in, and why
	Tracked  int             // objects whose files git tracks
	Team     int             // objects that the team has, and that are followed
	Plans    int             // that are followed, where not all are
	Outside  int             // objects that stand here, and whose plans are not followed
	Alone    int             // objects that stood only here when this clone joined
}

// Held is an object that does not follow, with the reason.
type Held struct {
	Key    resources.Key `json:"-"`
	Object string        `json:"object"`
	Reason string        `json:"reason"`
}
