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

// EventsFolder is where a Store's Scratch keeps what reconcilers and hooks did or saw: a log for each day.
const EventsFolder = "events"

// EventsName is the log of events of the day, in UTC, that t lies in.
func EventsName(t time.Time) string {
	return EventsFolder + "/" + t.UTC().Format(time.DateOnly) + ".jsonl"
}

// AppendEvents adds a line for each event, the oldest first, to the log of its day, in one write
// each. A message that is too long for a line is cut.
func AppendEvents(s Scratch, events ...resources.Event) (err error) {
	days := map[string][][]byte{}
	for _, e := range events {
		line, wrong := LogLine(&e, &e.Message)
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

// TrimEvents removes the logs of the days before the one that oldest lies in.
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

// MaxLogLine is the longest line of a log, newline included. One write of at most
// 4096 bytes at the end of a file is not mixed with another process's.
const MaxLogLine = 4096

// LogLine is a record as a line of a log. If it is too long, texts in it are cut one after the other.
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

// shorten takes at least over bytes of JSON from the end of s, and marks that.
// A byte of s is at least one of JSON.
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
