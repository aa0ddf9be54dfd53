package migrate

import (
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// hivemindTTL is how long a memory of HiveMind holds that carries no stamp of its own.
const hivemindTTL = 72 * time.Hour

func (b *hivemind) mems(f File, r *Record) {
	each(r, func(r *Record) { b.mem(f, r) }, "mems", "memories", "sessionMemory")
}

// mem reads a memory, which holds until its stamp, or 72 hours after it was made.
func (b *hivemind) mem(f File, r *Record) *Draft {
	d := b.Mem(f, r)
	if d == nil {
		return nil
	}
	d.StaleAfter(r.Time("stalenessStamp"), hivemindTTL)
	if t := r.Time("purgedAt"); !t.IsZero() {
		spec := d.Object.SpecPointer().(*resources.MemSpec)
		spec.PurgedAt, spec.PurgeReason = resources.NewTime(t), "purged in HiveMind"
	}
	return d
}

// anchors reads facts that HiveMind never let go of.
func (b *hivemind) anchors(f File, r *Record) {
	each(r, func(r *Record) {
		if d := b.Anchor(f, r); d != nil {
			d.Object.SpecPointer().(*resources.AnchorSpec).Pinned = true
		}
	}, "anchors")
}

// brain reads the state of the session that ran last. What it kept of conversations has no place here.
func (b *hivemind) brain(f File, r *Record) {
	var counters *resources.SessionCounters
	if inner := r.Inner("session"); inner != nil {
		if d := b.Session(f, inner); d != nil {
			counters = &d.Object.SpecPointer().(*resources.SessionSpec).Counters
		}
	}
	if inner := r.Inner("metrics"); inner != nil {
		count(counters, inner)
		b.LeaveRest(f, inner, "figures of a session")
	}
	if inner := r.Inner("hierarchy"); inner != nil {
		if b.Find(resources.Trajectories, resources.TrajectoryName) == nil && inner.Has("trajectory") {
			d := b.Make(resources.Trajectories, resources.TrajectoryName)
			d.file = f
			d.Object.SpecPointer().(*resources.TrajectorySpec).Intent = inner.Text("trajectory")
		}
		b.LeaveRest(f, inner, "levels of the hierarchy in brain.json")
	}
}

// count takes the figures that sessions have here as well.
func count(counters *resources.SessionCounters, r *Record) {
	if counters == nil {
		return
	}
	for name, to := range map[string]*int{
		"turnCount": &counters.Turns, "totalToolCalls": &counters.ToolCalls,
		"violationCount": &counters.Violations, "consecutiveFailures": &counters.Failures,
	} {
		if v, ok := r.Peek(name); ok && v.Type == Number {
			if n, err := strconv.Atoi(v.Text); err == nil && n >= 0 {
				r.Take(name)
				*to = n
			}
		}
	}
}

func (b *hivemind) delegations(f File, r *Record) {
	each(r, func(r *Record) { b.Delegation(f, r) }, "delegations")
}

func (b *hivemind) sessions(f File, r *Record) {
	each(r, func(r *Record) { b.Session(f, r) }, "sessions")
}

// config reads the settings: the language, and from when on a session is stale.
func (b *hivemind) config(f File, r *Record) {
	spec := b.settings()
	b.language(spec, r)
	if v, ok := r.Peek("staleSessionDays"); ok && spec.SessionStaleAfter == "" {
		if n, err := strconv.Atoi(v.Text); err == nil && n > 0 && n < 10000 {
			r.Take("staleSessionDays")
			spec.SessionStaleAfter = durationText(time.Duration(n) * 24 * time.Hour)
		}
	}
	b.LeaveRest(f, r, "settings")
}
