// Package engine defines the interface of the stores through which a team's
// machines communicate. A store holds items with a key and a revision. Changes
// are conditional on revisions. Implementations are in subpackages;
// hack/enginetest contains the conformance tests.
package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxValue is the maximum size of a value in bytes: an object's file and its
// header. Lists omit longer values, which iDumb never writes.
const MaxValue = 1<<20 + 8<<10

// Item is the value of a key.
type Item struct {
	Key   string // words of lower-case letters, digits, '-', '.' and '_', separated by '/'
	Rev   string // engine's revision of this value; unique per key
	Value []byte
	Lease string // lease with which it expires; empty if it does not expire
}

// Op is a conditional change of one item.
type Op struct {
	Key   string
	Was   string // expected revision; empty if the item must not exist
	Value []byte // nil removes the item
	Lease string // lease with which the item expires, on a Leaser; empty for never
}

// Engine is a store that a team's machines share. It is safe for concurrent use
// by several processes.
type Engine interface {
	// List returns the items with a key prefix, sorted by key, as a consistent
	// snapshot.
	List(ctx context.Context, prefix string) ([]Item, error)
	// Txn applies all changes or none. It returns *ConflictError if a revision
	// is not the expected one. After another error the outcome is unknown; the
	// next List shows it.
	Txn(ctx context.Context, ops ...Op) error
}

// State is the key prefix of items with mutual constraints.
const State = "state/"

// Machines is the key prefix of items in which earlier versions register
// clones. This version ignores them.
const Machines = "machines/"

// Strict is an engine with transactions on a snapshot of all items below State.
// They preserve constraints between the items.
type Strict interface {
	Engine
	// ListAt is like List and returns the revision of the snapshot, if the
	// result includes all items below State.
	ListAt(ctx context.Context, prefix string) (items []Item, at string, err error)
	// TxnAsOf is like Txn, but also conflicts with any change below State after
	// revision at, including other items. Its ConflictError names the items of
	// ops. It returns the next revision if ops are the only changes.
	TxnAsOf(ctx context.Context, at string, ops ...Op) (now string, err error)
}

// Differ is an engine that can list changes.
type Differ interface {
	Strict
	// Since returns the items outside State, the items below State that changed
	// after a revision, and the current revision. A removed item has no value.
	// It returns ErrCompacted if the changes are no longer available.
	Since(ctx context.Context, at string) (beside, changed []Item, now string, err error)
}

// Limited is an engine with a limit on the changes in one transaction. Their
// total size is limited to that of one item.
type Limited interface {
	Engine
	// MostOps returns the maximum number of changes.
	MostOps() int
}

// Watcher is an engine that reports changes.
type Watcher interface {
	Engine
	// ListAt is like List and returns the revision of the snapshot. Revisions
	// are increasing decimal numbers.
	ListAt(ctx context.Context, prefix string) (items []Item, at string, err error)
	// Watch calls f with the items with a key prefix that changed after a
	// revision, in the order of the changes. Each call has the changes of one
	// revision. It ends with ctx or with an error. A removed item has no value.
	// It returns ErrCompacted if the changes are no longer available.
	Watch(ctx context.Context, prefix, after string, f func(changed []Item, at string)) error
}

// Grouped is an engine of which a clone can follow a part. A machine in a large
// team then lists and watches only the plans it works on.
type Grouped interface {
	Watcher
	// Part returns the part of the engine with certain key prefixes below
	// State. ListAt and Watch of it omit the items below State without one of
	// these prefixes, and the items of Machines. Changes of one key are in
	// order, but one revision may be reported in several calls. TxnAsOf of it
	// conflicts only with changes in the directories of the prefixes, which are
	// at most MostGuards. The revision of an item, also of a removed one, is
	// the revision of its last change.
	Part(prefixes ...string) Part
}

// MostGuards is the maximum number of directories that a TxnAsOf of a Part can
// guard, and in which a Limited engine changes items in one transaction.
const MostGuards = 24

// Part is a part of an engine. See Grouped.
type Part interface {
	Watcher
	Strict
}

// Later reports whether revision a of a Watcher is after b.
func Later(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

// HasPrefix reports whether a key belongs to a Part with these prefixes.
func HasPrefix(key string, prefixes []string) bool {
	return !strings.HasPrefix(key, State) && !strings.HasPrefix(key, Machines) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// Folder returns the directory of a key, up to and including the last '/'.
func Folder(key string) string { return key[:strings.LastIndexByte(key, '/')+1] }

// ErrCompacted means that the requested changes are no longer available. The
// caller must list again.
var ErrCompacted = errors.New("the engine no longer has the requested changes; list again")

// Leaser is an engine with items that expire together with the lease of a
// machine.
type Leaser interface {
	Engine
	// Lease renews the last lease of a machine, by its ID. It creates a new
	// lease if last has expired or is "". Items written with a lease exist as
	// long as the lease, unless they are changed. An unchanged ID means that
	// the lease never expired and no item was lost.
	Lease(ctx context.Context, last string, ttl time.Duration) (Lease, error)
}

// Lease is the lease of a machine. Until is computed from a time before the
// request, so the holder assumes an earlier expiry than the engine.
type Lease struct {
	ID    string    // for Op.Lease
	Until time.Time // by this machine's clock
}

// ConflictError means that an item has an unexpected revision.
type ConflictError struct {
	Keys []string // keys of the items
}

// Error names the items.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s changed at the same time; read again", strings.Join(e.Keys, ", "))
}

// ErrRolledBack means that the remote state is older than a state seen before,
// for example after a backup was restored. Following it would revert local
// changes.
var ErrRolledBack = errors.New("the team's state is older than the last state that this clone saw")

// PersonError is a failure that needs a user: a login, a permission or a setup.
type PersonError struct {
	Err  error
	Step string // next step for the user
	// SendOnly is set if only sending failed: the clone still receives.
	SendOnly bool
}

func (e *PersonError) Error() string { return e.Err.Error() + "; " + e.Step }

func (e *PersonError) Unwrap() error { return e.Err }

// Protocol is the protocol version of this build.
const Protocol = 1

// Version is the protocol version of a repository's items. The engine stores it
// under a separate key. A missing version means the first protocol.
type Version struct {
	Protocol  int `json:"protocol"`
	MinReader int `json:"minReader"` // minimum protocol version of a reader
}

// CheckVersion returns an error if value is not a version or if a later iDumb
// wrote items that this build would misinterpret.
func CheckVersion(value []byte) error {
	v := Version{MinReader: Protocol}
	switch {
	case json.Unmarshal(value, &v) != nil:
		return errors.New("the version item is invalid")
	case v.MinReader > Protocol:
		return fmt.Errorf("it requires protocol %d; this build supports protocol %d", v.MinReader, Protocol)
	}
	return nil
}
