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

// Events returns the events of all days that are kept, the last seen last; with objects
// ("task/build-login-form") only those about them. Of the lines that count one event on, the
// newest stands for all. Days that cannot be read are left out; the error names them.
func Events(root layout.Root, objects ...string) ([]resources.Event, error) {
	return (&EventLog{Root: root, Objects: objects}).Events()
}

// EventLog is the events of a repository for who reads them again and again: a day whose log
// is as it was is not read again. It is for one goroutine.
type EventLog struct {
	Root    layout.Root
	Objects []string // only events about these; none: all

	since time.Time      // days that were over then are not read
	days  map[string]day // by file
}

// day is what was read of one log, which was that one then.
type day struct {
	info   layout.Info
	events []resources.Event
}

// Events is the function of that name.
func (l *EventLog) Events() ([]resources.Event, error) {
	all, err := l.lines()
	return aggregate(all), err
}

// lines returns the lines of all days that are kept, in a slice that is the caller's.
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

func (l *EventLog) day(d *layout.OpenDir, file string) (day, error) {
	if known, ok := l.days[file]; ok {
		if now, err := d.Info(file); err == nil && now.Same(known.info) {
			return known, nil
		}
	}
	data, info, err := d.ReadLog(file)
	return day{info, l.parse(data)}, err
}

// parse decodes the lines that may be about one of the objects: there may be tens of thousands,
// and to decode one takes a hundred times as long as to look for a name in it.
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

// mayConcern reports whether a line can be about one of the objects. JSON writes the letters,
// digits, dots and hyphens of a name as they are, or as \u and four digits.
func (l *EventLog) mayConcern(line []byte) bool {
	if len(l.Objects) == 0 || bytes.Contains(line, []byte(`\u`)) {
		return true
	}
	return slices.ContainsFunc(l.Objects, func(object string) bool {
		_, name, _ := strings.Cut(object, "/")
		return bytes.Contains(line, []byte(name))
	})
}

// series is what the lines that count one event have in common.
type series struct {
	object, reason, message string
	first                   resources.Time
}

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

func seriesOf(e resources.Event) series {
	first := e.First
	if first.IsZero() {
		first = e.Time
	}
	return series{e.Object, e.Reason, e.Message, first}
}
