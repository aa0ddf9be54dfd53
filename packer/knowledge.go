package packer

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// tooFar is why a mem is left out that would fit.
const tooFar = "out: it scores less than a fifth of the best one"

// mems offers false paths and what else was learnt.
func (d *desk) mems() {
	q := d.query()
	j := &judge{corpus: newCorpus(q, len(d.in.Mems)+len(d.in.Anchors)), links: d.links()}
	list := d.weigh(j)
	for i := range d.in.Anchors {
		j.corpus.begin()
		j.corpus.add(d.in.Anchors[i].Object.Spec.Content)
	}
	j.finish()
	d.judge = j
	for i := range list {
		r := &list[i]
		if r.doc >= 0 {
			r.score = j.score(r.doc, r.link, r.mem.Status.Confidence)
		}
		if r.mem.Object.Spec.Type == resources.FalsePath {
			d.falsePath(r)
		}
	}
	d.insights(list, len(q.weights) == 0)
}

// falsePath offers one, whatever its score: it is there to stop a mistake.
func (d *desk) falsePath(r *relevance) {
	id := "mems/" + r.mem.Object.Metadata.Name
	if r.doc < 0 {
		d.all.refuse(antiPatterns, id, 0, r.why)
		return
	}
	text := "- " + line(warningOf(&r.mem.Object.Spec)) + " (" + line(id) + ")"
	d.all.offer(candidate{section: antiPatterns, id: id, tier: falsePath, score: r.score, text: text})
}

// warningOf returns a false path as AVOID x BECAUSE y INSTEAD z. Content that is not
// in that form is taken for the reason, if there is a title, or else for x.
func warningOf(spec *resources.MemSpec) string {
	content := strings.TrimSpace(spec.Content)
	switch {
	case len(content) >= 6 && strings.EqualFold(content[:6], "avoid "):
		return "AVOID " + content[6:]
	case spec.Title != "":
		return "AVOID " + spec.Title + " BECAUSE " + content
	}
	return "AVOID " + content
}

// insights offers the mems that have enough to do with the active tasks.
func (d *desk) insights(list []relevance, nothingAsked bool) {
	var surest map[*Mem]bool
	if nothingAsked {
		surest = unasked(list)
	}
	best := 0
	for i := range list {
		if list[i].mem.Object.Spec.Type != resources.FalsePath {
			best = max(best, list[i].score)
		}
	}
	for i := range list {
		r := &list[i]
		if r.mem.Object.Spec.Type == resources.FalsePath {
			continue
		}
		id := "mems/" + r.mem.Object.Metadata.Name
		if r.doc < 0 {
			d.all.refuse(insights, id, 0, r.why)
			continue
		}
		near := r.score > 0 && r.score*5 >= best
		if !near && !surest[r.mem] {
			d.all.refuse(insights, id, r.score, tooFar)
			continue
		}
		d.all.offer(candidate{section: insights, id: id, tier: learnt, score: r.score, text: memText(r.mem), note: noteOf(r.link, near)})
	}
}

// noteOf says what speaks for a mem.
func noteOf(c closeness, near bool) string {
	switch {
	case c == linkedTask:
		return "linked to an active task"
	case c == linkedWork:
		return "linked to what the active tasks are part of or wait for"
	case near:
		return "its words meet those of the active tasks, the plan or the intent"
	}
	return "no task, plan or intent to compare with, and among the surest"
}

// memText renders one mem.
func memText(m *Mem) string {
	spec := &m.Object.Spec
	var b strings.Builder
	b.WriteString("<mem id=\"" + line(m.Object.Metadata.Name) + "\"")
	attribute(&b, "type", resources.MemType(m.Object))
	attribute(&b, "confidence", level(m.Status.Confidence))
	attribute(&b, "date", date(validated(m.Object.Metadata, m.Object.Created())))
	attribute(&b, "tags", strings.Join(spec.Tags, ", "))
	b.WriteString(">")
	if spec.Title != "" {
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

// validated is when somebody last stood for the object: made it or confirmed it.
func validated(m resources.Meta, created time.Time) time.Time {
	if t, err := time.Parse(time.RFC3339, m.Annotations[resources.AnnotationValidatedAt]); err == nil && t.After(created) {
		return t
	}
	return created
}
