package packer

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Every entry has one form: a date, the text, and in parentheses at the end its sources, its
// unusual properties and its ID. No text of a resource can follow the ID, so that the ID can be
// parsed whatever the text contains:
//
//	- [2026-03-06] A session call renews the session for 30 days. (api/session.ts#renew; mems/session-lifetime)
//
// A false path has no date: it applies until it is superseded or purged.

// entryText renders an entry; an empty date is left out.
func entryText(date, text string, details []string, id string) string {
	if date != "" {
		date = "[" + date + "] "
	}
	return "- " + date + text + " (" + line(strings.Join(append(details, id), detailEnd)) + ")"
}

// detailEnd separates the details.
const detailEnd = "; "

// object returns the ID (mems/NAME, anchors/NAME, comments/NAME) of a statement's object, empty if it
// has none.
func (s statement) object() string {
	switch s.position.section {
	case task.String():
		return s.comment()
	case antiPatterns.String(), anchors.String(), insights.String():
	default:
		return ""
	}
	id, closed := strings.CutSuffix(s.text, ")")
	id = id[max(strings.LastIndex(id, " ("), strings.LastIndex(id, detailEnd))+len(" ("):]
	if name, mem := strings.CutPrefix(id, memIDs); closed && (mem || strings.HasPrefix(id, anchorIDs)) && name != "" && !strings.ContainsAny(id, "() ") {
		return id
	}
	return ""
}

// mostCited is the maximal number of citations that are rendered with a mem.
const mostCited = 2

// memDetails returns the citations and unusual properties of a mem.
func memDetails(m *Mem) []string {
	var details []string
	cited, more, file := 0, 0, ""
	for _, e := range m.Object.Spec.Evidence {
		switch {
		case e.Path == "":
		case cited == mostCited:
			more++
		case e.Path == file && e.Section != "":
			cited++
			details[len(details)-1] += ", #" + e.Section
		default:
			cited, file = cited+1, e.Path
			details = append(details, e.Cites())
		}
	}
	if more > 0 {
		details = append(details, fmt.Sprintf("%d files more", more))
	}
	switch kind := resources.MemType(m.Object); kind {
	case "decision", gotcha:
		details = append(details, kind)
	}
	if text := doubtsAbout(m); text != "" {
		details = append(details, "check it: "+text)
	} else if memory.Unsaved(m.Object) {
		details = append(details, "sessions reported it, not saved yet")
	} else if m.Object.Spec.Type != resources.FalsePath && m.Status.Confidence < lowConfidence {
		details = append(details, "low confidence")
	}
	return details
}

// gotcha is the type of mems that warn of a surprise.
const gotcha = "gotcha"

// lowConfidence is the confidence below which an entry mentions it. A decimal would suggest a
// measurement and would change the pack every day.
const lowConfidence = 50

// memText returns a mem as an entry of a pack: date, content, its properties and the given
// details, ID. A false path is a warning without a date.
func memText(m *Mem, details ...string) string {
	spec, id := &m.Object.Spec, memIDs+m.Object.Metadata.Name
	details = append(memDetails(m), details...)
	if spec.Type == resources.FalsePath {
		return entryText("", line(warningOf(spec)), details, id)
	}
	return entryText(date(lastConfirmed(m)), block(titledContent(spec)), details, id)
}

// titledContent returns the content of a mem, after its title unless it begins with that.
func titledContent(spec *resources.MemSpec) string {
	if spec.Title != "" && !strings.HasPrefix(strings.TrimSpace(spec.Content), spec.Title) {
		return spec.Title + ": " + spec.Content
	}
	return spec.Content
}
