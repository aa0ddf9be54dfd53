package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Derive computes what holds about a mem. The first of these that is true is its
// phase:
//
//	superseded  another mem took its place (see Replacements)
//	purged      somebody took it out of the context
//	pending, ended  spec.validFrom has not come yet, spec.validTo has passed
//	gone        all that it cites is gone
//	stale       nobody confirmed it for longer than spec.staleAfter, or what is left
//	            of its confidence is below config.memStaleBelow
//	suspect     something that it cites has changed or is gone, or the commit that it was
//	            made of is on no branch any more (AnnotationSourceLost)
//	fading      what is left is below config.memFadingBelow
//	fresh
//
// A false path ends only by a mem that replaces it and says why: it is never purged,
// ended or gone, and its confidence alone never makes it stale.
//
// What is left of the confidence is Confidence, over the days on which the project saw
// work after the mem was recorded or last confirmed, with the Stability that its
// confirmations earned it; pinned and critical mems do not decay. A suspect mem has half
// of that. The next moment is the next one that the mem itself names, or the next day of
// work in the future; a new day of work comes as a change of what the view holds.
func Derive(m *resources.Mem, v status.WideView) (resources.MemStatus, time.Time) {
	d := deriver{m: m, v: v, now: v.Now()}
	d.next.now = d.now
	status := d.assess()
	status.Conditions = d.conditions(&status)
	return status, d.next.first
}

// Assess is Derive without the conditions: all that decides whether and where a mem is
// found, for whoever asks for thousands of them.
func Assess(m *resources.Mem, v status.WideView) (resources.MemStatus, time.Time) {
	d := deriver{m: m, v: v, now: v.Now()}
	d.next.now = d.now
	status := d.assess()
	return status, d.next.first
}

func (d *deriver) assess() resources.MemStatus {
	status := resources.MemStatus{RecordedAt: resources.NewTime(RecordedAt(d.m))}
	d.confirmed(&status)
	d.replaced(&status)
	d.cited(&status)
	curve := d.curve(status)
	status.Confidence = curve.now()
	d.decay(&status, curve)
	if len(status.Suspect) > 0 {
		status.Confidence /= 2
	}
	d.spans(&status)
	return status
}

// deriver computes one status.
type deriver struct {
	m    *resources.Mem
	v    status.WideView
	now  time.Time
	next moments
	gone bool // all that it cites is gone
}

// moments remembers the first moment in the future that it was told.
type moments struct{ now, first time.Time }

func (n *moments) at(t time.Time) {
	if t.After(n.now) {
		n.first = resources.Earliest(n.first, t)
	}
}

// recordedAt is when a mem was first written down.
func RecordedAt(m *resources.Mem) time.Time {
	if !m.Spec.RecordedAt.IsZero() {
		return m.Spec.RecordedAt.Time
	}
	return m.Created()
}

// validFrom is since when a mem is so.
func validFrom(m *resources.Mem) time.Time {
	if !m.Spec.ValidFrom.IsZero() {
		return m.Spec.ValidFrom.Time
	}
	return RecordedAt(m)
}

// tookPlaceAt is when it was known that a mem takes the place of the one that it replaces.
func tookPlaceAt(m *resources.Mem) time.Time {
	return resources.Later(RecordedAt(m), m.Spec.SupersedesSince.Time)
}

// Confirmed returns how many confirmations of a mem count by now, when the last one was
// (zero: never), and when the next one is that lies in the future. Several by the same
// on one day count once; so does the annotation validated-at.
func Confirmed(m *resources.Mem, now time.Time) (count int, last, next time.Time) {
	all := m.Spec.Confirmations
	if at := resources.AnnotatedAt(m); at.After(RecordedAt(m)) {
		all = append(all[:len(all):len(all)], resources.MemConfirmation{At: resources.NewTime(at), By: resources.AnnotationValidatedAt})
	}
	if len(all) == 0 {
		return 0, last, next
	}
	type token struct {
		day int
		by  string
	}
	seen := make(map[token]bool, len(all))
	for _, c := range all {
		switch {
		case c.At.IsZero():
		case c.At.After(now):
			next = resources.Earliest(next, c.At.Time)
		default:
			seen[token{status.DayOf(c.At.Time), c.By}] = true
			last = resources.Later(last, c.At.Time)
		}
	}
	return len(seen), last, next
}

func (d *deriver) confirmed(s *resources.MemStatus) {
	count, last, next := Confirmed(d.m, d.now)
	s.Confirmations, s.ConfirmedAt = count, resources.NewTime(last)
	if last.IsZero() {
		s.ConfirmedAt = resources.Time{}
	}
	d.next.at(next)
}

// since is when the mem was recorded or last confirmed.
func (d *deriver) since(s resources.MemStatus) time.Time {
	return resources.Later(RecordedAt(d.m), s.ConfirmedAt.Time)
}

// replaced says which mem took its place.
func (d *deriver) replaced(s *resources.MemStatus) {
	var by []*resources.Mem
	for _, r := range Replacements(d.m, d.v) {
		if from := r.Spec.ValidFrom.Time; from.After(d.now) {
			d.next.at(from)
			continue
		}
		by = append(by, r)
		s.InvalidatedAt = resources.NewTime(resources.Earliest(s.InvalidatedAt.Time, resources.Later(tookPlaceAt(r), RecordedAt(d.m))))
	}
	if len(by) == 0 {
		return
	}
	heir := newest(by)
	s.SupersededBy, s.Head, s.ValidTo = heir.Metadata.Name, Head(heir, d.v).Metadata.Name, resources.NewTime(validFrom(heir))
}

// cited compares what the mem cites with what is there.
func (d *deriver) cited(s *resources.MemStatus) {
	missing, all := 0, 0
	for _, e := range d.m.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		all++
		seen := Look(e, d.v)
		switch {
		case !seen.Exists:
			missing++
			fallthrough
		case seen.Changed:
			s.Suspect = append(s.Suspect, seen.What(e))
		case seen.Moved:
			s.Moved = append(s.Moved, seen.What(e))
		}
	}
	if at, lost := lostAt(d.m); lost {
		d.next.at(at)
		if !at.After(d.now) {
			s.Suspect = append(s.Suspect, d.m.Spec.Source+" is on no branch any more")
		}
	}
	d.gone = missing > 0 && missing == all
}

// decay sets the phase that time and evidence lead to.
func (d *deriver) decay(s *resources.MemStatus, curve memCurve) {
	falsePath := d.m.Spec.Type == resources.FalsePath
	settings := d.v.Settings()
	expires := d.expires(*s)
	d.next.at(expires)
	if expires.After(d.now) {
		s.StaleAt = resources.NewTime(expires)
	}
	s.Phase = curve.phase(settings)
	if s.Phase == resources.StalePhase {
		s.StaleSince = resources.NewTime(curve.staleSince(settings.MemStaleBelow))
		if falsePath {
			s.Phase, s.StaleSince = resources.Fading, resources.Time{}
		}
	}
	switch {
	case d.gone && !falsePath:
		s.Phase, s.StaleSince = resources.Gone, resources.Time{}
	case !expires.IsZero() && !expires.After(d.now):
		s.Phase, s.StaleSince = resources.StalePhase, resources.NewTime(expires)
	case s.Phase != resources.StalePhase && len(s.Suspect) > 0:
		s.Phase = resources.SuspectPhase
	}
}

// expires is when a mem with spec.staleAfter turns stale; zero for one without.
func (d *deriver) expires(s resources.MemStatus) time.Time {
	span := resources.Duration(d.m.Spec.StaleAfter, 0)
	if span == 0 {
		return time.Time{}
	}
	return d.since(s).Add(span)
}

// spans fills in the two clocks, and the phases that follow from them.
func (d *deriver) spans(s *resources.MemStatus) {
	spec := &d.m.Spec
	s.ValidFrom = resources.NewTime(validFrom(d.m))
	if spec.Type != resources.FalsePath {
		d.ends(s)
	}
	if from := spec.ValidFrom.Time; from.After(d.now) { // said so: a file's own time may be ahead of this clock
		d.next.at(from)
		s.Phase, s.StaleSince = resources.Pending, resources.Time{}
	}
	if s.SupersededBy != "" {
		s.Phase, s.StaleSince = resources.Superseded, resources.Time{}
	}
}

// ends honours spec.validTo and spec.purgedAt.
func (d *deriver) ends(s *resources.MemStatus) {
	if to := d.m.Spec.ValidTo.Time; !to.IsZero() {
		d.next.at(to)
		s.ValidTo = resources.NewTime(resources.Earliest(s.ValidTo.Time, to))
		if !to.After(d.now) {
			s.Phase, s.StaleSince = resources.Ended, resources.Time{}
		}
	}
	if at := d.m.Spec.PurgedAt.Time; !at.IsZero() {
		d.next.at(at)
		if !at.After(d.now) {
			s.Phase, s.StaleSince = resources.Purged, resources.Time{}
			s.InvalidatedAt = resources.NewTime(resources.Earliest(s.InvalidatedAt.Time, at))
		}
	}
}

// Hidden reports whether a mem of that phase is kept out of every context and every
// recall, linked to a task or not.
func Hidden(phase string) bool { return slices.Contains(hiddenPhases[:], phase) }

var hiddenPhases = [...]string{resources.Superseded, resources.Purged, resources.Ended, resources.Pending, resources.Gone, resources.PhaseInvalid}

// LivePhase reports whether a mem of that phase is Live; of an invalid one only Live knows.
func LivePhase(phase string) bool { return phase == resources.Gone || !Hidden(phase) }

// ShownPhases is a field selector of the mems that are not Hidden.
func ShownPhases() string {
	return "status.phase!=" + strings.Join(hiddenPhases[:], ",status.phase!=")
}

// memCurve is the forgetting curve of one mem.
type memCurve struct {
	since     time.Time
	days      status.WorkDays // since then, up to now
	start     int
	stability time.Duration
	kept      bool // pinned or critical
}

func (d *deriver) curve(s resources.MemStatus) memCurve {
	spec := &d.m.Spec
	c := memCurve{since: d.since(s), start: DefaultConfidence, stability: stabilityOf(spec.Type == resources.FalsePath, s.Confirmations), kept: spec.Pinned || spec.Critical}
	if spec.Confidence != nil {
		c.start = *spec.Confidence
	}
	if c.kept {
		return c
	}
	all := d.v.WorkDays()
	c.days = all.Between(c.since, d.now)
	d.next.at(c.falls(all.Between(resources.Later(c.since, d.now), status.StartOf(maxDays))))
	return c
}

// stabilityOf is how slowly a mem fades.
func stabilityOf(falsePath bool, confirmations int) time.Duration {
	if falsePath {
		return Stability(FalsePathSpan, confirmations)
	}
	return Stability(DefaultMemSpan, confirmations)
}

func (c memCurve) now() int {
	if c.kept {
		return c.start
	}
	return Confidence(c.start, len(c.days), c.stability)
}

// falls is when, with those further days of work, the rounded confidence changes; zero if
// it does not.
func (c memCurve) falls(ahead status.WorkDays) time.Time {
	if len(ahead) == 0 {
		return time.Time{}
	}
	n := daysUntilBelow(c.now(), len(c.days)+1, c.start, c.stability) - len(c.days)
	if n < 1 || n > len(ahead) {
		return time.Time{}
	}
	return status.StartOf(ahead[n-1])
}

func (c memCurve) phase(settings *resources.ConfigSpec) string {
	confidence := c.now()
	switch {
	case c.kept:
		return resources.Fresh
	case confidence < settings.MemStaleBelow:
		return resources.StalePhase
	case confidence < settings.MemFadingBelow:
		return resources.Fading
	}
	return resources.Fresh
}

// staleSince is when the curve went below the threshold: at the beginning of a day of
// work, or when it began.
func (c memCurve) staleSince(threshold int) time.Time {
	n := daysUntilBelow(threshold, 0, c.start, c.stability)
	if n <= 0 || n > len(c.days) {
		return c.since
	}
	return status.StartOf(c.days[n-1])
}
