package controllerprocess

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

// hold is the delay of a line, so that a later event about the same object can replace it. An edit
// and the resulting phase are one change to a reader.
const hold = 100 * time.Millisecond

// lines prints the controller's activity, one line per change. The text comes from untrusted files,
// so it is escaped for the terminal.
type lines struct {
	writer   io.Writer
	archived func(resources.Key) bool // reports whether an object is archived; nil means never

	mu      sync.Mutex
	failed  error
	started bool // the summary of the first listing was printed
	recent  map[string]*recent
}

// recent is the state of an object within hold.
type recent struct {
	waiting string // delayed line without the object's name; empty for none
	phased  bool   // its new phase was printed
	broken  bool   // a warning about an unreadable file was printed
	moved   bool   // an event about archiving was printed
	timer   *time.Timer
}

// eventWaits reports whether the delayed line is about an event.
func (r *recent) eventWaits() bool { return strings.Contains(r.waiting, ": ") }

// printf prints a line. It is safe for concurrent use.
func (l *lines) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.print(format, args...)
}

// print is printf for callers that hold l.mu.
func (l *lines) print(format string, args ...any) {
	text := time.Now().Format(time.TimeOnly) + " " + terminal.EscapeLine(fmt.Sprintf(format, args...))
	if _, err := fmt.Fprintln(l.writer, text); err != nil && l.failed == nil {
		l.failed = err
	}
}

// err returns the first error of the writer.
func (l *lines) err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// stateOf returns the state of an object and keeps it for hold. Further events do not extend the
// delay of a line.
func (l *lines) stateOf(object string) *recent {
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

// release prints the delayed line of an object and removes its state.
func (l *lines) release(object string) {
	if r := l.recent[object]; r != nil && r.waiting != "" {
		l.print("%s %s", object, r.waiting)
	}
	delete(l.recent, object)
}

// flush prints all delayed lines.
func (l *lines) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, object := range slices.Sorted(maps.Keys(l.recent)) {
		l.release(object)
	}
}

// change prints an edit or a new phase. Objects of the first listing are summarized by
// printSummary. For sessions it prints only phases, because each call of an agent edits them.
func (l *lines) change(c controller.Change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch object := controller.ObjectName(c.Key); {
	case c.Key.Kind == resources.CheckpointsKind:
		l.print("%s checkpoint", controller.ObjectName(resources.Key{Kind: resources.Tasks, Name: c.Key.Name}))
	case c.Resync:
	case c.Old == nil && c.New != nil:
		l.stateOf(object).waiting = "added"
	case c.Old != nil && c.New == nil:
		l.removed(c.Key, object)
	case c.OldPhase != c.NewPhase && c.NewPhase != "":
		l.phase(object, c.OldPhase, c.NewPhase)
	case edited(c) && c.Key.Kind != resources.Sessions:
		if r := l.stateOf(object); r.waiting == "" && !r.phased {
			r.waiting = "edited"
		}
	}
}

// edited reports whether the content of an existing file changed.
func edited(c controller.Change) bool {
	return c.Old != nil && c.New != nil && c.Old.Source().Revision != c.New.Source().Revision
}

// removed prints the removal of an object's file, unless an event explains it.
func (l *lines) removed(key resources.Key, object string) {
	switch r := l.stateOf(object); {
	case r.moved:
	case l.archived != nil && l.archived(key):
		r.waiting = "archived"
	default:
		r.waiting = "gone"
	}
}

// phase prints a new phase instead of a delayed line. It prints nothing for the first status of an
// object while the controller starts, and nothing for a broken file after its warning.
func (l *lines) phase(object, before, now string) {
	if before == "" && !l.started {
		return
	}
	r := l.stateOf(object)
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

// event prints an event, unless a line about a new phase has the same meaning. It omits the remedy,
// which describe and events show.
func (l *lines) event(e resources.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.stateOf(e.Object)
	sentence, _, _ := strings.Cut(e.Message, "; ")
	switch text := fmt.Sprintf("%s: %s%s", e.Reason, sentence, times(e.Count)); {
	case slices.Contains([]string{"ChainBreakerArchived", "Purged", "Collected"}, e.Reason):
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

// invalidFile is the reason of the event about an unreadable file.
const invalidFile = "InvalidFile"

// mark returns the prefix of a line about an event of a type.
func mark(eventType string) string {
	if eventType == resources.Warning {
		return "warning: "
	}
	return ""
}

// times returns the suffix of a line about an event that occurred several times, otherwise "".
func times(count int) string {
	if count > 1 {
		return fmt.Sprintf(" (x%d)", count)
	}
	return ""
}

// printSummary prints the number of objects after the first reconciliation.
func (l *lines) printSummary(ctx context.Context, m *controller.Manager) {
	if m.WaitSettled(ctx) != nil {
		return
	}
	h := m.Heartbeat()
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(h.Objects)) {
		parts = append(parts, counted(h.Objects[kind], kind))
	}
	if h.Invalid > 0 {
		parts = append(parts, fmt.Sprintf("%d invalid (see idumb doctor)", h.Invalid))
	}
	if len(parts) == 0 {
		parts = []string{"no resources"}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.started = true
	l.print("settled: %s", strings.Join(parts, ", "))
}

// counted returns a number with a plural noun or its singular: "1 task", "2 tasks".
func counted(n int, plural string) string {
	if kind, known := resources.LookupKind(plural); known && n == 1 {
		return "1 " + kind.Singular
	}
	return fmt.Sprintf("%d %s", n, plural)
}
