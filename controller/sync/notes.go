package sync

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
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
}

// Notes reads them; none are no error: nothing was exchanged yet.
func (t *Team) Notes() Notes {
	var n Notes
	data, err := os.ReadFile(filepath.Join(t.dir, notesFile))
	if err != nil || json.Unmarshal(data, &n) != nil {
		return Notes{}
	}
	return n
}

// note keeps what became of an exchange. That it cannot be written changes nothing: the next one
// is tried.
func (t *Team) note(err error, now time.Time) {
	n := Notes{Last: resources.NewTime(now)}
	if err != nil {
		before := t.Notes()
		n = Notes{Last: before.Last, Failed: before.Failed, Why: err.Error(), Waiting: before.Waiting + 1}
		if n.Failed.IsZero() {
			n.Failed = resources.NewTime(now)
		}
		var person *engine.PersonError
		n.Person = errors.As(err, &person)
	}
	if data, err := json.Marshal(n); err == nil {
		_ = replace(filepath.Join(t.dir, notesFile), append(data, '\n'))
	}
}
