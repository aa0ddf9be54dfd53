package sync

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// notesFile holds what became of the last exchange, for people and for the next one.
const notesFile = "exchange.json"

// Notes are what is known of a clone's exchange with the team.
type Notes struct {
	Last    resources.Time `json:"last,omitzero"`     // the last one that succeeded
	Failed  resources.Time `json:"failed,omitzero"`   // the first that failed since
	Why     string         `json:"why,omitempty"`     // it failed
	Person  bool           `json:"person,omitempty"`  // a person has to do something before the next one is tried
	Waiting int            `json:"waiting,omitempty"` // how many failed one after the other
	Plans   *PlanNotes     `json:"plans,omitempty"`   // of the objects, where they are shared
}

// PlanNotes are what the last exchange of objects found.
type PlanNotes struct {
	Team      int            `json:"team"`                // objects that the team has, and that are followed
	Following int            `json:"following,omitempty"` // plans that are followed, where not all are
	Outside   int            `json:"outside,omitempty"`   // objects that stand here and are not followed
	ToSend    int            `json:"toSend"`              // that wait here
	Alone     int            `json:"alone,omitempty"`     // that stood only here when this clone joined
	Tracked   int            `json:"tracked,omitempty"`   // whose files git tracks
	Held      []plans.Held   `json:"held,omitempty"`      // that do not go up, and why
	Refused   []plans.Held   `json:"refused,omitempty"`   // that do not come in, and why
	PutBack   int            `json:"putBack,omitempty"`   // files that were put back the last time that there were any
	PutBackAt resources.Time `json:"putBackAt,omitzero"`  // when that was
}

// planNotes are the notes of a report, after those before.
func planNotes(r *plans.Report, before *PlanNotes, now time.Time) *PlanNotes {
	if r == nil {
		return before
	}
	n := &PlanNotes{Team: r.Team, ToSend: len(r.ToSend), Alone: r.Alone, Tracked: r.Tracked, Following: r.Plans, Outside: r.Outside, Held: r.Held, Refused: r.Refused}
	if before != nil {
		n.PutBack, n.PutBackAt = before.PutBack, before.PutBackAt
	}
	if len(r.PutBack) > 0 {
		n.PutBack, n.PutBackAt = len(r.PutBack), resources.NewTime(now)
	}
	return n
}

// Notes reads the notes of the clone.
func (t *Team) Notes() Notes { return ReadNotes(t.dir) }

// ReadNotes reads the notes in a folder, see Folder. It returns empty notes before the first exchange.
func ReadNotes(dir string) Notes {
	var n Notes
	data, err := os.ReadFile(filepath.Join(dir, notesFile))
	if err != nil || json.Unmarshal(data, &n) != nil {
		return Notes{}
	}
	return n
}

// note keeps what became of an exchange. That it cannot be written changes nothing: the next one
// is tried.
func (t *Team) note(err error, now time.Time, r *plans.Report) {
	before := t.Notes()
	n := Notes{Last: resources.NewTime(now)}
	if err != nil {
		n = Notes{Last: before.Last, Failed: before.Failed, Why: err.Error(), Waiting: before.Waiting + 1}
		if n.Failed.IsZero() {
			n.Failed = resources.NewTime(now)
		}
		var person *engine.PersonError
		n.Person = errors.As(err, &person)
	}
	if t.plans {
		n.Plans = planNotes(r, before.Plans, now)
	}
	data, err := json.Marshal(n)
	if same, _ := json.Marshal(before); err == nil && !bytes.Equal(data, same) { // many rounds a second say the same
		_ = plans.Replace(filepath.Join(t.dir, notesFile), append(data, '\n'))
	}
}
