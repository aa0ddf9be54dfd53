package packer

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// nothingShared and hardlyRelevant are the reasons for leaving out an irrelevant mem.
const nothingShared = "out: it shares no word with the active tasks, and nothing links it to them"
const hardlyRelevant = "out: its words have too little in common with the words of the active tasks, the plan and the intent, and nothing links it to them"

// noQuestion is the reason for leaving out a mem or an anchor if the reader has no task, plan or
// intent.
const noQuestion = "out: no task, plan or intent to compare with; a prompt brings the mems that match it"

// falsePath offers a false path, whatever its score, because it may prevent a mistake.
func (d *packing) falsePath(r *memScore) {
	if r.doc < 0 {
		d.candidates.exclude(antiPatterns, r.id, 0, r.why)
		return
	}
	d.candidates.add(candidate{section: antiPatterns, id: r.id, tier: falsePath, score: r.score, previous: r.previous, ownTask: r.link == linkedTask, fact: r.fact})
}

// warningOf renders a false path as AVOID x BECAUSE y INSTEAD z. Content in another form is the
// reason if the mem has a title, otherwise x.
func warningOf(spec *resources.MemSpec) string {
	content := strings.TrimSpace(spec.Content)
	switch {
	case len(content) >= 6 && strings.EqualFold(content[:6], "avoid "):
		return "AVOID " + content[6:]
	case spec.Title != "" && !strings.HasPrefix(content, spec.Title):
		return "AVOID " + spec.Title + " BECAUSE " + content
	}
	return "AVOID " + content
}

// maxAntiPattern is the maximal length of an anti-pattern in a pack, in characters.
const maxAntiPattern = 100

// antiPatternText renders a false path for a pack: compressed, and with its origin task. The whole
// text is delivered when it applies, and by recall and describe.
func antiPatternText(m *Mem) string {
	details := memDetails(m)
	if origin := m.Object.Spec.OriginTask; origin != "" {
		details = append(details, "task/"+origin)
	}
	return entryText("", line(compressWarning(warningOf(&m.Object.Spec))), details, memIDs+m.Object.Metadata.Name)
}

// compressWarning shortens a warning to maxAntiPattern characters, cut between words. It shortens
// the reason first, so that what to avoid and the alternative remain.
func compressWarning(text string) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	if utf8.RuneCountInString(text) <= maxAntiPattern {
		return text
	}
	avoid, because, reasoned := strings.Cut(text, " BECAUSE ")
	because, instead, advised := strings.Cut(because, " INSTEAD ")
	if !reasoned || !advised {
		return shorten(text, maxAntiPattern)
	}
	const labels, least = len(" BECAUSE  INSTEAD "), 15
	room := maxAntiPattern - labels
	avoid = shorten(avoid, max(room/2, room-least-utf8.RuneCountInString(instead)))
	instead = shorten(instead, room-least-utf8.RuneCountInString(avoid))
	because = shorten(because, room-utf8.RuneCountInString(avoid)-utf8.RuneCountInString(instead))
	return avoid + " BECAUSE " + because + " INSTEAD " + instead
}

// insights offers the relevant mems: those of the last pack in its order, then the best first.
// Contradicting mems are adjacent.
func (d *packing) insights(list []*memScore) {
	list = d.dropDuplicates(insights, list)
	slices.SortFunc(list, (*memScore).compareTurn)
	for _, r := range d.groupRivals(list) {
		d.insight(r)
	}
}

// insight offers a mem, or records why it does not enter.
func (d *packing) insight(r *memScore) {
	c := candidate{section: insights, id: r.id, tier: learnt, score: r.score, previous: r.previous, linked: r.link > unlinked, fact: r.fact}
	switch {
	case r.doc < 0:
		d.candidates.exclude(insights, r.id, 0, r.why)
		return
	case !d.judge.mayEnter(r.doc, r.fact):
		d.candidates.exclude(insights, r.id, r.score, d.judge.refusal(r.doc))
		return
	case r.critical:
		c.tier, c.note = urgent, "critical: it goes before optional entries"
	case r.link == unlinked && r.bears == notRelevant:
		c.note = "no task, plan or intent to compare with, and pinned"
	default:
		c.ownTask, c.irrelevant = r.link == linkedTask, r.link == unlinked && r.bears == weaklyRelevant
		if !d.in.Terse {
			var notes []string
			switch r.link {
			case linkedTask:
				notes = append(notes, "linked to an active task")
			case linkedWork:
				notes = append(notes, "linked to a plan, parent or dependency of the active tasks")
			}
			if hit := d.judge.result.Explain(r.doc); hit.Score > 0 {
				notes = append(notes, "its words match the words of the active tasks, the plan or the intent: "+clean(hit.Why()))
			}
			c.note = strings.Join(notes, "; ")
		}
	}
	if len(r.rivals) > 0 {
		c.text = memText(r.mem, "contradicts "+listed(r.rivals)) + "\n"
	}
	d.candidates.add(c)
}

// refusal returns why a visible mem is not an insight.
func (j *judge) refusal(n int) string {
	switch {
	case !j.hasTerms:
		return noQuestion
	case j.scores[n] == 0:
		return nothingShared
	}
	return hardlyRelevant
}

// groupRivals moves each mem that may enter directly after the first one with
// the same topic, and records for both that they contradict each other.
func (d *packing) groupRivals(list []*memScore) []*memScore {
	leaders, behind := map[string]*memScore{}, map[*memScore][]*memScore{}
	var sorted, all []*memScore
	for _, r := range list {
		switch leader := leaders[r.topic]; {
		case r.topic == "" || r.doc < 0 || !d.judge.mayEnter(r.doc, r.fact):
			sorted = append(sorted, r)
		case leader == nil:
			leaders[r.topic] = r
			sorted = append(sorted, r)
		default:
			leader.rivals, r.rivals = append(leader.rivals, r.id), []string{leader.id}
			behind[leader] = append(behind[leader], r)
		}
	}
	for _, r := range sorted {
		all = append(append(all, r), behind[r]...)
	}
	return all
}

// doubtsAbout returns why a mem needs a check: it is stale, or a citation changed or moved. It returns
// empty for no reason.
func doubtsAbout(m *Mem) string {
	reasons := slices.Concat(m.Status.Suspect, m.Status.Moved)
	if m.Status.Phase == resources.StalePhase {
		reasons = slices.Concat([]string{"it is stale"}, reasons)
	}
	return listed(reasons)
}

// lastConfirmed returns when a mem was last confirmed or created.
func lastConfirmed(m *Mem) time.Time {
	at := lastValidated(m.Object.Metadata, m.Object.Created())
	if confirmed := m.Status.ConfirmedAt.Time; confirmed.After(at) {
		return confirmed
	}
	return at
}

// lastValidated returns when an object was last validated or created.
func lastValidated(m resources.Meta, created time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, m.Annotations[resources.AnnotationValidatedAt]); err == nil && t.After(created) {
		return t
	}
	return created
}
