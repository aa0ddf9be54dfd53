// Package engine says what a team's machines meet at: items under keys, with a revision each, and
// changes that are made only where the revisions are still those that were seen. Adapters stand
// below it; hack/enginetest holds what each of them must do.
package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxValue is how long the value of an item may be, in bytes: an object's file, and what stands before
// it. A longer one is left out of lists: whoever wrote it is no iDumb.
const MaxValue = 1<<20 + 8<<10

// Item is what stands under a key.
type Item struct {
	Key   string // words of lower-case letters, digits, '-', '.' and '_', with '/' between them
	Rev   string // of this value, as the engine names it: no two values of a key have the same
	Value []byte
	Lease string // with which it ends; "": it stands until somebody removes it
}

// Op is a change of one item: from the revision that was seen to another value.
type Op struct {
	Key   string
	Was   string // the revision that must stand there; "": there must be none
	Value []byte // nil: the item is removed
	Lease string // of this machine, with which the item ends, where the engine is a Leaser; "": never
}

// Engine is where a team's machines meet. It may be used by many at once, in many processes.
type Engine interface {
	// List returns the items whose keys begin so, by key. They stood there at one moment.
	List(ctx context.Context, prefix string) ([]Item, error)
	// Txn makes all changes or none. *ConflictError if a revision is not the one that was seen.
	// After another error it is not known whether they were made: the next List says so.
	Txn(ctx context.Context, ops ...Op) error
}

// State begins the keys of those items between which something holds.
const State = "state/"

// Machines begins the keys of items that earlier versions write to say which clones run. This version ignores them.
const Machines = "machines/"

// Strict is an engine at which a change of items below State may be about all of them as they stood at a
// moment, so that what holds between them still does.
type Strict interface {
	Engine
	// ListAt is List, and names the moment at which the items stood there, if it shows all below State.
	ListAt(ctx context.Context, prefix string) (items []Item, at string, err error)
	// TxnAsOf is Txn that conflicts with any change below State since a moment, also of items that the ops
	// are not about. Its ConflictError names the ops'. It returns the moment that is the next one where the
	// ops are all that changed.
	TxnAsOf(ctx context.Context, at string, ops ...Op) (now string, err error)
}

// Differ is an engine that is asked for what changed.
type Differ interface {
	Strict
	// Since returns the items that do not stand below State, those below it that became others since a
	// moment, and the moment of that answer. An item without a value was removed. ErrCompacted if what
	// changed since then is not known.
	Since(ctx context.Context, at string) (beside, changed []Item, now string, err error)
}

// Limited is an engine that makes only so many changes at once, whose values may be as long together
// as one item's.
type Limited interface {
	Engine
	// MostOps is how many.
	MostOps() int
}

// Watcher is an engine that tells of changes by itself.
type Watcher interface {
	Engine
	// ListAt is List, and names the moment at which the items stood there: a number in decimal digits,
	// the larger the later.
	ListAt(ctx context.Context, prefix string) (items []Item, at string, err error)
	// Watch tells f of the items whose keys begin so and that changed after a moment, in the order
	// of the changes, each call what changed at one moment: until ctx ends, or an error. An item
	// without a value was removed. ErrCompacted if what changed then is not known any more.
	Watch(ctx context.Context, prefix, after string, f func(changed []Item, at string)) error
}

// Grouped is an engine of which somebody may follow a part: a large team's machine lists and hears of the plans
// that it works on, and of no others.
type Grouped interface {
	Watcher
	// Part is this engine as far as prefixes of keys below State go. What ListAt and Watch of it say is what they
	// say of the engine, without the items below State whose keys begin with none of these, and without Machines; each key is told of in
	// the order of its changes, but what changed at one moment may come in several calls. TxnAsOf of it
	// conflicts with changes in those folders alone that a prefix names, which are at most MostGuards. The
	// revision of an item, also of one that was removed, is the moment of that change.
	Part(prefixes ...string) Part
}

// MostGuards is how many folders may be guarded at once by a TxnAsOf of a Part, and in how many an engine makes
// changes at once that is Limited.
const MostGuards = 24

// Part is a part of an engine. See Grouped.
type Part interface {
	Watcher
	Strict
}

// Later reports whether a moment of a Watcher is after another one.
func Later(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// Among reports whether a key is an item's of a Part with these prefixes.
func Among(key string, prefixes []string) bool {
	return !strings.HasPrefix(key, State) && !strings.HasPrefix(key, Machines) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// Folder is where a key stands: all of it up to the last '/'.
func Folder(key string) string { return key[:strings.LastIndexByte(key, '/')+1] }

// ErrCompacted says that a watch cannot go on from where it ended: list again.
var ErrCompacted = errors.New("the engine does not know any more what changed since; list again")

// Leaser is an engine at which items may end by themselves, with the machine that put them.
type Leaser interface {
	Engine
	// Lease keeps the lease that a machine had last, by its ID, or makes another one where it ended,
	// or where last is "": items that are put with it stand as long as it does, unless somebody
	// changes them. One whose ID is the same never ended since it was made, and so no item that was
	// put with it was lost with it.
	Lease(ctx context.Context, last string, ttl time.Duration) (Lease, error)
}

// Lease is how long a machine's items stand. Who holds one counts from before they asked, so that
// they think it over earlier than the engine does.
type Lease struct {
	ID    string    // for Op.Lease
	Until time.Time // by this machine's own clock
}

// ConflictError says that somebody was faster.
type ConflictError struct {
	Keys []string // whose revisions are others than was said
}

// Error names the items.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s changed meanwhile; look again", strings.Join(e.Keys, ", "))
}

// ErrRolledBack says that what the team had was taken back, as when its place was put back to a backup:
// to follow would take back what was done here since.
var ErrRolledBack = errors.New("what the team has is older than what was seen before")

// PersonError is a failure that waiting does not mend: a person has to log in, to be given a
// right, or to set something up.
type PersonError struct {
	Err  error
	Step string // what they do
}

func (e *PersonError) Error() string { return e.Err.Error() + "; " + e.Step }

func (e *PersonError) Unwrap() error { return e.Err }
