package controller

import (
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// oldEvents removes event logs that are older than the configured period. It
// checks once a day, when an event is written. An idle controller does not
// check.
type oldEvents struct {
	log  store.Scratch
	kept func() time.Duration // config.eventsKept
	day  string               // day of the last check
}

// trim removes old event logs with the first event of a day.
func (o *oldEvents) trim(now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	if o.day == today {
		return nil
	}
	o.day = today
	return store.TrimEvents(o.log, now.Add(-o.kept()))
}
