package exchange

import "github.com/idumb-dev/idumb/resources"

// Action is the action that brings the local and the remote version of an object
// in sync.
type Action int

// Actions.
const (
	NoAction      Action = iota // in sync
	SkipTracked                 // the file is tracked by git and not synced
	WaitForFile                 // the local file is missing and may reappear
	RecordBase                  // both sides are equal: record the base version
	Pull                        // write the remote version locally
	RestoreLocal                // write the last local version again; it was not pushed yet
	Push                        // write the local version remotely
	Merge                       // both sides changed
	ArchiveLocal                // archived remotely: archive locally
	ArchiveRemote               // deletion requested locally: archive remotely
	ForgetBase                  // deleted on both sides: drop the base version
	Inconsistent                // the remote version disappeared without being archived
)

// Versions describes one object: the content hashes of its versions ("" if a
// version does not exist) and its state on both sides.
type Versions struct {
	Local, Remote   string
	Base            string // last version that was equal on both sides
	Archived        bool   // archived remotely
	DeleteRequested bool   // deletion was requested locally
	Tracked         bool   // tracked by git
	Missing         bool   // the local file has been missing for the quiet period
	Pending         bool   // a local version was not pushed yet
	LocalOnly       bool   // existed only locally when this clone joined; not pushed
	Stale           bool   // the local version is based on a version older than Base
}

// Decide returns the action for an object. It is level-triggered: it depends on
// the current versions and not on past events, so it is safe to repeat after a
// crash.
func Decide(s Versions) Action {
	switch {
	case s.Tracked:
		return SkipTracked
	case s.Local == "":
		return decideMissingLocal(s)
	case s.Remote == "":
		switch {
		case s.Base == "" && s.LocalOnly:
			return NoAction
		case s.Base == "":
			return Push
		case s.Archived:
			return ArchiveLocal
		}
		return Inconsistent
	case s.Local == s.Remote && s.Base == s.Local:
		return NoAction
	case s.Local == s.Remote:
		return RecordBase
	case s.Stale:
		return Merge
	case s.Local == s.Base:
		return Pull
	case s.Remote == s.Base:
		return Push
	}
	return Merge
}

// decideMissingLocal decides for an object without a local file. A missing file never
// deletes the remote object; that takes an explicit delete request.
func decideMissingLocal(s Versions) Action {
	switch {
	case s.DeleteRequested && s.Remote == "":
		return ifSynced(s, ForgetBase)
	case s.DeleteRequested && s.Remote == s.Base:
		return ArchiveRemote
	case s.DeleteRequested: // changed remotely after the request: keep it and report
		return Pull
	case s.Remote == "" && s.Archived:
		return ifSynced(s, ForgetBase)
	case s.Remote == "" && s.Base != "":
		return Inconsistent
	case s.Remote == "" && !s.Pending:
		return NoAction
	case s.Base == "" && !s.Pending:
		return Pull
	case !s.Missing:
		return WaitForFile
	case s.Pending:
		return RestoreLocal
	}
	return Pull
}

// ifSynced returns the action, or NoAction for an object without a base version
// and without an unpushed local version.
func ifSynced(s Versions, deed Action) Action {
	if s.Base == "" && !s.Pending {
		return NoAction
	}
	return deed
}

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
