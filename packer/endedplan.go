package packer

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// documentSnippet returns a note on a planning document that is read although it is no longer in
// effect: since when, why, and which document superseded it. For a stale document the note names
// the cause. Before an edit it names the phase of any document.
func documentSnippet(s Source, file string, work FileWork) (told Snippet, ok bool) {
	a := artifactAt(s, file)
	if a == nil {
		return told, false
	}
	st, _ := status.AssessArtifact(a, s)
	text := ""
	switch st.Phase {
	case resources.ArtifactAbandoned, resources.Superseded, resources.Purged:
		text = endedText(s, a, st.Phase, work.Room)
	case resources.StalePhase:
		text = "this document is stale: " + strings.Join(st.Stale[:1], "") + "; read it against that, then idumb confirm artifact " + a.Metadata.Name
	case resources.PhaseInvalid:
	default:
		if work.Edits {
			text = fmt.Sprintf("this is artifact %s [%s], a planning document; what derives from a section that you change turns stale", a.Metadata.Name, st.Phase)
		}
	}
	text = line(text)
	return Snippet{ID: a.Key().String(), TextHash: textHash(text), Text: "- " + text}, text != ""
}

// artifactAt returns the artifact of a file: the one in effect, otherwise the newest; nil if none.
func artifactAt(s Source, file string) (last *resources.Artifact) {
	for _, a := range s.ArtifactsAt(file) {
		if by, _ := status.Replaced(a, s); by == "" && resources.OpenArtifact(a) {
			return a
		}
		if last == nil || a.Created().After(last.Created()) {
			last = a
		}
	}
	return last
}

// maxBecause is the maximal length of a reason, in characters.
const maxBecause = 100

// endedText states that a document is no longer in effect, and why if the room allows it.
func endedText(s Source, a *resources.Artifact, phase string, room int) string {
	at, because := a.Spec.EndedAt.Time, a.Spec.Reason
	holds := "no document is known to replace it"
	by, head := status.Replaced(a, s)
	if next, ok := s.Artifact(by); ok {
		at, because = firstNonZero(at, next.Created()), cmp.Or(because, next.Spec.SupersedeReason)
	}
	if now, ok := s.Artifact(head); ok && resources.OpenArtifact(now) {
		holds = "the current one is " + now.Spec.Path
	}
	text := "this plan is " + phase
	if at = firstNonZero(at, a.Spec.PurgedAt.Time); !at.IsZero() {
		text += " since " + date(at)
	}
	holds = "; " + holds
	if because = ", because " + shorten(because, maxBecause); because != ", because " && tokens.Measure(text+because+holds).Characters < room-len("- \n") {
		text += because
	}
	return text + holds
}

// firstNonZero returns a unless it is zero, otherwise b.
func firstNonZero(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}
