package plans

// Deed is the action that brings the local and the remote version of an object
// in sync.
type Deed int

// Actions.
const (
	Rest     Deed = iota // in sync
	Leave                // the file is tracked by git and not synced
	Wait                 // the local file is missing and may reappear
	Agree                // both sides are equal: record the base version
	Take                 // write the remote version locally
	PutBack              // write the last local version again; it was not pushed yet
	Send                 // write the local version remotely
	Merge                // both sides changed
	Drop                 // archived remotely: archive locally
	Retire               // deletion requested locally: archive remotely
	Forget               // deleted on both sides: drop the base version
	Vanished             // the remote version disappeared without being archived
)

// Sides describes one object: the content hashes of its versions ("" if a
// version does not exist) and its state on both sides.
type Sides struct {
	Here, Team string
	Base       string // last version that was equal on both sides
	Archived   bool   // archived remotely
	Removed    bool   // deletion was requested locally
	Tracked    bool   // tracked by git
	Absent     bool   // the local file has been missing for the quiet period
	Pending    bool   // a local version was not pushed yet
	Held       bool   // existed only locally when this clone joined; not pushed
	Stale      bool   // the local version is based on a version older than Base
}

// Decide returns the action for an object. It is level-triggered: it depends on
// the current versions and not on past events, so it is safe to repeat after a
// crash.
func Decide(s Sides) Deed {
	switch {
	case s.Tracked:
		return Leave
	case s.Here == "":
		return missingHere(s)
	case s.Team == "":
		return missingThere(s)
	case s.Here == s.Team && s.Base == s.Here:
		return Rest
	case s.Here == s.Team:
		return Agree
	case s.Stale:
		return Merge
	case s.Here == s.Base:
		return Take
	case s.Team == s.Base:
		return Send
	}
	return Merge
}

// missingHere decides for an object without a local file. A missing file never
// deletes the remote object; that takes an explicit delete request.
func missingHere(s Sides) Deed {
	switch {
	case s.Removed && s.Team == "":
		return ifKnown(s, Forget)
	case s.Removed && s.Team == s.Base:
		return Retire
	case s.Removed: // changed remotely after the request: keep it and report
		return Take
	case s.Team == "" && s.Archived:
		return ifKnown(s, Forget)
	case s.Team == "" && s.Base != "":
		return Vanished
	case s.Team == "" && !s.Pending:
		return Rest
	case s.Base == "" && !s.Pending:
		return Take
	case !s.Absent:
		return Wait
	case s.Pending:
		return PutBack
	}
	return Take
}

func ifKnown(s Sides, deed Deed) Deed {
	if s.Base == "" && !s.Pending {
		return Rest
	}
	return deed
}

// missingThere decides for an object without a remote version.
func missingThere(s Sides) Deed {
	switch {
	case s.Base == "" && s.Held:
		return Rest
	case s.Base == "":
		return Send
	case s.Archived:
		return Drop
	}
	return Vanished
}
