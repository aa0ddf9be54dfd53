package daemon

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/kubectl/terminal"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// hold is how long a line waits for one that says more about the same object: an
// edit and the phase that follows from it are one change to whoever reads along.
const hold = 100 * time.Millisecond

// lines prints what the controller does, one line per change. What it prints comes
// from files that anybody may have written, so nothing in it reaches a terminal as
// an escape sequence.
type lines struct {
	out      io.Writer
	archived func(resources.Key) bool // whether an object stands in the archive; nil: none does

	mu      sync.Mutex
	failed  error
	started bool // the first listing was summed up
	recent  map[string]*recent
}

// recent is what happened to one object within hold.
type recent struct {
	waiting string // the line that waits, without the object's name; "" if none does
	phased  bool   // its new phase was told of
	broken  bool   // a warning told that its file cannot be read
	moved   bool   // an event told that it was archived
	timer   *time.Timer
}

// eventWaits reports whether the line that waits is about an event.
func (r *recent) eventWaits() bool { return strings.Contains(r.waiting, ": ") }

func (l *lines) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(format, args...)
}

// print is printf for whoever holds the lock.
func (l *lines) print(format string, args ...any) {
	text := time.Now().Format(time.TimeOnly) + " " + terminal.EscapeLine(fmt.Sprintf(format, args...))
	if _, err := fmt.Fprintln(l.out, text); err != nil && l.failed == nil {
		l.failed = err
	}
}

// err is the first error of the writer.
func (l *lines) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// of returns what happened to an object just now, and remembers it for hold. A line
// that waits does not wait longer because more happens.
func (l *lines) of(object string) *recent {
	if r := l.recent[object]; r != nil {
		if r.waiting == "" {
			r.timer.Reset(hold)
		}
		return r
	}
	if l.recent == nil {
		l.recent = map[string]*recent{}
	}
	r := &recent{timer: time.AfterFunc(hold, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.release(object)
	})}
	l.recent[object] = r
	return r
}

// release prints the line of an object that waits, and forgets the object.
func (l *lines) release(object string) {
	if r := l.recent[object]; r != nil && r.waiting != "" {
		l.print("%s %s", object, r.waiting)
	}
	delete(l.recent, object)
}

// flush prints all lines that wait: no more is to come.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, object := range slices.Sorted(maps.Keys(l.recent)) {
		l.release(object)
	}
}

// change tells of an edit and of a new phase. What a listing found is summed up by
// settled. Of sessions only phases are told: each call of an agent edits them.
func (l *lines) change(c controller.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	object := controller.ObjectName(c.Key)
	switch {
	case c.Key.Kind == resources.CheckpointsKind:
		l.print("%s checkpoint", controller.ObjectName(resources.Key{Kind: resources.Tasks, Name: c.Key.Name}))
	case c.Resync:
	case c.Old == nil && c.New != nil:
		l.of(object).waiting = "added"
	case c.Old != nil && c.New == nil:
		l.gone(c.Key, object)
	case c.OldPhase != c.NewPhase && c.NewPhase != "":
		l.phase(object, c.OldPhase, c.NewPhase)
	case edited(c) && c.Key.Kind != resources.Sessions:
		if r := l.of(object); r.waiting == "" && !r.phased {
			r.waiting = "edited"
		}
	}
}

func edited(c controller.Change) bool {
	return c.Old != nil && c.New != nil && c.Old.Source().Revision != c.New.Source().Revision
}

// gone tells that an object's file is gone, unless an event tells where it went.
func (l *lines) gone(key resources.Key, object string) {
	r := l.of(object)
	switch {
	case r.moved:
	case l.archived != nil && l.archived(key):
		r.waiting = "archived"
	default:
		r.waiting = "gone"
	}
}

// phase tells of a new phase, in place of what waits. A status that was not there
// before is no news while the controller starts, nor is a broken file after the
// warning about it.
func (l *lines) phase(object, before, now string) {
	if before == "" && !l.started {
		return
	}
	r := l.of(object)
	added := r.waiting == "added" && before == ""
	r.waiting, r.phased = "", true
	switch {
	case now == resources.PhaseInvalid && r.broken:
	case added:
		l.print("%s added (%s)", object, now)
	case before == "":
		l.print("%s is %s", object, now)
	default:
		l.print("%s %s -> %s", object, before, now)
	}
}

// event tells of an event, unless it says in a sentence what a line about a new
// phase says, or will say, already. The remedy is left to describe and events.
func (l *lines) event(e resources.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.of(e.Object)
	sentence, _, _ := strings.Cut(e.Message, "; ")
	text := fmt.Sprintf("%s: %s%s", e.Reason, sentence, times(e.Count))
	switch {
	case moves(e.Reason):
		r.moved, r.waiting = true, ""
		l.print("%s %s%s", e.Object, mark(e.Type), text)
	case e.Type == resources.Normal && r.phased:
	case e.Type == resources.Normal && !r.eventWaits():
		r.waiting = text
	default:
		if r.eventWaits() {
			l.print("%s %s", e.Object, r.waiting)
			r.waiting = ""
		}
		r.broken = r.broken || e.Reason == invalidFile
		l.print("%s %s%s", e.Object, mark(e.Type), text)
	}
}

// invalidFile is the reason of the event about a file that cannot be read.
const invalidFile = "InvalidFile"

// moves reports whether an event tells that its object was put into the archive.
func moves(reason string) bool {
	return slices.Contains([]string{"ChainBreakerArchived", "Purged", "Collected"}, reason)
}

func mark(eventType string) string {
	if eventType == resources.Warning {
		return "warning: "
	}
	return ""
}

func times(count int) string {
	if count > 1 {
		return fmt.Sprintf(" (x%d)", count)
	}
	return ""
}

// settled says what there is once everything was reconciled.
func (l *lines) settled(ctx context.Context, m *controller.Manager) {
	if m.WaitSettled(ctx) != nil {
		return
	}
	h := m.Heartbeat()
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(h.Objects)) {
		parts = append(parts, counted(h.Objects[kind], kind))
	}
	if h.Invalid > 0 {
		parts = append(parts, fmt.Sprintf("%d invalid (idumb doctor tells why)", h.Invalid))
	}
	if len(parts) == 0 {
		parts = []string{"nothing there yet"}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started = true
	l.print("settled: %s", strings.Join(parts, ", "))
}

// counted writes "1 task", "2 tasks".
func counted(n int, plural string) string {
	if kind, known := resources.LookupKind(plural); known && n == 1 {
		return "1 " + kind.Singular
	}
	return fmt.Sprintf("%d %s", n, plural)
}
