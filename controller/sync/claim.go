package sync

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/sync/engine"
	"github.com/idumb-dev/idumb/resources"
)

// claims is where the claims stand with the team.
const claims = "claims/"

// protocol is the version of what is written; a claim of a later one is read as far as it is known.
const protocol = 1

// maxClaim is how long a claim may be, in bytes, and maxWord how long a word of it.
const (
	maxClaim = 8 << 10
	maxWord  = 200
)

// Claim is what stands with the team for a task that somebody works on, or that ended and is not known to be
// over in every clone yet.
type Claim struct {
	Version int            `json:"v"`
	Task    string         `json:"task"`
	UID     string         `json:"uid,omitempty"`
	Clone   string         `json:"clone"` // of the holder: see Settings
	Machine string         `json:"machine"`
	Person  string         `json:"person"`
	Session string         `json:"session,omitempty"`
	Host    string         `json:"host,omitempty"`
	Agent   string         `json:"agent,omitempty"`
	At      resources.Time `json:"at"`              // by the holder's clock: for people
	Ended   string         `json:"ended,omitempty"` // completed or abandoned: nobody works on it, see markEnded

	rev   string // of the item it was read from
	lease string // with which it ends
}

// claimOf is the claim for a lease of this clone. Where the holder's working tree stands is nobody's business.
func claimOf(l *resources.Lease, clone string) *Claim {
	h := l.Spec.Holder
	return &Claim{
		Version: protocol, Task: l.Metadata.Name, UID: l.Metadata.UID, Clone: clone,
		Machine: h.Machine, Person: h.Person, Session: h.Session, Host: h.Host, Agent: h.Agent, At: l.Spec.AcquireTime, Ended: l.Ended(),
	}
}

// same reports whether a claim says what another one does, of a lease that was renewed meanwhile.
func (c *Claim) same(o *Claim) bool {
	return c.Clone == o.Clone && c.Machine == o.Machine && c.Person == o.Person && c.Session == o.Session && c.Host == o.Host && c.Agent == o.Agent && c.Ended == o.Ended
}

// Lease is the claim as the lease of another clone.
func (c *Claim) Lease() *resources.Lease {
	at := c.At
	if at.IsZero() {
		at = resources.NewTime(time.Unix(0, 0))
	}
	return &resources.Lease{
		APIVersion: resources.APIVersion, Kind: resources.KindLease, Metadata: resources.LeaseMetadata{Name: c.Task, UID: c.UID},
		Spec: resources.LeaseSpec{
			Holder:      resources.Holder{Session: c.Session, Agent: c.Agent, Host: c.Host, Person: c.Person, Machine: c.Machine},
			AcquireTime: at, RenewTime: at, Duration: resources.DefaultLeaseDuration.String(),
			Team: &resources.LeaseTeam{Claim: resources.ClaimConfirmed, Elsewhere: true, Ended: c.Ended, Revision: c.rev},
		},
	}
}

// keyOf is where the claim of a task stands: by its name and its uid, for two branches may have
// different tasks of one name. It is a git ref as well, see git-check-ref-format(1).
func keyOf(task, uid string) string {
	key := strings.TrimSuffix(task+"."+uid, ".")
	if strings.Contains(key, "..") || strings.HasSuffix(key, ".") || strings.HasSuffix(key, ".lock") || len(key) > maxWord {
		sum := sha256.Sum256([]byte(key))
		key = "sha256-" + hex.EncodeToString(sum[:])
	}
	return claims + key
}

// decode reads a claim that somebody wrote. What is none is an error, and holds nothing.
func decode(item engine.Item) (*Claim, error) {
	if len(item.Value) > maxClaim {
		return nil, errors.New("it is longer than 8 KiB")
	}
	c := Claim{rev: item.Rev, lease: item.Lease}
	if err := json.Unmarshal(item.Value, &c); err != nil {
		return nil, fmt.Errorf("it is no claim: %w", err)
	}
	return &c, c.check(item.Key)
}

func (c *Claim) check(key string) error {
	if err := resources.CheckName(c.Task); err != nil {
		return fmt.Errorf("task: %w", err)
	}
	if c.Session != "" && resources.CheckName(c.Session) != nil {
		return errors.New("session: it is no name")
	}
	for _, word := range []string{c.UID, c.Clone, c.Machine, c.Person, c.Host, c.Agent} {
		if len(word) > maxWord {
			return errors.New("a word of it is longer than 200 bytes")
		}
	}
	switch {
	case keyOf(c.Task, c.UID) != key:
		return fmt.Errorf("it is about task %q, and stands elsewhere", c.Task)
	case c.Clone == "":
		return errors.New("clone: it names none")
	case c.Ended != "" && !resources.Over(c.Ended):
		return errors.New("ended: neither completed nor abandoned")
	case c.Session == "" && c.Person == "":
		return errors.New("it names neither a session nor a person")
	}
	return nil
}

// op is the change that puts a claim, with a lease, where a revision was seen; "" for nothing.
func (c *Claim) op(was string, lease engine.Lease) (engine.Op, error) {
	value, err := json.Marshal(c)
	return engine.Op{Key: keyOf(c.Task, c.UID), Was: was, Value: value, Lease: lease.ID}, err
}

// Holder names whoever holds a claim or ended its task, and where, to people.
func (c *Claim) Holder() string { return c.Lease().Worker() + " on " + c.Machine }

// How long a task that ended stays marked with the team: long enough for a clone that has not pulled for a
// while, and at most.
const (
	markKept = 7 * 24 * time.Hour
	markMost = 90 * 24 * time.Hour
)

// outdated reports whether a mark of a task that ended may go. known says that a clone which did not end the
// task has that state too: then git or the exchange of plans carries it.
func (c *Claim) outdated(known bool, now time.Time) bool {
	age := now.Sub(c.At.Time)
	return age > markMost || known && age > markKept
}
