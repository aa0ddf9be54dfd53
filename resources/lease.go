package resources

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Lease records the owner of a task, modeled on Kubernetes' coordination API. A task has at
// most one owner. Leases are local to a clone, are never committed to git, and have no
// status.
type Lease struct {
	APIVersion string        `json:"apiVersion"` // APIVersion
	Kind       string        `json:"kind"`       // KindLease
	Metadata   LeaseMetadata `json:"metadata"`
	Spec       LeaseSpec     `json:"spec"`
}

// KindLease is the value of Lease.Kind. It is not in the table of kinds, because users and
// agents do not edit leases, and leases are stored outside .idumb.
const KindLease = "Lease"

// LeaseMetadata identifies the leased task. The UID distinguishes tasks of the same name on
// different branches.
type LeaseMetadata struct {
	Name string `json:"name"`          // name of the task
	UID  string `json:"uid,omitempty"` // UID of the task; empty for hand-written files
}

// LeaseSpec describes the owner of the task.
type LeaseSpec struct {
	Holder      Holder `json:"holder"`
	AcquireTime Time   `json:"acquireTime"` // when the current holder acquired the lease
	RenewTime   Time   `json:"renewTime"`   // when the holder was last active
	Duration    string `json:"duration"`    // for sessions: validity after RenewTime, in Go's duration syntax
	Transitions int    `json:"transitions"` // number of changes of the holder
	// Exclusive means that a user took the task over from an agent of this clone. The user's
	// agents work on it only if the user hands it over or starts it without taking it over.
	Exclusive bool `json:"exclusive,omitempty"`

	Team *LeaseTeam `json:"team,omitempty"` // shared state of the claim; nil if claims are not shared
}

// Values of LeaseTeam.Claim.
const (
	ClaimConfirmed = "confirmed" // the team's remote accepted the claim
	ClaimPending   = "pending"   // the remote was unreachable: another machine may have claimed the task too
)

// LeaseTeam is the shared state of a lease if the clones of a repository share task claims.
type LeaseTeam struct {
	Claim     string `json:"claim"`               // ClaimConfirmed or ClaimPending
	Elsewhere bool   `json:"elsewhere,omitempty"` // the holder works in another clone, not on this machine
	Revision  string `json:"revision,omitempty"`  // revision of the claim on the remote; a new holder replaces this revision
	// Ended is the state in which the task ended in this clone, or in another clone if
	// Elsewhere is true: completed or abandoned. The lease then has no owner; it prevents a
	// clone with an older state from starting the task again. Any other state means that
	// the task was reopened in this clone and that the remote does not have the change yet.
	// Empty while the task is in progress.
	Ended string `json:"ended,omitempty"`
	// Until is the time at which the remote releases the claim if this clone does not renew
	// it. It is earlier than the expiry by the remote's clock. Zero if claims do not
	// expire.
	Until Time `json:"until,omitzero"`
}

// Lapsed reports whether this clone's claim may have expired on the remote, so that another
// clone may own the task.
func (l *Lease) Lapsed(now time.Time) bool {
	return l.Spec.Team != nil && !l.Spec.Team.Elsewhere && !l.Spec.Team.Until.IsZero() && !now.Before(l.Spec.Team.Until.Time)
}

// InOtherClone reports whether another clone holds the lease.
func (l *Lease) InOtherClone() bool { return l.Spec.Team != nil && l.Spec.Team.Elsewhere }

// Ended returns the state in which the task ended. It returns "" while the task is in
// progress.
func (l *Lease) Ended() string {
	if l.Spec.Team == nil {
		return ""
	}
	return l.Spec.Team.Ended
}

// Worker returns the holder, or "STATE by HOLDER" if the task ended, for a table cell.
func (l *Lease) Worker() string {
	if l.Ended() != "" {
		return l.Ended() + " by " + l.Spec.Holder.Brief()
	}
	return l.Spec.Holder.Brief()
}

// IsFinal reports whether a task state is final: completed or abandoned. A failed task can be
// started again.
func IsFinal(state string) bool { return state == TaskCompleted || state == TaskAbandoned }

// Holder is the owner of a lease: an agent's session, or a user.
type Holder struct {
	Session  string   `json:"session,omitempty"` // name of the record of the user's main session; empty for a user
	Agent    string   `json:"agent,omitempty"`   // name of the session's agent in its host
	Host     string   `json:"host,omitempty"`    // host of the agent: claude, opencode, codex, ...
	Person   string   `json:"person"`            // user name on the machine
	Machine  string   `json:"machine"`           // host name of the machine
	Worktree string   `json:"worktree"`          // absolute path of the directory that contains .idumb
	Process  *Process `json:"process,omitempty"` // the host's process; nil if unknown, and for a user
}

// Process identifies a process, even if its PID is reused.
type Process struct {
	PID       int    `json:"pid"`
	Started   uint64 `json:"started"`      // in clock ticks since boot: field 22 of proc_pid_stat(5)
	Namespace uint64 `json:"pidNamespace"` // PID namespace: the number in /proc/PID/ns/pid
}

// Equal reports whether two holders are the same session, or the same user on the same
// machine.
func (h Holder) Equal(o Holder) bool {
	return h.Session == o.Session && (h.Session != "" || h.SamePerson(o))
}

// SamePerson reports whether two holders act for the same user on the same machine.
func (h Holder) SamePerson(o Holder) bool { return h.Person == o.Person && h.Machine == o.Machine }

// String describes the holder for users and agents. It quotes IDs, which are written by
// hosts.
func (h Holder) String() string {
	switch {
	case h.Session == "":
		return h.Person
	case h.Host == "":
		return fmt.Sprintf("session %q", h.Session)
	}
	return fmt.Sprintf("%s's session %q", h.Host, h.Session)
}

// Brief returns the holder for a table cell: host and session, or the user.
func (h Holder) Brief() string {
	if h.Session == "" {
		return h.Person
	}
	return strings.TrimPrefix(h.Host+"/"+h.Session, "/")
}

// NewLease returns a lease of a task that starts now.
func NewLease(task *Task, holder Holder, now time.Time, duration time.Duration) *Lease {
	return &Lease{
		APIVersion: APIVersion, Kind: KindLease, Metadata: LeaseMetadata{Name: task.Metadata.Name, UID: task.Metadata.UID},
		Spec: LeaseSpec{Holder: holder, AcquireTime: NewTime(now), RenewTime: NewTime(now), Duration: duration.String()},
	}
}

// Expired reports whether a session's lease was not renewed within its duration. The
// lease of a user does not expire. A renewal time further in the future than the duration
// also counts as expired. Otherwise a clock that was set back, or a manipulated file,
// could keep the lease valid forever.
func (l *Lease) Expired(now time.Time) bool {
	lasts := Duration(l.Spec.Duration, DefaultLeaseDuration)
	return l.Spec.Holder.Session != "" && now.Sub(l.Spec.RenewTime.Time).Abs() > lasts
}

// DefaultLeaseDuration is the duration of the lease of an inactive session.
const DefaultLeaseDuration = 30 * time.Minute

// EncodeLease returns the content of a lease file.
func EncodeLease(l *Lease) ([]byte, error) {
	data, err := json.MarshalIndent(l, "", "  ")
	return append(data, '\n'), err
}

// DecodeLease decodes and checks a lease file of this or a newer version; it
// ignores unknown fields. If a value is invalid, it returns the lease and an
// error. The error does not contain the file name. The caller adds it.
func DecodeLease(data []byte) (*Lease, error) {
	var l Lease
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("it is no lease: %w", err)
	}
	return &l, l.check()
}

// check returns an error if the lease is invalid.
func (l *Lease) check() error {
	h := l.Spec.Holder
	switch duration, err := time.ParseDuration(l.Spec.Duration); {
	case l.APIVersion != APIVersion || l.Kind != KindLease:
		return fmt.Errorf("it is no %s of %s", KindLease, APIVersion)
	case CheckName(l.Metadata.Name) != nil:
		return fmt.Errorf("metadata.name: %w", CheckName(l.Metadata.Name))
	case h.Session != "" && CheckName(h.Session) != nil:
		return fmt.Errorf("spec.holder.session: %w", CheckName(h.Session))
	case h.Session == "" && h.Person == "":
		return errors.New("spec.holder names neither a session nor a user")
	case !filepath.IsAbs(h.Worktree) && !l.InOtherClone():
		return errors.New("spec.holder.worktree is no absolute path")
	case err != nil || duration <= 0:
		return fmt.Errorf("spec.duration %q is no time that a lease can last", l.Spec.Duration)
	case l.Spec.AcquireTime.IsZero() || l.Spec.RenewTime.IsZero():
		return errors.New("spec.acquireTime and spec.renewTime must be set")
	}
	return nil
}
