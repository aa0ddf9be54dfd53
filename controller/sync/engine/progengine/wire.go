package progengine

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Place is where a repository's team meets, and who asks: what the program is told first. It comes
// by its standard input, because what is said in arguments everybody on the machine can read.
type Place struct {
	Endpoints []string // addresses of the servers
	Cert      string   // file of the certificate that says who asks
	Key       string   // file of its key
	CA        string   // file of the authority that the servers' certificates are held against; "": the system's
	Team      string
	Repo      string
	Record    string // file for what was seen of the servers; "": nothing is kept
}

// request is what is asked for: one of these.
type request struct {
	ID     int         `json:"id"` // of the question, in each of its answers
	Place  *Place      `json:"place,omitempty"`
	List   *string     `json:"list,omitempty"` // what keys begin with
	Txn    []engine.Op `json:"txn,omitempty"`
	Strict []engine.Op `json:"strict,omitempty"` // changes that are about all that stood at a moment: a program that cannot says so
	AsOf   string      `json:"asOf,omitempty"`   // that moment
	Part   []string    `json:"part,omitempty"`   // prefixes: what is listed, told, and must stand as it did; a program that knows none takes all
	Lease  *leaseFor   `json:"lease,omitempty"`
	Watch  *watchFrom  `json:"watch,omitempty"`
	Cancel bool        `json:"cancel,omitempty"` // nobody waits for the answer any more
}

type leaseFor struct {
	Last string `json:"last"`
	TTL  string `json:"ttl"`
}

type watchFrom struct {
	Prefix string `json:"prefix"`
	After  string `json:"after"`
}

// reply is one answer, or a part of one.
type reply struct {
	ID    int           `json:"id"`
	Items []engine.Item `json:"items,omitempty"`
	At    string        `json:"at,omitempty"`
	More  bool          `json:"more,omitempty"` // another part follows
	Lease *engine.Lease `json:"lease,omitempty"`
	Error *failure      `json:"error,omitempty"`
}

// failure is an error on its way: what it says, and which of those that callers ask for it is.
type failure struct {
	Says      string   `json:"says"`
	Step      string   `json:"step,omitempty"`     // of an engine.PersonError
	Conflict  []string `json:"conflict,omitempty"` // of an engine.ConflictError
	Compacted bool     `json:"compacted,omitempty"`
}

func failed(err error) *failure {
	if err == nil {
		return nil
	}
	f := failure{Says: err.Error(), Compacted: errors.Is(err, engine.ErrCompacted)}
	var conflict *engine.ConflictError
	if errors.As(err, &conflict) {
		f.Conflict = conflict.Keys
	}
	var person *engine.PersonError
	if errors.As(err, &person) {
		f.Says, f.Step = person.Err.Error(), person.Step
	}
	return &f
}

func (f *failure) err() error {
	switch {
	case f == nil:
		return nil
	case len(f.Conflict) > 0:
		return &engine.ConflictError{Keys: f.Conflict}
	case f.Step != "":
		return &engine.PersonError{Err: errors.New(f.Says), Step: f.Step}
	case f.Compacted:
		return engine.ErrCompacted
	}
	return errors.New(f.Says)
}
