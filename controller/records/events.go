package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Events returns the events of all kept days, ordered by last occurrence.
// objects, such as "task/build-login-form", restricts them. For an aggregated
// event, the newest line represents all of them. Unreadable days are omitted
// and named in the error.
func Events(root layout.Root, objects ...string) ([]resources.Event, error) {
	return (&EventLog{Root: root, Objects: objects}).Events()
}

// EventLog reads the events of a repository repeatedly. It does not read an
// unchanged log of a day again. It must be used by one goroutine.
type EventLog struct {
	Root    layout.Root
	Objects []string // restricts the events; empty means all

	since time.Time      // days that ended before are not read
	calls bool           // only events about calls
	days  map[string]day // by file
}

// day is the cached content of one log.
type day struct {
	info   layout.Info
	events []resources.Event
}

// Events is like the function Events.
func (l *EventLog) Events() ([]resources.Event, error) {
	all, err := l.lines()
	return aggregate(all), err
}

// lines returns the events that l selects by its fields. It reads only changed files. The caller may
// modify the slice.
func (l *EventLog) lines() ([]resources.Event, error) {
	d, err := l.Root.Open(layout.EventsDir)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Names()
	var all []resources.Event
	days := map[string]day{}
	for _, file := range names {
		if !strings.HasSuffix(file, ".jsonl") || file < l.since.UTC().Format(time.DateOnly) {
			continue
		}
		read, unread := l.day(d, file)
		if unread != nil && !errors.Is(unread, store.ErrNotFound) {
			err = errors.Join(err, unread)
			continue
		}
		days[file] = read
		all = append(all, read.events...)
	}
	l.days = days
	return all, err
}

// day returns the log of a day, from the cache if the file is unchanged.
func (l *EventLog) day(d *layout.OpenDir, file string) (day, error) {
	if known, ok := l.days[file]; ok {
		if now, err := d.Info(file); err == nil && now.Equal(known.info) {
			return known, nil
		}
	}
	data, info, err := d.ReadLog(file)
	return day{info, l.parse(data)}, err
}

// parse decodes the lines that may be about one of the objects. There may be
// tens of thousands of lines, and decoding one takes a hundred times as long as
// searching it for a name.
func (l *EventLog) parse(data []byte) []resources.Event {
	var all []resources.Event
	for line := range bytes.Lines(data) {
		if !l.mayConcern(line) {
			continue
		}
		var e resources.Event
		if json.Unmarshal(line, &e) == nil && e.Reason != "" && (len(l.Objects) == 0 || slices.Contains(l.Objects, e.Object)) {
			all = append(all, e)
		}
	}
	return all
}

// mayConcern reports whether a line can be about one of the objects. JSON
// encodes the characters of names unchanged, or as \u with four digits.
func (l *EventLog) mayConcern(line []byte) bool {
	if l.calls && !bytes.Contains(line, []byte(`"violation"`)) {
		return false
	}
	if len(l.Objects) == 0 || bytes.Contains(line, []byte(`\u`)) {
		return true
	}
	return slices.ContainsFunc(l.Objects, func(object string) bool {
		_, name, _ := strings.Cut(object, "/")
		return bytes.Contains(line, []byte(name))
	})
}

// series identifies the lines of one aggregated event.
type series struct {
	object, reason, message string
	first                   resources.Time
}

// aggregate sorts events by time and keeps only the newest line of each series.
func aggregate(all []resources.Event) []resources.Event {
	slices.SortStableFunc(all, func(a, b resources.Event) int { return a.Time.Compare(b.Time.Time) })
	newest := map[series]int{}
	for i, e := range all {
		newest[seriesOf(e)] = i
	}
	kept := all[:0]
	for i, e := range all {
		if newest[seriesOf(e)] == i {
			kept = append(kept, e)
		}
	}
	return kept
}

// seriesOf returns the series to which a line belongs.
func seriesOf(e resources.Event) series {
	first := e.First
	if first.IsZero() {
		first = e.Time
	}
	return series{e.Object, e.Reason, e.Message, first}
}
