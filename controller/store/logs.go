package store

import (
	"encoding/json"
	"errors"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/idumb-dev/idumb/resources"
)

// EventsFolder is the scratch directory with one event log per day.
const EventsFolder = "events"

// EventsName returns the name of the event log for the UTC day of t.
func EventsName(t time.Time) string {
	return EventsFolder + "/" + t.UTC().Format(time.DateOnly) + ".jsonl"
}

// AppendEvents appends a line for each event, oldest first, to the log of its
// day, with one write per log. It truncates a message that is too long for a
// line.
func AppendEvents(s Scratch, events ...resources.Event) (err error) {
	days := map[string][][]byte{}
	for _, e := range events {
		texts := []*string{&e.Message}
		if e.Violation != nil {
			v := *e.Violation
			e.Violation, texts = &v, []*string{&v.Evidence, &v.Why, &v.UseInstead, &e.Message}
		}
		line, wrong := LogLine(&e, texts...)
		if err = errors.Join(err, wrong); wrong == nil {
			log := EventsName(e.Time.Time)
			days[log] = append(days[log], line)
		}
	}
	for log, lines := range days {
		err = errors.Join(err, s.Append(log, lines...))
	}
	return err
}

// TrimEvents removes the event logs of the days before oldest.
func TrimEvents(s Scratch, oldest time.Time) error {
	logs, err := s.List(EventsFolder)
	first := EventsName(oldest)
	for _, log := range logs {
		day, ok := strings.CutSuffix(path.Base(log), ".jsonl")
		if _, wrong := time.Parse(time.DateOnly, day); ok && wrong == nil && log < first {
			err = errors.Join(err, s.Remove(log))
		}
	}
	return err
}

// MaxLogLine is the maximum length of a log line, including the newline. A
// write of at most 4096 bytes at the end of a file is not interleaved with
// those of other processes.
const MaxLogLine = 4096

// LogLine encodes a record as a log line. If it is too long, LogLine truncates
// texts one after the other.
func LogLine(record any, texts ...*string) ([]byte, error) {
	data, err := json.Marshal(record)
	for _, text := range texts {
		if over := len(data) + 1 - MaxLogLine; err == nil && over > 0 {
			*text = shorten(*text, over)
			data, err = json.Marshal(record)
		}
	}
	return append(data, '\n'), err
}

// shorten removes at least over bytes of JSON from the end of s and appends a
// mark. A byte of s is at least one byte of JSON.
func shorten(s string, over int) string {
	const mark = "..."
	keep := max(len(s)-over-len(mark), 0)
	for keep > 0 && !utf8.RuneStart(s[keep]) {
		keep--
	}
	if keep == 0 {
		return ""
	}
	return s[:keep] + mark
}
