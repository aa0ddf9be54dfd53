package progengine

import (
	"errors"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Place holds the connection parameters of a repository's engine. It is sent to
// the program over standard input, because every user of the machine can read
// arguments.
type Place struct {
	Endpoints []string // addresses of the servers
	Cert      string   // client certificate file
	Key       string   // client key file
	CA        string   // CA file for the server certificates; empty for the system's CAs
	Team      string
	Repo      string
	Record    string // file for the last seen server state; empty to keep none
}

// request is one request; exactly one of its operations is set.
type request struct {
	ID     int         `json:"id"` // repeated in each reply
	Place  *Place      `json:"place,omitempty"`
	List   *string     `json:"list,omitempty"` // key prefix
	Txn    []engine.Op `json:"txn,omitempty"`
	Strict []engine.Op `json:"strict,omitempty"` // transaction on a snapshot; an error if unsupported
	AsOf   string      `json:"asOf,omitempty"`   // revision of the snapshot
	Part   []string    `json:"part,omitempty"`   // key prefixes for listing, watching and guarding; ignored by older programs
	Lease  *leaseFor   `json:"lease,omitempty"`
	Watch  *watchFrom  `json:"watch,omitempty"`
	Cancel bool        `json:"cancel,omitempty"` // the client no longer waits for the answer
}

// leaseFor holds the parameters of Engine.Lease: the ID of the last lease, and
// the duration.
type leaseFor struct {
	Last string `json:"last"`
	TTL  string `json:"ttl"`
}

// watchFrom holds the parameters of Engine.Watch: the key prefix, and the
// revision after which changes are reported.
type watchFrom struct {
	Prefix   string `json:"prefix"`
	Revision string `json:"after"`
}

// reply is an answer or a part of one.
type reply struct {
	ID       int           `json:"id"`
	Items    []engine.Item `json:"items,omitempty"`
	Revision string        `json:"at,omitempty"`
	More     bool          `json:"more,omitempty"` // another part follows
	Lease    *engine.Lease `json:"lease,omitempty"`
	Error    *failure      `json:"error,omitempty"`
}

// failure is an encoded error with the properties that clients test.
type failure struct {
	Says      string   `json:"says"`
	Step      string   `json:"step,omitempty"`     // of an engine.PersonError
	Conflict  []string `json:"conflict,omitempty"` // of an engine.ConflictError
	Compacted bool     `json:"compacted,omitempty"`
}

// failed encodes an error, or returns nil for nil.
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

// err decodes an error, or returns nil for nil.
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
