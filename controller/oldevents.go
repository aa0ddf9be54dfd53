package controller

import (
	"context"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
)

// oldEvents removes the events of days that are over for longer than config keeps
// them. It looks once a day, when an event is written: an idle controller does not.
type oldEvents struct {
	log  store.Appender
	kept func() time.Duration // config.eventsKept
	day  string               // on which it last looked
}

// trim removes what is too old on the first event of a day.
func (o *oldEvents) trim(ctx context.Context, now time.Time) error {
	today := now.UTC().Format(time.DateOnly)
	if o.day == today {
		return nil
	}
	o.day = today
	return o.log.TrimEvents(ctx, now.Add(-o.kept()))
}
