package sync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/gitcommand"
	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/controller/sync/plans"
	"github.com/idumb-dev/idumb/resources"
)

// Presence is a clone that is there, as it says itself: its words are a stranger's. It hangs on the clone's lease
// and ends with it. With git there is none: a remote knows no leases, and each word would cost one of the few
// pushes a minute that it bears.
type Presence struct {
	Version int            `json:"v"`
	Clone   string         `json:"clone"`
	Machine string         `json:"machine"`
	Person  string         `json:"person"`
	Program string         `json:"version"` // of iDumb
	Branch  string         `json:"branch,omitempty"`
	Behind  int            `json:"behind"` // objects that stand there otherwise than with the team
	At      resources.Time `json:"at"`     // since when it says so, by its own clock: for people
}

// says reports whether two of them say the same.
func (p Presence) says(o Presence) bool {
	p.At, o.At = resources.Time{}, resources.Time{}
	return p == o
}

// appearance is what this clone said of itself last.
type appearance struct {
	Presence
	lease string
	next  time.Time // before then it is not looked at again
}

// appear says that this clone is there, if that is news, at most once in a beat. That it cannot be said changes
// nothing: claims stand by the lease alone.
func (t *Team) appear(ctx context.Context, lease engine.Lease, r *plans.Report, now time.Time) {
	if lease.ID == "" || lease.ID == t.shown.lease && now.Before(t.shown.next) {
		return
	}
	who, key := t.book.Person(), engine.Machines+keyWord(t.clone)
	p := Presence{Version: protocol, Clone: t.clone, Machine: who.Machine, Person: who.Person, Program: programVersion(), Branch: t.branch(ctx), At: resources.NewTime(now)}
	if r != nil {
		p.Behind = len(r.ToSend) - len(r.Sent) + len(r.Held) + len(r.Refused)
		p.Behind = max(p.Behind, 0)
	}
	if t.shown.lease == lease.ID && p.says(t.shown.Presence) {
		t.shown.next = now.Add(t.Beat())
		return
	}
	items, err := t.engine.List(ctx, key)
	value, failed := json.Marshal(p)
	if err = errors.Join(err, failed); err != nil {
		return
	}
	op := engine.Op{Key: key, Value: value, Lease: lease.ID}
	for _, item := range items {
		if was, err := presenceOf(item); item.Key == key {
			if op.Was = item.Rev; err == nil && item.Lease == lease.ID && p.says(was) { // another process said so
				t.shown = appearance{p, lease.ID, now.Add(t.Beat())}
				return
			}
		}
	}
	if t.engine.Txn(ctx, op) == nil {
		t.shown = appearance{p, lease.ID, now.Add(t.Beat())}
	}
}

// keyWord is a clone's name as a part of a key.
func keyWord(clone string) string {
	if resources.CheckName(clone) == nil {
		return clone
	}
	return resources.Revision([]byte(clone))[:32]
}

// programVersion is that of the program that runs, as the Go command recorded it.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		return cmp.Or(info.Main.Version, "unknown")
	}
	return "unknown"
}

// branch is the one that this working tree is on; "" for none.
func (t *Team) branch(ctx context.Context) string {
	if t.root == "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, askGit)
	defer cancel()
	out, _ := gitcommand.New(ctx, string(t.root), "symbolic-ref", "--quiet", "--short", "HEAD").Output()
	name := strings.TrimSpace(string(out))
	return name[:min(len(name), maxWord)]
}

// presenceOf reads what somebody wrote.
func presenceOf(item engine.Item) (p Presence, err error) {
	if len(item.Value) > maxClaim {
		return p, errors.New("it is longer than 8 KiB")
	}
	if err := json.Unmarshal(item.Value, &p); err != nil {
		return p, fmt.Errorf("it is no presence: %w", err)
	}
	for _, word := range []string{p.Clone, p.Machine, p.Person, p.Program, p.Branch} {
		if len(word) > maxWord {
			return p, errors.New("a word of it is longer than 200 bytes")
		}
	}
	if item.Key != engine.Machines+keyWord(p.Clone) {
		return p, errors.New("it is about a clone, and stands elsewhere")
	}
	return p, nil
}

// ErrNoPresence says that an engine does not know which clones are there.
var ErrNoPresence = errors.New("a git remote does not know which machines are there")

// Machines asks the team which of its clones are there, by machine. ErrNoPresence where that is not known.
func (t *Team) Machines(ctx context.Context) (all []Presence, err error) {
	if _, can := t.engine.(engine.Leaser); !can || t.ttl == 0 {
		return nil, ErrNoPresence
	}
	items, err := t.engine.List(ctx, engine.Machines)
	for _, item := range items {
		if p, wrong := presenceOf(item); wrong == nil {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b Presence) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Clone, b.Clone))
	})
	return all, err
}
