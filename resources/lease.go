package resources

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Lease says who works on a task: its one owner, in the words of Kubernetes' coordination API.
// It is local to the machine and its clone, never in git, and has no status.
type Lease struct {
	APIVersion string        `json:"apiVersion"` // APIVersion
	Kind       string        `json:"kind"`       // KindLease
	Metadata   LeaseMetadata `json:"metadata"`
	Spec       LeaseSpec     `json:"spec"`
}

// KindLease is what a Lease's kind holds. It is no row of the table of kinds: people and agents
// do not edit leases, and they do not stand in .idumb.
const KindLease = "Lease"

// LeaseMetadata names the task that is held: two branches may have different tasks of one name.
type LeaseMetadata struct {
	Name string `json:"name"`          // of the task
	UID  string `json:"uid,omitempty"` // of the task; "" for a file that was written by hand
}

// LeaseSpec is who holds the task, and since when.
type LeaseSpec struct {
	Holder      Holder `json:"holder"`
	AcquireTime Time   `json:"acquireTime"` // when this holder took it
	RenewTime   Time   `json:"renewTime"`   // when the holder was last heard of
	Duration    string `json:"duration"`    // how long after RenewTime it is the holder's without question, as Go writes it; for a session
	Transitions int    `json:"transitions"` // how often the holder changed

	Team *LeaseTeam `json:"team,omitempty"` // what the team says of it; nil where claims are not shared
}

// What LeaseTeam.Claim says.
const (
	ClaimConfirmed = "confirmed" // it stands with the team
	ClaimPending   = "pending"   // the team was not reached: another machine may have the task as well
)

// LeaseTeam is what the team says of a lease, where the clones of a repository share who holds what.
type LeaseTeam struct {
	Claim     string `json:"claim"`               // ClaimConfirmed or ClaimPending
	Elsewhere bool   `json:"elsewhere,omitempty"` // another clone's: its holder works on no working tree of this machine
	Revision  string `json:"revision,omitempty"`  // of the claim with the team: whoever takes it over replaces this one
	// Ended is the state in which the task ended here, or in another clone if Elsewhere: completed or
	// abandoned. The lease holds nothing then; it keeps a clone that does not have that state yet from
	// starting the task again. Another state says that the task was opened again here, and that the team
	// does not know yet. Empty while the task is worked on.
	Ended string `json:"ended,omitempty"`
	// Until is how long the team keeps it for this clone, if that is not heard of again: earlier than
	// the team's own clock. Zero where claims do not end by themselves.
	Until Time `json:"until,omitzero"`
}

// Lapsed reports whether this clone had a task, and the team has not heard of it for so long that it
// may be another one's by now.
func (l *Lease) Lapsed(now time.Time) bool {
	return l.Spec.Team != nil && !l.Spec.Team.Elsewhere && !l.Spec.Team.Until.IsZero() && !now.Before(l.Spec.Team.Until.Time)
}

// Elsewhere reports whether a lease is another clone's.
func (l *Lease) Elsewhere() bool { return l.Spec.Team != nil && l.Spec.Team.Elsewhere }

// Ended returns the state in which the task of a lease ended; empty while it is worked on.
func (l *Lease) Ended() string {
	if l.Spec.Team == nil {
		return ""
	}
	return l.Spec.Team.Ended
}

// Worker names the holder of a lease, or who ended its task, in a cell of a table.
func (l *Lease) Worker() string {
	if l.Ended() != "" {
		return l.Ended() + " by " + l.Spec.Holder.Brief()
	}
	return l.Spec.Holder.Brief()
}

// Over reports whether a state of a task is one that is not worked on again: completed or abandoned. A failed
// task may be started again.
func Over(state string) bool { return state == TaskCompleted || state == TaskAbandoned }

// Holder is whoever may hold a task: an agent's session, or a person.
type Holder struct {
	Session  string   `json:"session,omitempty"` // the name of the record of the session that a person started; "" for a person
	Agent    string   `json:"agent,omitempty"`   // the session's agent, as its host names it
	Host     string   `json:"host,omitempty"`    // the agent's host: claude, opencode, codex, ...
	Person   string   `json:"person"`            // for whom: the user's name on the machine
	Machine  string   `json:"machine"`           // its host name
	Worktree string   `json:"worktree"`          // the folder that .idumb stands in, absolute
	Process  *Process `json:"process,omitempty"` // the host's; nil where that is not known, and for a person
}

// Process names a process so that another one with its number is not taken for it.
type Process struct {
	PID       int    `json:"pid"`
	Started   uint64 `json:"started"`      // in clock ticks since the machine started: field 22 of proc_pid_stat(5)
	Namespace uint64 `json:"pidNamespace"` // in which PID counts: the number in /proc/PID/ns/pid
}

// Same reports whether two holders are one: a session, or a person on a machine.
func (h Holder) Same(o Holder) bool {
	return h.Session == o.Session && (h.Session != "" || h.SamePerson(o))
}

// SamePerson reports whether two holders act for one person on one machine.
func (h Holder) SamePerson(o Holder) bool { return h.Person == o.Person && h.Machine == o.Machine }

// String names the holder to people and agents. What it quotes was written by hosts.
func (h Holder) String() string {
	switch {
	case h.Session == "":
		return h.Person
	case h.Host == "":
		return fmt.Sprintf("session %q", h.Session)
	}
	return fmt.Sprintf("%s's session %q", h.Host, h.Session)
}

// Brief names the holder in a cell of a table: host and session, or the person.
func (h Holder) Brief() string {
	if h.Session == "" {
		return h.Person
	}
	return strings.TrimPrefix(h.Host+"/"+h.Session, "/")
}

// NewLease returns the lease of a task for a holder who takes it now.
func NewLease(task *Task, holder Holder, now time.Time, duration time.Duration) *Lease {
	return &Lease{
		APIVersion: APIVersion, Kind: KindLease, Metadata: LeaseMetadata{Name: task.Metadata.Name, UID: task.Metadata.UID},
		Spec: LeaseSpec{Holder: holder, AcquireTime: NewTime(now), RenewTime: NewTime(now), Duration: duration.String()},
	}
}

// Expired reports whether the holder was not heard of for longer than the lease lasts. A person's
// does not expire. One that is renewed in a future further away than that was never renewed: by a
// clock that was put back, or by a stranger's file, it would hold for ever.
func (l *Lease) Expired(now time.Time) bool {
	lasts := Duration(l.Spec.Duration, DefaultLeaseDuration)
	return l.Spec.Holder.Session != "" && now.Sub(l.Spec.RenewTime.Time).Abs() > lasts
}

// DefaultLeaseDuration is how long a session that is not heard of keeps its task to itself.
const DefaultLeaseDuration = 30 * time.Minute

// EncodeLease returns the file that holds a lease.
func EncodeLease(l *Lease) ([]byte, error) {
	data, err := json.MarshalIndent(l, "", "  ")
	return append(data, '\n'), err
}

// DecodeLease reads what EncodeLease wrote, or a newer version of it: fields that are not known
// are left out. The error says what is wrong; whoever knows the file's name adds it.
func DecodeLease(data []byte) (*Lease, error) {
	var l Lease
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, fmt.Errorf("it is no lease: %w", err)
	}
	return &l, l.check()
}

// check says what keeps a lease from being one.
func (l *Lease) check() error {
	h := l.Spec.Holder
	duration, err := time.ParseDuration(l.Spec.Duration)
	switch {
	case l.APIVersion != APIVersion || l.Kind != KindLease:
		return fmt.Errorf("it is no %s of %s", KindLease, APIVersion)
	case CheckName(l.Metadata.Name) != nil:
		return fmt.Errorf("metadata.name: %w", CheckName(l.Metadata.Name))
	case h.Session != "" && CheckName(h.Session) != nil:
		return fmt.Errorf("spec.holder.session: %w", CheckName(h.Session))
	case h.Session == "" && h.Person == "":
		return errors.New("spec.holder names neither a session nor a person")
	case !filepath.IsAbs(h.Worktree) && !l.Elsewhere():
		return errors.New("spec.holder.worktree is no absolute path")
	case err != nil || duration <= 0:
		return fmt.Errorf("spec.duration %q is no time that a lease can last", l.Spec.Duration)
	case l.Spec.AcquireTime.IsZero() || l.Spec.RenewTime.IsZero():
		return errors.New("spec.acquireTime and spec.renewTime must be set")
	}
	return nil
}
