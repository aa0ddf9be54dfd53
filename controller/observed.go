package controller

import (
	"bytes"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// observed is a status with its indexed fields. The store has the same status,
// or the writer is about to write it.
type observed struct {
	status []byte // nil if none
	phase  string
	ready  bool
}

// readStatus reads the indexed fields of a status, and oldConditions its
// transition times. Both read the lines that resources.EncodeStatus writes,
// which is ten times as fast as decoding. Decoding would take a fifth of a
// start with many objects. A status in another format has empty fields here. It
// is written again, because its bytes differ from the expected ones.
func readStatus(status []byte) observed {
	if len(status) == 0 {
		return observed{}
	}
	return observed{status, internPhase(quoted(status, "\n  \"phase\": \"")), bytes.Contains(status, []byte("\n  \"ready\": true"))}
}

// internPhase shares one copy of each known phase.
func internPhase(phase []byte) string {
	for _, known := range [...]string{
		resources.TaskPlanned, resources.TaskBlocked, resources.TaskActive, resources.TaskReview, resources.TaskCompleted,
		resources.TaskFailed, resources.TaskAbandoned, resources.PhaseInvalid, resources.PlanDraft, resources.PlanArchived,
		resources.Fresh, resources.Fading, resources.SuspectPhase, resources.StalePhase, resources.GonePhase, resources.Superseded, resources.Purged, resources.Ended, resources.Pending,
		resources.SessionIdle, resources.SessionResumed, resources.SessionEnded,
	} {
		if string(phase) == known {
			return known
		}
	}
	return string(phase)
}

// differsInDetailsOnly reports whether two statuses differ in details only: phase,
// readiness, conditions and observed revision are equal.
func differsInDetailsOnly(a, b []byte) bool {
	was, is := readStatus(a), readStatus(b)
	const about = "\n  \"observedRevision\": \""
	return was.phase == is.phase && was.ready == is.ready && bytes.Equal(quoted(a, about), quoted(b, about)) &&
		bytes.Equal(conditionsOf(a), conditionsOf(b))
}

// conditionsOf returns the conditions of a status, or nil.
func conditionsOf(status []byte) []byte {
	_, rest, found := bytes.Cut(status, []byte("\n  \"conditions\": ["))
	list, _, closed := bytes.Cut(rest, []byte("\n  ]"))
	if !found || !closed {
		return nil
	}
	return list
}

// oldConditions reads the fields that MergeConditions needs from the conditions
// of a status: types, statuses and times.
func oldConditions(status []byte) []resources.Condition {
	var old []resources.Condition
	for list := conditionsOf(status); ; {
		block, rest, found := bytes.Cut(list, []byte("\n    }"))
		if !found {
			return old
		}
		old, list = append(old, oldCondition(block)), rest
	}
}

// oldCondition reads the type, the status and the transition time of one
// condition.
func oldCondition(block []byte) (c resources.Condition) {
	c.Type = string(quoted(block, "\n      \"type\": \""))
	c.Status = string(quoted(block, "\n      \"status\": \""))
	if at, err := time.Parse(time.RFC3339, string(quoted(block, "\n      \"lastTransitionTime\": \""))); err == nil {
		c.LastTransitionTime = resources.NewTime(at)
	}
	return c
}

// quoted returns the text between start and the next quote, or nil.
func quoted(text []byte, start string) []byte {
	_, rest, found := bytes.Cut(text, []byte(start))
	value, _, closed := bytes.Cut(rest, []byte(`"`))
	if !found || !closed {
		return nil
	}
	return value
}
