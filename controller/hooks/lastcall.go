package hooks

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// lastRead limits the part of a log that is searched for the last call, in
// bytes.
const lastRead = 4 << 10

// LastCallOf returns the last call of a session that its gate judged, given the
// name of its record, or nil. No record contains the call, so it is read from
// the logs on demand.
func LastCallOf(root Root, session string) *resources.LastCall {
	f, name := folder{Root: root}, resources.NameOfID(session)
	log, _ := f.lastNotes(name, notesCalls, lastRead)
	var last *resources.LastCall
	var lastAt time.Time
	for at, rest := range timedLines(log) {
		c := callIn(at, rest)
		last, lastAt = &resources.LastCall{Tool: c.Tool, Target: c.Object, At: c.Time}, at
	}
	if last != nil {
		last.OK = endOf(last.Tool, lastAt, func(what string) []byte {
			end, _ := f.lastNotes(name, what, lastRead)
			return end
		})
	}
	return last
}

// endOf returns whether a call at a time succeeded, according to the logs of
// denials, of repeated actions and of completed actions. It returns nil if no
// log contains the outcome. A failed write of a file is not logged.
func endOf(tool string, at time.Time, log func(what string) []byte) *bool {
	good, bad := true, false
	var denied admission.Denial
	if json.Unmarshal(lastEntry(log(notesDenials)), &denied) == nil && denied.Time.UnixMilli() >= at.UnixMilli() {
		return &bad
	}
	for _, p := range readPast(log(notesPast)) {
		switch {
		case p.time.Before(at):
		case p.kind == pastFailed:
			return &bad
		case p.kind == pastWent, p.kind == pastStep:
			return &good
		case p.kind == pastAnew:
			var done resources.Checkpoint
			if json.Unmarshal(lastEntry(log(notesDone)), &done) == nil && done.Command == "" && strings.EqualFold(done.Tool, tool) {
				return &good
			}
		}
	}
	return nil
}

// lastEntry returns the last line of a log.
func lastEntry(log []byte) []byte {
	log = bytes.TrimRight(log, "\n")
	return log[bytes.LastIndexByte(log, '\n')+1:]
}
