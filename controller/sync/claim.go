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

// claimsPrefix is the key prefix of claims.
const claimsPrefix = "claims/"

// protocol is the version of written claims. A claim of a later version is read
// as far as its fields are known.
const protocol = 1

// maxClaim is the maximum size of a claim and maxWord of one of its fields, in
// bytes.
const (
	maxClaim = 8 << 10
	maxWord  = 200
)

// Claim is the remote record that a task has an owner, or that it ended and
// other clones may not know yet.
type Claim struct {
	Version int            `json:"v"`
	Task    string         `json:"task"`
	UID     string         `json:"uid,omitempty"`
	Clone   string         `json:"clone"` // owner's clone: see Settings
	Machine string         `json:"machine"`
	Person  string         `json:"person"`
	Session string         `json:"session,omitempty"`
	Host    string         `json:"host,omitempty"`
	Agent   string         `json:"agent,omitempty"`
	Time    resources.Time `json:"at"`              // by the owner's clock; informational
	Ended   string         `json:"ended,omitempty"` // completed or abandoned; empty while owned. See markEnded.

	rev   string // revision of the item
	lease string // engine lease with which the claim expires
}

// claimOf returns the claim for a local lease. It omits the location of the
// owner's working tree.
func claimOf(l *resources.Lease, clone string) *Claim {
	h := l.Spec.Holder
	return &Claim{
		Version: protocol, Task: l.Metadata.Name, UID: l.Metadata.UID, Clone: clone,
		Machine: h.Machine, Person: h.Person, Session: h.Session, Host: h.Host, Agent: h.Agent, Time: l.Spec.AcquireTime, Ended: l.Ended(),
	}
}

// equal reports whether two claims are equal except for the time of renewal.
func (c *Claim) equal(o *Claim) bool {
	return c.Clone == o.Clone && c.Machine == o.Machine && c.Person == o.Person && c.Session == o.Session && c.Host == o.Host && c.Agent == o.Agent && c.Ended == o.Ended
}

// Lease converts the claim to a lease of another clone.
func (c *Claim) Lease() *resources.Lease {
	at := c.Time
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

// keyOf returns the key of a task's claim. It contains the name and the UID,
// because two branches may have different tasks of the same name. It must be a
// valid git ref name, see git-check-ref-format(1).
func keyOf(task, uid string) string {
	key := strings.TrimSuffix(task+"."+uid, ".")
	if strings.Contains(key, "..") || strings.HasSuffix(key, ".") || strings.HasSuffix(key, ".lock") || len(key) > maxWord {
		sum := sha256.Sum256([]byte(key))
		key = "sha256-" + hex.EncodeToString(sum[:])
	}
	return claimsPrefix + key
}

// decode decodes a claim. It returns an error for an invalid claim.
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

// check returns an error if a claim from another machine is incomplete, too
// long or stored under a wrong key.
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
		return fmt.Errorf("its key does not match task %q", c.Task)
	case c.Clone == "":
		return errors.New("clone: it names none")
	case c.Ended != "" && !resources.IsFinal(c.Ended):
		return errors.New("ended: neither completed nor abandoned")
	case c.Session == "" && c.Person == "":
		return errors.New("it names neither a session nor a user")
	}
	return nil
}

// op returns the change that writes a claim with a lease. was is the expected
// revision; "" means that the claim must not exist.
func (c *Claim) op(was string, lease engine.Lease) (engine.Op, error) {
	value, err := json.Marshal(c)
	return engine.Op{Key: keyOf(c.Task, c.UID), Was: was, Value: value, Lease: lease.ID}, err
}

// Holder describes the owner of a claim, or who ended its task, for users.
func (c *Claim) Holder() string { return c.Lease().Worker() + " on " + c.Machine }

// Minimum and maximum time that an ended task stays marked. The minimum gives
// clones time that have not pulled for a while.
const (
	minMarkAge = 7 * 24 * time.Hour
	maxMarkAge = 90 * 24 * time.Hour
)

// outdated reports whether the mark of an ended task can be removed. known
// means that another clone has the final state too. From then on git or sync
// distributes it.
func (c *Claim) outdated(known bool, now time.Time) bool {
	age := now.Sub(c.Time.Time)
	return age > maxMarkAge || known && age > minMarkAge
}
