package controllerprocess

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// TestOneLinePerChange: what a controller hears of in pieces, in the order in which
// it does, is one line to whoever reads along.
func TestOneLinePerChange(t *testing.T) {
	key := resources.Key{Kind: resources.Tasks, Name: "x"}
	phase := func(before, now string) any {
		return controller.Change{Key: key, Old: task("1"), New: task("1"), OldPhase: before, NewPhase: now, StatusOnly: true}
	}
	edit := controller.Change{Key: key, Old: task("1"), New: task("2")}
	added := controller.Change{Key: key, New: task("1")}
	gone := controller.Change{Key: key, Old: task("1")}
	event := func(kind, reason, message string) any {
		return resources.Event{Object: "task/x", Type: kind, Reason: reason, Message: message}
	}
	broken := event(resources.Warning, "InvalidFile", "x.json:1:2: torn; mend it")
	session := controller.Change{Key: resources.Key{Kind: resources.Sessions, Name: "s"}, Old: task("1"), New: task("2")}
	for _, test := range []struct {
		name string
		in   []any
		want []string
	}{
		{"an edit and the phase that follows", []any{edit, phase("planned", "active"), event(resources.Normal, "Started", "y")}, []string{"task/x planned -> active"}},
		{"two events about one phase", []any{phase("blocked", "abandoned"), event(resources.Normal, "Abandoned", "y"), event(resources.Normal, "ChainMended", "z")}, []string{"task/x blocked -> abandoned"}},
		{"an edit without consequence", []any{edit}, []string{"task/x edited"}},
		{"two edits in a moment", []any{edit, edit}, []string{"task/x edited"}},
		{"two edits", []any{edit, time.Second, edit}, []string{"task/x edited", "task/x edited"}},
		{"edits without end", []any{edit, hold * 3 / 4, edit, hold * 3 / 4, edit, hold * 3 / 4, edit}, []string{"task/x edited", "task/x edited"}},
		{"a new one", []any{added, phase("", "planned")}, []string{"task/x added (planned)"}},
		{"one without a phase", []any{added}, []string{"task/x added"}},
		{"gone", []any{gone}, []string{"task/x gone"}},
		{"archived by a reconciler", []any{gone, event(resources.Warning, "ChainBreakerArchived", "a; b")}, []string{"task/x warning: ChainBreakerArchived: a"}},
		{"archived, the other way round", []any{event(resources.Normal, "Purged", "a; b"), gone}, []string{"task/x Purged: a"}},
		{"broken", []any{broken, phase("planned", "Invalid")}, []string{"task/x warning: InvalidFile: x.json:1:2: torn"}},
		{"broken again soon: the event is counted, not repeated", []any{phase("planned", "Invalid")}, []string{"task/x planned -> Invalid"}},
		{"repaired", []any{event(resources.Normal, "Repaired", "y"), added, phase("Invalid", "planned")}, []string{"task/x Invalid -> planned"}},
		{"repaired in the old phase", []any{event(resources.Normal, "Repaired", "y")}, []string{"task/x Repaired: y"}},
		{"an event alone", []any{event(resources.Normal, "ContextSwitched", "the context is about plan p now")}, []string{"task/x ContextSwitched: the context is about plan p now"}},
		{"an event because of an edit", []any{edit, event(resources.Normal, "ContextSwitched", "y")}, []string{"task/x ContextSwitched: y"}},
		{"two events", []any{event(resources.Normal, "A", "y"), event(resources.Normal, "B", "z")}, []string{"task/x A: y", "task/x B: z"}},
		{"a call of an agent", []any{session}, nil},
		{"a checkpoint", []any{controller.Change{Key: resources.Key{Kind: resources.CheckpointsKind, Name: "x"}}}, []string{"task/x checkpoint"}},
		{"part of a listing", []any{controller.Change{Key: key, New: task("1"), Resync: true}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out bytes.Buffer
				l := &lines{writer: &out, started: true}
				for _, happened := range test.in {
					switch h := happened.(type) {
					case controller.Change:
						l.change(h)
					case resources.Event:
						l.event(h)
					case time.Duration:
						time.Sleep(h)
					}
				}
				time.Sleep(2 * hold)
				l.mu.Lock()
				defer l.mu.Unlock()
				assert.Equal(t, test.want, untimed(out.String()))
				assert.Empty(t, l.recent, "nothing is remembered for ever")
			})
		})
	}
}

// What waits when the controller ends is printed before its last line, and a status
// that is made while it starts is no news.
func TestLinesAtTheEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		key := resources.Key{Kind: resources.Tasks, Name: "x"}
		l := &lines{writer: &out, archived: func(resources.Key) bool { return true }}
		l.change(controller.Change{Key: key, Old: task("1"), New: task("1"), NewPhase: "planned"})
		l.change(controller.Change{Key: key, Old: task("1")})
		l.flush()
		l.printf("the end")
		time.Sleep(2 * hold)
		assert.Equal(t, []string{"task/x archived", "the end"}, untimed(out.String()))
	})
}

func task(revision string) resources.Object {
	t := &resources.Task{}
	t.Source().Revision = revision
	return t
}

// untimed takes the times off.
func untimed(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		_, line, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		lines = append(lines, line)
	}
	return lines
}
