package sync

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
	"github.com/idumb-dev/idumb/resources"
)

// notesFile records the result of the last sync, for users and for the next
// sync.
const notesFile = "exchange.json"

// Notes is the sync state of a clone.
type Notes struct {
	Last     resources.Time `json:"last,omitzero"`      // last success
	Failed   resources.Time `json:"failed,omitzero"`    // first failure since
	Reason   string         `json:"why,omitempty"`      // reason of the failure
	Person   bool           `json:"person,omitempty"`   // a user must act before the next attempt
	SendOnly bool           `json:"sendOnly,omitempty"` // the failure concerns sending; the clone still receives
	Waiting  int            `json:"waiting,omitempty"`  // consecutive failures
	Plans    *PlanNotes     `json:"plans,omitempty"`    // state of shared objects; nil if not shared
}

// PlanNotes is the result of the last sync of objects.
type PlanNotes struct {
	Team        int                  `json:"team"`                // followed remote objects
	Following   int                  `json:"following,omitempty"` // followed plans, if not all are followed
	NotFollowed int                  `json:"outside,omitempty"`   // local objects that are not followed
	ToSend      int                  `json:"toSend"`              // unpushed objects
	LocalOnly   int                  `json:"alone,omitempty"`     // objects that existed only locally when this clone joined
	Tracked     int                  `json:"tracked,omitempty"`   // objects with files tracked by git
	NotPushed   []exchange.NotPushed `json:"held,omitempty"`      // objects that are not pushed, with reasons
	Refused     []exchange.NotPushed `json:"refused,omitempty"`   // objects that are not accepted, with reasons
	PutBack     int                  `json:"putBack,omitempty"`   // restored files, at the last restoration
	PutBackAt   resources.Time       `json:"putBackAt,omitzero"`  // time of that restoration
}

// planNotes returns the notes of a report. It keeps the last restoration of the
// previous notes.
func planNotes(r *exchange.Report, before *PlanNotes, now time.Time) *PlanNotes {
	if r == nil {
		return before
	}
	n := &PlanNotes{Team: r.Team, ToSend: len(r.ToSend), LocalOnly: r.LocalOnly, Tracked: r.Tracked, Following: r.Plans, NotFollowed: r.NotFollowed, NotPushed: r.NotPushed, Refused: r.Refused}
	if before != nil {
		n.PutBack, n.PutBackAt = before.PutBack, before.PutBackAt
	}
	if len(r.PutBack) > 0 {
		n.PutBack, n.PutBackAt = len(r.PutBack), resources.NewTime(now)
	}
	return n
}

// Problem describes the failure, with its time in a layout.
func (n Notes) Problem(layout string) string {
	what := "no exchange with the team"
	if n.SendOnly {
		what = "nothing is sent to the team"
	}
	return what + " since " + n.Failed.Local().Format(layout) + ": " + n.Reason
}

// Notes returns the notes of the clone.
func (t *Team) Notes() Notes { return ReadNotes(t.dir) }

// ReadNotes reads the notes in a directory, see Folder. It returns empty notes
// before the first sync.
func ReadNotes(dir string) Notes {
	var n Notes
	data, err := os.ReadFile(filepath.Join(dir, notesFile))
	if err != nil || json.Unmarshal(data, &n) != nil {
		return Notes{}
	}
	return n
}

// recordResult records the result of a sync. A failure to write it is ignored; the next
// sync tries again.
func (t *Team) recordResult(err error, now time.Time, r *exchange.Report) {
	before := t.Notes()
	n := Notes{Last: resources.NewTime(now)}
	if err != nil {
		n = Notes{Last: before.Last, Failed: before.Failed, Reason: err.Error(), Waiting: before.Waiting + 1}
		if n.Failed.IsZero() {
			n.Failed = resources.NewTime(now)
		}
		var person *engine.PersonError
		if errors.As(err, &person) {
			n.Person, n.SendOnly = !person.SendOnly, person.SendOnly
		}
		if n.SendOnly {
			n.Last = resources.NewTime(now)
		}
	}
	if t.plans {
		n.Plans = planNotes(r, before.Plans, now)
	}
	data, err := json.Marshal(n)
	if same, _ := json.Marshal(before); err == nil && !bytes.Equal(data, same) { // many rounds per second have equal notes
		_ = exchange.Replace(filepath.Join(t.dir, notesFile), append(data, '\n'))
	}
}
