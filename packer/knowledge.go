package packer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// nothingShared and tooFar are why a mem is left out that would fit.
const nothingShared = "out: it shares no word with the active tasks, and nothing links it to them"
const tooFar = "out: by its words it scores less than a fifth of the best one, and nothing links it to the active tasks"

// unasked is why a mem or an anchor is left out where nothing tells what the reader works on.
const unasked = "out: no task, plan or intent to compare with; what a prompt asks for comes with it"

// falsePaths weighs mems, offers the false paths among them, and returns the others.
func (d *packing) falsePaths() []*relevance {
	list := d.weigh()
	var paths []*relevance
	others := make([]*relevance, 0, len(list))
	for i := range list {
		if list[i].falsePath {
			paths = append(paths, &list[i])
		} else {
			others = append(others, &list[i])
		}
	}
	slices.SortFunc(paths, func(a, b *relevance) int { return cmp.Or(byPrevious(a.previous, b.previous), a.byCreation(b)) })
	for _, r := range paths {
		d.falsePath(r)
	}
	return others
}

// falsePath offers one, whatever its score: it is there to stop a mistake.
func (d *packing) falsePath(r *relevance) {
	if r.doc < 0 {
		d.all.refuse(antiPatterns, r.id, 0, r.why)
		return
	}
	d.all.offer(candidate{section: antiPatterns, id: r.id, tier: falsePath, score: r.score, previous: r.previous, fact: r.fact})
}

// warningOf returns a false path as AVOID x BECAUSE y INSTEAD z. Content that is not
// in that form is taken for the reason, if there is a title, or else for x.
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

// insights offers the mems that have enough to do with the active tasks: those that the
// last pack had first and in its order, then the best first.
func (d *packing) insights(list []*relevance) {
	m := d.standardOf(list)
	if d.in.Terse {
		list = slices.DeleteFunc(list, func(r *relevance) bool { return !m.enough(r) })
	}
	slices.SortFunc(list, (*relevance).inTurn)
	for _, r := range list {
		d.insight(r, m)
	}
	if poor := d.judge.eligible - len(list); d.in.Terse && poor > 0 {
		d.all = append(d.all, candidate{section: insights, why: m.refusal, times: poor})
	}
}

// standard is what mems are held against.
type standard struct {
	best    int  // of what words bring to them
	pinned  bool // nothing tells what the reader works on: what is pinned enters
	refusal string
}

func (d *packing) standardOf(list []*relevance) standard {
	m := standard{best: d.judge.foremost, refusal: tooFar}
	if !d.judge.asked {
		m.pinned, m.refusal = true, unasked
	}
	return m
}

// enough reports whether a mem may enter, if there is room.
func (m standard) enough(r *relevance) bool {
	return r.doc >= 0 && (r.critical || r.near(m.best) || r.stays(m.best) || m.pinned && r.mem.Object.Spec.Pinned)
}

// insight offers one mem, or says why it does not enter.
func (d *packing) insight(r *relevance, m standard) {
	c := candidate{section: insights, id: r.id, tier: learnt, score: r.score, previous: r.previous, linked: r.link > unlinked, fact: r.fact}
	switch {
	case r.doc < 0:
		d.all.refuse(insights, r.id, 0, r.why)
		return
	case !m.enough(r):
		why := m.refusal
		if why == tooFar && r.words == 0 {
			why = nothingShared
		}
		d.all.refuse(insights, r.id, r.score, why)
		return
	case r.critical:
		c.tier, c.note = urgent, "critical: it goes before what is merely useful"
	case !r.near(m.best) && !r.stays(m.best):
		c.note = "no task, plan or intent to compare with, and pinned"
	default:
		c.loose = !r.near(m.best)
		if !d.in.Terse {
			c.note = d.judge.noteOf(r)
		}
	}
	d.all.offer(c)
}

// wordsOrMore is what words bring, more for what the last pack had.
func (r *relevance) wordsOrMore() int {
	if r.previous > 0 {
		return r.words * previousPercent / 100
	}
	return r.words
}

// noteOf says what speaks for a mem that has enough to do with the active tasks.
func (j *judge) noteOf(r *relevance) string {
	var notes []string
	switch r.link {
	case linkedTask:
		notes = append(notes, "linked to an active task")
	case linkedWork:
		notes = append(notes, "linked to what the active tasks are part of or wait for")
	}
	if hit := j.result.Explain(r.doc); hit.Score > 0 {
		notes = append(notes, "its words meet those of the active tasks, the plan or the intent: "+clean(hit.Why()))
	}
	return strings.Join(notes, "; ")
}

// doubts says why a mem is to be checked: nobody stood for it for long, or what it cites has
// changed. "" if it need not be.
func doubts(m *Mem) string {
	reasons := m.Status.Suspect
	if m.Status.Phase == resources.StalePhase {
		reasons = slices.Concat([]string{"it is stale"}, reasons)
	}
	return listed(reasons)
}

// suspicion is doubts in a line of text.
func suspicion(m *Mem) string {
	if text := doubts(m); text != "" {
		return line(", check it: " + text)
	}
	return ""
}

// falsePathText renders a false path.
func falsePathText(m *Mem) string {
	return "- " + line(warningOf(&m.Object.Spec)) + " (" + line(memIDs+m.Object.Metadata.Name) + suspicion(m) + ")"
}

// memText renders one mem.
func memText(m *Mem) string {
	spec := &m.Object.Spec
	var b strings.Builder
	b.WriteString("<mem id=\"" + line(m.Object.Metadata.Name) + "\"")
	attribute(&b, "type", resources.MemType(m.Object))
	attribute(&b, "confidence", level(m.Status.Confidence))
	attribute(&b, "date", date(stoodFor(m)))
	attribute(&b, "tags", strings.Join(spec.Tags, ", "))
	attribute(&b, "check", doubts(m))
	b.WriteString(">")
	if spec.Title != "" && !strings.HasPrefix(strings.TrimSpace(spec.Content), spec.Title) {
		b.WriteString(line(spec.Title) + ": ")
	}
	return b.String() + block(spec.Content) + "</mem>"
}

// attribute writes name="value", nothing for an empty value.
func attribute(b *strings.Builder, name, value string) {
	if value != "" {
		b.WriteString(" " + name + "=\"" + line(value) + "\"")
	}
}

// level is a confidence in words: a decimal would pretend to be a measurement,
// and would change the pack every day.
func level(confidence int) string {
	switch {
	case confidence >= 75:
		return "high"
	case confidence >= 50:
		return "medium"
	}
	return "low"
}

// stoodFor is when somebody last stood for a mem.
func stoodFor(m *Mem) time.Time {
	at := validated(m.Object.Metadata, m.Object.Created())
	if confirmed := m.Status.ConfirmedAt.Time; confirmed.After(at) {
		return confirmed
	}
	return at
}

// validated is when somebody last stood for the object: made it or confirmed it.
func validated(m resources.Meta, created time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, m.Annotations[resources.AnnotationValidatedAt]); err == nil && t.After(created) {
		return t
	}
	return created
}
