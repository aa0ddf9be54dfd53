package controller

import (
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// oldEvents removes the events of days that are over for longer than config keeps
// them. It looks once a day, when an event is written: an idle controller does not.
type oldEvents struct {
	log  store.Scratch
	kept func() time.Duration // config.eventsKept
	day  string               // on which it last looked
}

// trim removes what is too old on the first event of a day.
func (o *oldEvents) trim(now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	if o.day == today {
		return nil
	}
	o.day = today
	return store.TrimEvents(o.log, now.Add(-o.kept()))
}
