package packer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// anchors offers the anchors. Critical ones are reserved. All other ones
// compete with the mems, by priority and relevance. It excludes hidden anchors
// and, if the reader has nothing to compare with, all but critical and pinned
// ones.
func (d *packing) anchors() {
	list := byCreation(d.in.Anchors)
	slices.SortStableFunc(list, func(a, b *Anchor) int {
		return byPrevious(d.in.Previous["anchors/"+a.Object.Metadata.Name], d.in.Previous["anchors/"+b.Object.Metadata.Name])
	})
	for _, a := range list {
		id, score := anchorIDs+a.Object.Metadata.Name, 0
		if n, ok := d.stock.index.Number(id); ok {
			score = d.judge.score(n, d.judge.near[n], 100, suspectAnchor(a))
		}
		if anchorHidden(a) {
			d.candidates.exclude(anchors, id, score, "out: it is "+strings.ToLower(a.Status.Phase))
			continue
		}
		critical := a.Object.Spec.Priority == "critical"
		if d.isIdle() && !critical && !a.Object.Spec.Pinned {
			d.candidates.exclude(anchors, id, score, noQuestion)
			continue
		}
		c := candidate{section: anchors, id: id, tier: learnt, previous: d.in.Previous[id], text: anchorText(a), note: "a valid anchor, by priority and relevance"}
		if suspectAnchor(a) {
			c.note = "an anchor whose file has changed, by priority and half its relevance"
		}
		if c.score = score + d.priorityScore(a); critical {
			c.tier, c.score, c.note = reserved, criticalScore, "reserved, a critical anchor"
		}
		d.candidates.add(c)
	}
}

// suspectAnchor reports whether an anchor is stale only because its file changed. It may still be
// valid, so it enters with half its score and a note.
func suspectAnchor(a *Anchor) bool {
	return a.Status.Phase == resources.StalePhase && resources.IsTrue(a.Status.Conditions, resources.Suspect)
}

// priorityScore returns the score that an anchor's priority adds: half of the
// score of a link to an active task for high, a quarter for medium, otherwise
// 0.
func (d *packing) priorityScore(a *Anchor) int {
	switch a.Object.Spec.Priority {
	case "high":
		return int(d.judge.linkScore(linkedTask)) / 2
	case "medium":
		return int(d.judge.linkScore(linkedTask)) / 4
	}
	return 0
}

// anchorText renders an anchor. Its type precedes the ID, with criticalLabel for a critical one.
func anchorText(a *Anchor) string {
	spec, details := &a.Object.Spec, []string(nil)
	if spec.Source != nil && spec.Source.File != "" {
		details = append(details, fileLine(spec.Source))
	}
	if suspectAnchor(a) {
		details = append(details, "check it: its file has changed")
	}
	kind := resources.AnchorType(a.Object)
	if spec.Priority == "critical" {
		kind = criticalLabel + kind
	}
	return entryText(date(lastValidated(a.Object.Metadata, a.Object.Created())), block(spec.Content), append(details, kind), anchorIDs+a.Object.Metadata.Name)
}

// criticalLabel precedes the type of a critical anchor.
const criticalLabel = "critical "

// critical reports whether a statement is a critical anchor.
func (s statement) critical() bool {
	details, id := s.text, s.object()
	details = strings.TrimSuffix(strings.TrimSuffix(details, id+")"), detailEnd)
	return strings.HasPrefix(id, anchorIDs) && strings.HasPrefix(details[max(strings.LastIndex(details, detailEnd), strings.LastIndex(details, " ("))+len(" ("):], criticalLabel)
}

// fileLine returns file:line, without the parts that are unknown.
func fileLine(source *resources.AnchorSource) string {
	if source.File == "" || source.Line == 0 {
		return source.File
	}
	return source.File + ":" + strconv.Itoa(source.Line)
}
