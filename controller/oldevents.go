package controller

import (
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// oldEvents removes event logs that are older than the configured period. It
// checks once a day, when an event is written. An idle controller does not
// check.
type oldEvents struct {
	log       store.Scratch
	retention func() time.Duration // config.eventsKept
	lastDay   string               // day of the last check
}

// trim removes old event logs with the first event of a day.
func (o *oldEvents) trim(now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	if o.lastDay == today {
		return nil
	}
	o.lastDay = today
	return store.TrimEvents(o.log, now.Add(-o.retention()))
}
