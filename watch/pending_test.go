package watch

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// start is the moment from which tests count.
var start = time.Unix(1e9, 0)

func at(ms float64) time.Time { return start.Add(time.Duration(ms * float64(time.Millisecond))) }

// simulate feeds events to a pending and takes what is due every tenth of a
// millisecond; it returns when the path was reported.
func simulate(events []float64, settled bool, until float64) (reports []float64) {
	p := newPending()
	for now := 0.0; now <= until; now += 0.1 {
		for len(events) > 0 && events[0] <= now {
			p.add("a", at(now), settled)
			events = events[1:]
		}
		if paths, _, _, _ := p.take(at(now)); len(paths) > 0 {
			reports = append(reports, now)
		}
	}
	return reports
}

func TestPending(t *testing.T) {
	every := func(step, until float64) (events []float64) {
		for now := 0.0; now < until; now += step {
			events = append(events, now)
		}
		return events
	}
	for _, test := range []struct {
		name    string
		events  []float64 // milliseconds
		settled bool
		want    []float64 // milliseconds, within one
	}{
		{"one event", []float64{0}, false, []float64{1}},
		{"renamed into place", []float64{0}, true, []float64{0}},
		{"vim: truncate, write, chmod, chmod", []float64{0, 0.05, 0.1, 0.2}, false, []float64{1.2}},
		{"node: truncate, half a millisecond later write", []float64{0, 0.5}, false, []float64{1.5}},
		{"a slow writer", []float64{0, 52, 259}, false, []float64{1, 53, 260}},
		{"an event now and then", []float64{0, 300, 600}, false, []float64{1, 301, 601}},
		{"an event twice a millisecond", every(0.5, 30), false, []float64{10, 20, 30}},
		{"an event every three milliseconds", every(3, 200), false, []float64{1, 4, 9, 17, 33, 65, 115, 165, 215}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := simulate(test.events, test.settled, 1000)
			if assert.Len(t, got, len(test.want), "%v", got) {
				for i := range got {
					assert.InDelta(t, test.want[i], got[i], 2, "%v", got)
				}
			}
		})
	}
}

func TestPendingReportsEachPathOnce(t *testing.T) {
	p := newPending()
	for range 1000 {
		for _, path := range []string{"a", "b", "c"} {
			p.add(path, start, false)
		}
	}
	paths, _, _, next := p.take(start)
	assert.Empty(t, paths)
	assert.Equal(t, at(1), next)
	paths, _, _, next = p.take(at(1))
	slices.Sort(paths)
	assert.Equal(t, []string{"a", "b", "c"}, paths)
	assert.Zero(t, next, "an idle watcher sets no timer")
}

func TestPendingForgetsWhatIsQuiet(t *testing.T) {
	p := newPending()
	p.add("a", start, true)
	p.take(start)
	p.add("b", at(10_000), true)
	p.take(at(10_000))
	assert.NotContains(t, p.paths, "a")
}

func TestPendingWakesOnlyWhoSleepsTooLong(t *testing.T) {
	p := newPending()
	woken := func() bool {
		select {
		case <-p.wake:
			return true
		default:
			return false
		}
	}
	p.add("a", start, false)
	assert.True(t, woken(), "nobody was to come")
	p.take(start)
	p.add("b", at(0.5), false)
	assert.False(t, woken(), "somebody comes for a before that")
	p.loseEvents(at(0.5))
	assert.True(t, woken(), "that does not wait")
	_, lost, _, _ := p.take(at(0.5))
	assert.True(t, lost)
	_, lost, _, _ = p.take(at(0.6))
	assert.False(t, lost, "said once")
}
