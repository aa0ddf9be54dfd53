package exchange

import "github.com/idumb-dev/idumb/resources"

// Report is the result of a round.
type Report struct {
	ToSend      []resources.Key // objects to push
	Pushed      []resources.Key // pushed objects
	Pulled      []resources.Key // pulled objects
	PutBack     []resources.Key // restored files
	SetAside    []resources.Key // objects archived locally because they were archived remotely
	Marked      []resources.Key // recorded conflicts
	NotPushed   []NotPushed     // objects that are not pushed, with reasons
	Refused     []NotPushed     // remote objects that are not accepted, with reasons
	Tracked     int             // objects with files tracked by git
	Team        int             // followed remote objects
	Plans       int             // followed plans, if not all are followed
	NotFollowed int             // local objects whose plans are not followed
	LocalOnly   int             // objects that existed only locally when this clone joined
}

// NotPushed is an object that is not synced, with the reason.
type NotPushed struct {
	Key    resources.Key `json:"-"`
	Object string        `json:"object"`
	Reason string        `json:"reason"`
}
