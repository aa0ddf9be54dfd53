package plans

// Deed is what one object needs so that this clone and the team say the same of it.
type Deed int

// The deeds.
const (
	Rest     Deed = iota // nothing is to be done
	Leave                // git tracks its file: it is git's
	Wait                 // its file is missing, and may come back by itself
	Agree                // both have it: it is what the next changes are compared with
	Take                 // the team's version is written here
	PutBack              // what was last seen here is written again: it was not sent yet
	Send                 // the version here goes to the team
	Merge                // both were changed
	Drop                 // it is set aside here, as the team did
	Retire               // it is set aside with the team, as somebody here said
	Forget               // nobody has it any more
	Vanished             // the team had it, has it no more, and nobody set it aside
)

// Sides is what is known of one object: its versions, by the hash of their bytes, "" where there is
// none.
type Sides struct {
	Here, Team string
	Base       string // what both were last seen to agree on
	Archived   bool   // the team set it aside
	Removed    bool   // somebody here said that it is to go, for all
	Tracked    bool   // by git
	Absent     bool   // its file has been missing for a while
	Pending    bool   // a version was seen here that the team does not have
	Held       bool   // it stands only here since before this clone joined, and is not sent
	Stale      bool   // what is here was made of an older version than Base, which was agreed on a moment ago
}

// Decide returns the one step for an object. It is level-triggered: it looks at what is there, not at
// what happened, so that doing it again, or after a crash anywhere, leads to the same.
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

// missingHere decides about an object that has no file here. That is no reason to take it from the
// team: only who says so does.
func missingHere(s Sides) Deed {
	switch {
	case s.Removed && s.Team == "":
		return ifKnown(s, Forget)
	case s.Removed && s.Team == s.Base:
		return Retire
	case s.Removed: // somebody changed it meanwhile: that stands, and is told
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

// missingThere decides about an object that the team does not have.
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
