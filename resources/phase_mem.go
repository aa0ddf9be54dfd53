package resources

import (
	"strconv"
	"time"
)

// DeriveMem computes what holds about a mem: what is left of its confidence (see
// Confidence), counted in whole days of 24 hours since it was made or confirmed,
// and whether another one took its place. Pinned mems neither decay nor fade. The
// next moment is the first whole day on which the rounded confidence changes.
// StaleSince is the day on which the curve went below config.memStaleBelow.
func DeriveMem(m *Mem, v WideView) (MemStatus, time.Time) {
	curve := curveOf(m, v)
	status := MemStatus{Confidence: curve.now()}
	status.Phase = curve.phase(v.Settings())
	if status.Phase == StalePhase {
		status.StaleSince = NewTime(curve.staleSince(v.Settings().MemStaleBelow))
	}
	superseders, circle := supersededBy(m, v)
	if len(superseders) > 0 {
		status.Phase, status.StaleSince = Superseded, Time{}
		status.SupersededBy = newest(superseders).Metadata.Name
	}
	status.Conditions = memConditions(m, v, circle)
	return status, curve.next()
}

// memCurve is the forgetting curve of one mem.
type memCurve struct {
	since     time.Time
	days      int
	start     int
	stability time.Duration
	pinned    bool
}

func curveOf(m *Mem, v View) memCurve {
	c := memCurve{since: validated(m), start: DefaultConfidence, stability: DefaultMemSpan, pinned: m.Spec.Pinned}
	c.days = int(age(c.since, v.Now()) / day)
	if m.Spec.Confidence != nil {
		c.start = *m.Spec.Confidence
	}
	if m.Spec.Type == FalsePath {
		c.stability = FalsePathSpan
	}
	c.stability = Duration(m.Spec.StaleAfter, c.stability)
	return c
}

func (c memCurve) now() int {
	if c.pinned {
		return c.start
	}
	return Confidence(c.start, c.days, c.stability)
}

func (c memCurve) phase(settings *ConfigSpec) string {
	confidence := c.now()
	switch {
	case c.pinned:
		return Fresh
	case confidence < settings.MemStaleBelow:
		return StalePhase
	case confidence < settings.MemFadingBelow:
		return Fading
	}
	return Fresh
}

func (c memCurve) staleSince(threshold int) time.Time {
	return c.after(daysUntilBelow(threshold, 0, c.start, c.stability))
}

// next is when the rounded confidence changes; everything else follows from it.
func (c memCurve) next() time.Time {
	if c.pinned {
		return time.Time{}
	}
	return c.after(daysUntilBelow(c.now(), c.days+1, c.start, c.stability))
}

func (c memCurve) after(days int) time.Time {
	if days < 0 {
		return time.Time{}
	}
	return c.since.Add(time.Duration(days) * day)
}

// supersededBy returns the mems that replace m. Mems that replace each other in a
// circle replace nothing, or all of them would be lost.
func supersededBy(m *Mem, v WideView) (superseders []*Mem, circle bool) {
	for _, s := range v.Superseders(m.Metadata.Name) {
		if replacedBy(s.Metadata.Name, m.Metadata.Name, v) {
			circle = true
		} else {
			superseders = append(superseders, s)
		}
	}
	return superseders, circle
}

// replacedBy reports whether the mem called name is replaced, directly or not, by
// the one called other.
func replacedBy(name, other string, v WideView) bool {
	seen := map[string]bool{}
	for todo := []string{name}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if next == other {
			return true
		}
		if seen[next] {
			continue
		}
		seen[next] = true
		for _, s := range v.Superseders(next) {
			todo = append(todo, s.Metadata.Name)
		}
	}
	return false
}

// newest is the youngest, and of those of one age the first by name.
func newest(mems []*Mem) *Mem {
	best := mems[0]
	for _, m := range mems[1:] {
		if m.Created().After(best.Created()) {
			best = m
		}
	}
	return best
}

func memConditions(m *Mem, v View, circle bool) []Condition {
	var all []Condition
	if circle {
		all = append(all, Condition{Type: Conflict, Status: True, Reason: "Circle",
			Message: "it and " + strconv.Quote(m.Spec.Supersedes) + " replace each other, so neither does; take spec.supersedes out of one of them"})
	}
	o := orphan{view: v}
	o.check("spec.originTask", Tasks, m.Spec.OriginTask)
	o.check("spec.parent", Mems, m.Spec.Parent)
	o.check("spec.supersedes", Mems, m.Spec.Supersedes)
	o.checkRelated(RelatedKeys(m))
	if c, orphaned := o.condition(); orphaned {
		all = append(all, c)
	}
	return all
}
