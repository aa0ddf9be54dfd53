package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Derive computes the status of a mem and the time of its next change. The phase is the
// first one in this list that applies:
//
//	superseded  replaced by another mem (see Replacements)
//	purged      removed from the context
//	pending, ended  before spec.validFrom, after spec.validTo
//	gone        all evidence was deleted
//	stale       not confirmed within spec.staleAfter, or the remaining confidence
//	            is below config.memStaleBelow
//	suspect     evidence changed or was deleted, or the source commit is no longer
//	            on any branch (AnnotationSourceLost)
//	fading      the remaining confidence is below config.memFadingBelow
//	fresh
//
// A false path can only be ended by a replacement with a reason. It is never purged, ended
// or gone, and low confidence does not make it stale.
//
// The remaining confidence is Confidence over the days with project activity since the mem
// was recorded or last confirmed. Confirmations increase its Stability. Pinned and critical
// mems do not decay. The confidence of a suspect mem is halved. The time is the next time
// in the mem's fields, or the next future work day. A new work day also changes the view,
// which causes a new computation.
func Derive(m *resources.Mem, v status.WideView) (resources.MemStatus, time.Time) {
	d := deriver{m: m, v: v, now: v.Now()}
	d.next.now = d.now
	status := d.assess()
	status.Conditions = d.conditions(&status)
	return status, d.next.first
}

// Assess is Derive without the conditions. It is faster, for callers that only need to rank
// thousands of mems.
func Assess(m *resources.Mem, v status.WideView) (resources.MemStatus, time.Time) {
	d := deriver{m: m, v: v, now: v.Now()}
	d.next.now = d.now
	status := d.assess()
	return status, d.next.first
}

// assess computes the status of the mem without its conditions.
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

// deriver computes the status of one mem; see Derive.
type deriver struct {
	m       *resources.Mem
	v       status.WideView
	now     time.Time
	next    earliestTime
	allGone bool // all evidence was deleted
}

// earliestTime records the earliest future time.
type earliestTime struct{ now, first time.Time }

// add records a time after now, if it is the earliest one.
func (n *earliestTime) add(t time.Time) {
	if t.After(n.now) {
		n.first = resources.Earliest(n.first, t)
	}
}

// RecordedAt returns when a mem was first recorded.
func RecordedAt(m *resources.Mem) time.Time {
	if !m.Spec.RecordedAt.IsZero() {
		return m.Spec.RecordedAt.Time
	}
	return m.Created()
}

// validFrom returns spec.validFrom, or the time of recording if it is unset.
func validFrom(m *resources.Mem) time.Time {
	if !m.Spec.ValidFrom.IsZero() {
		return m.Spec.ValidFrom.Time
	}
	return RecordedAt(m)
}

// Confirmed returns the number of confirmations of a mem up to now, the time of the last
// one (zero if there are none) and the time of the next one in the future. Confirmations by
// the same user or agent on one day count once. The annotation validated-at counts too.
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

// confirmed sets the number and time of the confirmations.
func (d *deriver) confirmed(s *resources.MemStatus) {
	count, last, next := Confirmed(d.m, d.now)
	s.Confirmations, s.ConfirmedAt = count, resources.NewTime(last)
	if last.IsZero() {
		s.ConfirmedAt = resources.Time{}
	}
	d.next.add(next)
}

// since returns when the mem was recorded or last confirmed.
func (d *deriver) since(s resources.MemStatus) time.Time {
	return resources.Later(RecordedAt(d.m), s.ConfirmedAt.Time)
}

// replaced sets the newest replacement, the head of the chain, and since when
// the mem is replaced.
func (d *deriver) replaced(s *resources.MemStatus) {
	var by []*resources.Mem
	for _, r := range Replacements(d.m, d.v) {
		if from := r.Spec.ValidFrom.Time; from.After(d.now) {
			d.next.add(from)
			continue
		}
		by = append(by, r)
		s.InvalidatedAt = resources.NewTime(resources.Earliest(s.InvalidatedAt.Time, resources.Later(resources.Later(RecordedAt(r), r.Spec.SupersedesSince.Time), RecordedAt(d.m))))
	}
	if len(by) == 0 {
		return
	}
	heir := newest(by)
	s.SupersededBy, s.Head, s.ValidTo = heir.Metadata.Name, Head(heir, d.v).Metadata.Name, resources.NewTime(validFrom(heir))
}

// cited compares the evidence with the repository. It sets the citations that
// changed, were deleted or moved, and allGone. A lost source commit makes the
// mem suspect too.
func (d *deriver) cited(s *resources.MemStatus) {
	missing, all := 0, 0
	for _, e := range d.m.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		all++
		switch seen := Look(e, d.v); {
		case !seen.Exists:
			missing++
			fallthrough
		case seen.Changed:
			s.Suspect = append(s.Suspect, seen.Describe(e))
		case seen.Moved:
			s.Moved = append(s.Moved, seen.Describe(e))
		}
	}
	if at, lost := lostAt(d.m); lost {
		d.next.add(at)
		if !at.After(d.now) {
			s.Suspect = append(s.Suspect, d.m.Spec.Source+" is no longer on any branch")
		}
	}
	d.allGone = missing > 0 && missing == all
}

// decay sets the phase that follows from time and evidence, and when the mem
// becomes or became stale.
func (d *deriver) decay(s *resources.MemStatus, curve memCurve) {
	falsePath := d.m.Spec.Type == resources.FalsePath
	settings := d.v.Settings()
	expires := d.expires(*s)
	d.next.add(expires)
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
	case d.allGone && !falsePath:
		s.Phase, s.StaleSince = resources.GonePhase, resources.Time{}
	case !expires.IsZero() && !expires.After(d.now):
		s.Phase, s.StaleSince = resources.StalePhase, resources.NewTime(expires)
	case s.Phase != resources.StalePhase && len(s.Suspect) > 0:
		s.Phase = resources.SuspectPhase
	}
}

// expires returns when a mem with spec.staleAfter becomes stale, or the zero time.
func (d *deriver) expires(s resources.MemStatus) time.Time {
	span := resources.Duration(d.m.Spec.StaleAfter, 0)
	if span == 0 {
		return time.Time{}
	}
	return d.since(s).Add(span)
}

// spans sets the validity period and the phases that follow from it.
func (d *deriver) spans(s *resources.MemStatus) {
	spec := &d.m.Spec
	s.ValidFrom = resources.NewTime(validFrom(d.m))
	if spec.Type != resources.FalsePath {
		d.ends(s)
	}
	if from := spec.ValidFrom.Time; from.After(d.now) { // uses spec.validFrom only: a file's modification time may be ahead of the clock
		d.next.add(from)
		s.Phase, s.StaleSince = resources.Pending, resources.Time{}
	}
	if s.SupersededBy != "" {
		s.Phase, s.StaleSince = resources.Superseded, resources.Time{}
	}
}

// ends applies spec.validTo and spec.purgedAt.
func (d *deriver) ends(s *resources.MemStatus) {
	if to := d.m.Spec.ValidTo.Time; !to.IsZero() {
		d.next.add(to)
		s.ValidTo = resources.NewTime(resources.Earliest(s.ValidTo.Time, to))
		if !to.After(d.now) {
			s.Phase, s.StaleSince = resources.Ended, resources.Time{}
		}
	}
	if at := d.m.Spec.PurgedAt.Time; !at.IsZero() {
		d.next.add(at)
		if !at.After(d.now) {
			s.Phase, s.StaleSince = resources.Purged, resources.Time{}
			s.InvalidatedAt = resources.NewTime(resources.Earliest(s.InvalidatedAt.Time, at))
		}
	}
}

// IsHidden reports whether mems in a phase are excluded from all contexts and search results,
// even if a task links to them.
func IsHidden(phase string) bool { return slices.Contains(hiddenPhases[:], phase) }

var hiddenPhases = [...]string{resources.Superseded, resources.Purged, resources.Ended, resources.Pending, resources.GonePhase, resources.PhaseInvalid}

// LivePhase reports whether a mem in a phase is live (Live). A mem without its
// evidence (GonePhase) is. For PhaseInvalid it returns false; call Live
// instead.
func LivePhase(phase string) bool { return phase == resources.GonePhase || !IsHidden(phase) }

// ShownPhases returns a field selector for mems whose phase is not hidden (IsHidden).
func ShownPhases() string {
	return "status.phase!=" + strings.Join(hiddenPhases[:], ",status.phase!=")
}

// memCurve is the forgetting curve of one mem.
type memCurve struct {
	since     time.Time
	days      status.WorkDays // work days from since to now
	start     int
	stability time.Duration
	constant  bool // pinned or critical
}

// curve returns the forgetting curve of the mem from its last confirmation.
func (d *deriver) curve(s resources.MemStatus) memCurve {
	spec := &d.m.Spec
	c := memCurve{since: d.since(s), start: DefaultConfidence, stability: stabilityOf(spec.Type == resources.FalsePath, s.Confirmations), constant: spec.Pinned || spec.Critical}
	if spec.Confidence != nil {
		c.start = *spec.Confidence
	}
	if isMachineMade(d.m) {
		c.start = max(c.start, d.v.Settings().MemFadingBelow)
	}
	if c.constant {
		return c
	}
	all := d.v.WorkDays()
	c.days = all.Range(c.since, d.now)
	d.next.add(c.falls(all.Range(resources.Later(c.since, d.now), status.StartOf(maxDays))))
	return c
}

// stabilityOf returns the stability of a mem.
func stabilityOf(falsePath bool, confirmations int) time.Duration {
	if falsePath {
		return Stability(FalsePathSpan, confirmations)
	}
	return Stability(DefaultMemSpan, confirmations)
}

// now returns the current confidence.
func (c memCurve) now() int {
	if c.constant {
		return c.start
	}
	return Confidence(c.start, len(c.days), c.stability)
}

// falls returns when the rounded confidence changes, given the future work days. It returns
// the zero time if it does not change.
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

// phase returns the phase by the current confidence: fresh, fading or stale.
func (c memCurve) phase(settings *resources.ConfigSpec) string {
	switch confidence := c.now(); {
	case c.constant:
		return resources.Fresh
	case confidence < settings.MemStaleBelow:
		return resources.StalePhase
	case confidence < settings.MemFadingBelow:
		return resources.Fading
	}
	return resources.Fresh
}

// staleSince returns when the curve fell below the threshold: at the start of a work day,
// or at the start of the curve.
func (c memCurve) staleSince(threshold int) time.Time {
	n := daysUntilBelow(threshold, 0, c.start, c.stability)
	if n <= 0 || n > len(c.days) {
		return c.since
	}
	return status.StartOf(c.days[n-1])
}
