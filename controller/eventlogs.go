package controller

import (
	"errors"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// eventLogs removes the logs of days that are over for longer than config keeps
// them. It looks once a day, when an event is written: an idle controller does not.
type eventLogs struct {
	root layout.Root          // "": there are none
	kept func() time.Duration // config.eventsKept
	day  string               // on which it last looked
}

// rotate removes what is too old on the first event of a day.
func (l *eventLogs) rotate(now time.Time) error {
	today := layout.EventPath(now)
	if l.root == "" || l.day == today {
		return nil
	}
	l.day = today
	dir, err := l.root.Open(layout.EventsDir)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Names()
	if err != nil {
		return err
	}
	oldest := now.Add(-l.kept()).UTC().Truncate(24 * time.Hour)
	for _, name := range names {
		if day, ok := dayOf(name); ok && day.Before(oldest) {
			err = errors.Join(err, dir.Remove(name))
		}
	}
	return err
}

// dayOf reads the name of an event log.
func dayOf(name string) (time.Time, bool) {
	text, ok := strings.CutSuffix(name, ".jsonl")
	if !ok {
		return time.Time{}, false
	}
	day, err := time.Parse(time.DateOnly, text)
	return day, err == nil
}
