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

	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// lines prints what the controller does, one line per change. What it prints comes
// from files that anybody may have written, so nothing in it reaches a terminal as
// an escape sequence.
type lines struct {
	mu     sync.Mutex
	out    io.Writer
	failed error
	phased map[string]bool // objects whose last line was about a new phase
}

func (l *lines) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
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

// change tells of an edit and of a new phase. What a listing found is summed up by
// settled, and an object that is archived by the event about it.
func (l *lines) change(c controller.Change) {
	if c.Key.Kind == resources.CheckpointsKind {
		l.printf("%s checkpoint", controller.ObjectName(resources.Key{Kind: resources.Tasks, Name: c.Key.Name}))
		return
	}
	object := controller.ObjectName(c.Key)
	switch {
	case c.Resync:
	case c.Old == nil && c.New != nil:
		l.printf("%s added", object)
	case c.Old != nil && c.New == nil:
		l.printf("%s gone", object)
	case c.OldPhase != c.NewPhase && c.OldPhase == "":
		l.printf("%s is %s", object, c.NewPhase)
	case c.OldPhase != c.NewPhase && c.NewPhase != "":
		l.announced(object, true)
		l.printf("%s %s -> %s", object, c.OldPhase, c.NewPhase)
	case edited(c):
		l.printf("%s edited", object)
	}
}

func edited(c controller.Change) bool {
	return c.Old != nil && c.New != nil && c.Old.Source().Revision != c.New.Source().Revision
}

// announced sets whether an object's new phase was just told of, and returns
// whether that was so before.
func (l *lines) announced(object string, now bool) (before bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before = l.phased[object]
	if !now {
		delete(l.phased, object)
		return before
	}
	if l.phased == nil {
		l.phased = map[string]bool{}
	}
	l.phased[object] = true
	return before
}

// event tells of an event, unless it says in a sentence what the line about the new
// phase, just before, says already.
func (l *lines) event(e resources.Event) {
	if l.announced(e.Object, false) && e.Type == resources.Normal {
		return
	}
	times := ""
	if e.Count > 1 {
		times = fmt.Sprintf(" (x%d)", e.Count)
	}
	warning := ""
	if e.Type == resources.Warning {
		warning = "warning: "
	}
	l.printf("%s %s%s: %s%s", e.Object, warning, e.Reason, e.Message, times)
}

// settled says what there is once everything was reconciled.
func (l *lines) settled(ctx context.Context, m *controller.Manager) {
	if m.WaitSettled(ctx) != nil {
		return
	}
	h := m.Heartbeat()
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(h.Objects)) {
		parts = append(parts, fmt.Sprintf("%d %s", h.Objects[kind], kind))
	}
	if h.Invalid > 0 {
		parts = append(parts, fmt.Sprintf("%d invalid (idumb doctor tells why)", h.Invalid))
	}
	if len(parts) == 0 {
		parts = []string{"nothing there yet"}
	}
	l.printf("settled: %s", strings.Join(parts, ", "))
}
