package memory

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// conditions returns the conditions of the mem: conflicts with other mems,
// references to missing objects, and suspect evidence.
func (d *deriver) conditions(s *resources.MemStatus) []resources.Condition {
	var all []resources.Condition
	if c, found := d.conflict(s); found {
		all = append(all, c)
	}
	o := status.Orphan{View: d.v, Object: d.m.Key()}
	o.Check("spec.originTask", resources.Tasks, d.m.Spec.OriginTask)
	o.Check("spec.parent", resources.Mems, d.m.Spec.Parent)
	o.Check("spec.supersedes", resources.Mems, d.m.Spec.Supersedes)
	o.CheckRelated(resources.RelatedKeys(d.m))
	if c, orphaned := o.Condition(); orphaned {
		all = append(all, c)
	}
	if len(s.Suspect) > 0 {
		reason := "EvidenceChanged"
		if d.allGone {
			reason = "EvidenceGone"
		}
		all = append(all, resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: reason,
			Message: status.Listed(s.Suspect, ", ") + "; check whether it is still valid, then idumb confirm mem " + d.m.Metadata.Name + ", or replace it"})
	}
	return all
}

// conflict returns a condition for all contradictions of a mem to other mems. Its reason is
// that of the first contradiction.
func (d *deriver) conflict(s *resources.MemStatus) (resources.Condition, bool) {
	c := resources.Condition{Type: resources.Conflict, Status: resources.True}
	add := func(reason, message string) {
		switch {
		case reason == "":
		case c.Reason == "":
			c.Reason, c.Message = reason, message
		default:
			c.Message += "; " + message
		}
	}
	if d.m.Spec.Supersedes != "" { // most mems replace nothing
		add(d.circle())
		add(d.unfit())
		add(d.secondHead(s))
	}
	if d.m.Spec.TopicKey != "" {
		add(d.sameTopic(s))
	}
	add(d.refuseEnd())
	return c, c.Reason != ""
}

// circle returns the reason and message of a conflict if the mem and its predecessor replace each
// other.
func (d *deriver) circle() (reason, message string) {
	old := d.m.Spec.Supersedes
	if !InCycle(d.m, d.v) {
		return "", ""
	}
	return "Circle", "it and " + strconv.Quote(old) + " replace each other, so neither does; take spec.supersedes out of one of them"
}

// unfit returns the reason and message of a conflict if the mem cannot replace
// the mem in spec.supersedes, and empty texts otherwise.
func (d *deriver) unfit() (reason, message string) {
	old := d.superseded()
	if old == nil || !Live(old, d.v, d.now) { // it is already replaced, purged or out of date
		return "", ""
	}
	why := ReplacementError(d.m, old)
	switch {
	case why == "":
		return "", ""
	case d.m.Spec.Shelf != old.Spec.Shelf:
		return "OtherShelf", why + ", so it does not replace it; move it there or take spec.supersedes out: idumb edit mem " + d.m.Metadata.Name
	}
	return "ReasonMissing", why + ", so it stays in effect; idumb supersede mem " + old.Metadata.Name + " --by " + d.m.Metadata.Name + " --reason WHY"
}

// superseded returns the mem in spec.supersedes, or nil.
func (d *deriver) superseded() *resources.Mem {
	if d.m.Spec.Supersedes == "" {
		return nil
	}
	return d.v.Mem(d.m.Spec.Supersedes)
}

// secondHead returns the reason and message of a conflict if a mem earlier in
// the chain was also replaced by another mem, and empty texts otherwise.
func (d *deriver) secondHead(s *resources.MemStatus) (reason, message string) {
	if !LivePhase(s.Phase) {
		return "", ""
	}
	chain := chainOf(d.m, d.v)
	for i, old := range chain[1:] {
		if rivals := rivalsFor(old, chain[i], d.v, d.now); len(rivals) > 0 {
			return "SecondHead", someOf(rivals) + verb(len(rivals), " takes", " take") + " the place of " + strconv.Quote(old.Metadata.Name) + " as well; let one of them replace the other: idumb supersede mem " + rivals[0] + " --by " + chain[i].Metadata.Name
		}
	}
	return "", ""
}

// maxRivals limits the contradicting mems that a condition names. Otherwise thousands of
// contradicting mems would each name all the rest.
const maxRivals = 3

// someOf lists up to maxRivals names, and indicates if there are more.
func someOf(names []string) string {
	if len(names) > maxRivals {
		return status.Quoted(names[:maxRivals]) + " and more"
	}
	return status.Quoted(names)
}

// rivalsFor returns the names of live mems that replace old, except mems that
// do so through m. It stops once it has more than maxRivals names.
func rivalsFor(old, m *resources.Mem, g Graph, now time.Time) []string {
	if all := g.Superseders(old.Metadata.Name); len(all) == 1 && all[0].Metadata.Name == m.Metadata.Name {
		return nil // the common case
	}
	var names []string
	for _, other := range Replacements(old, g) {
		if other.Metadata.Name == m.Metadata.Name {
			continue
		}
		for _, head := range holders(other, g, now) {
			names = append(names, head.Metadata.Name)
		}
		if len(names) > maxRivals {
			break
		}
	}
	return names
}

// verb returns one if n is 1, else many.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// sameTopic returns the reason and message of a conflict if other live mems
// have different content about the same topic, and empty texts otherwise.
func (d *deriver) sameTopic(s *resources.MemStatus) (reason, message string) {
	all := d.v.Topic(d.m.Spec.TopicKey)
	if len(all) < 2 || !LivePhase(s.Phase) {
		return "", ""
	}
	topic, text := NormalTopic(d.m.Spec.TopicKey), NormalText(d.m.Spec.Content)
	var others []string
	for _, o := range all {
		if o.Metadata.Name == d.m.Metadata.Name || o.Spec.Content == d.m.Spec.Content || !Live(o, d.v, d.now) || NormalText(o.Spec.Content) == text {
			continue
		}
		if others = append(others, o.Metadata.Name); len(others) > maxRivals {
			break
		}
	}
	if len(others) == 0 {
		return "", ""
	}
	return "SameTopic", someOf(others) + verb(len(others), " says", " say") + " something else about topic " + strconv.Quote(topic) + "; let one of them replace the other: idumb supersede mem " + others[0] + " --by " + ChainRoot(d.m, d.v).Metadata.Name
}

// refuseEnd returns the reason and message of a conflict if a false path is
// purged or expires without a replacement, and empty texts otherwise.
func (d *deriver) refuseEnd() (reason, message string) {
	spec := &d.m.Spec
	if spec.Type != resources.FalsePath || spec.PurgedAt.IsZero() && spec.ValidTo.IsZero() {
		return "", ""
	}
	return "FalsePathKept", "it records a failed approach, which only another mem with a reason can replace, so spec.purgedAt and spec.validTo do nothing; idumb supersede mem " + d.m.Metadata.Name
}

// DeriveDecision computes the status of a decision: status.DeriveDecision, the conditions
// from the code map and the documents, and changes of its evidence. A decision with changed
// evidence stays in effect until a user decides. The time is always zero, because the
// status does not change by time.
func DeriveDecision(d *resources.Decision, v status.WideView) (resources.DecisionStatus, time.Time) {
	st := status.DeriveDecision(d, v)
	st.Conditions = append(st.Conditions, status.DecisionConditions(d, st.Phase, v)...)
	gone := false
	for _, e := range d.Spec.Evidence {
		if e.Path == "" {
			continue
		}
		if seen := Look(e, v); !seen.Exists || seen.Changed {
			st.Suspect = append(st.Suspect, seen.Describe(e))
			gone = gone || !seen.Exists
		}
	}
	if len(st.Suspect) == 0 {
		return st, time.Time{}
	}
	c := resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: "EvidenceChanged",
		Message: status.Listed(st.Suspect, ", ") + "; check whether it is still valid, then put the new evidence in, or replace it: idumb supersede decision " + d.Metadata.Name + " --by ANOTHER"}
	if gone {
		c.Reason = "EvidenceGone"
	}
	st.Conditions = append(st.Conditions, c)
	return st, time.Time{}
}

// Warning returns a short warning about a mem with a status, and "" if the
// phase needs none.
func Warning(m *resources.Mem, s *resources.MemStatus) string {
	switch s.Phase {
	case resources.Superseded:
		return "mem/" + cmp.Or(s.Head, s.SupersededBy) + " replaced it"
	case resources.Purged:
		return strings.TrimSuffix("purged "+day(s.InvalidatedAt)+": "+m.Spec.PurgeReason, ": ")
	case resources.Ended:
		return "it was so until " + day(s.ValidTo)
	case resources.Pending:
		return "it will be so from " + day(s.ValidFrom)
	case resources.GonePhase, resources.SuspectPhase:
		return "check it: " + Doubts(s)
	case resources.StalePhase:
		return "stale since " + day(s.StaleSince)
	}
	if Unsaved(m) {
		return "sessions reported it, and it was not saved yet"
	}
	return ""
}

// day formats the day of a time.
func day(t resources.Time) string {
	if t.IsZero() {
		return "an unknown day"
	}
	return t.Format(time.DateOnly)
}

// Doubts lists up to two reasons why a mem is suspect, and counts the rest.
func Doubts(s *resources.MemStatus) string {
	const most = 2
	text := strings.Join(s.Suspect[:min(most, len(s.Suspect))], ", ")
	if more := len(s.Suspect) - most; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
