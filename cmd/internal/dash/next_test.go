package dash

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// told is what is said of the call that is selected, in one line.
func (d *desk) told() string {
	var words []string
	for _, r := range d.lists[callPane].rows {
		for _, c := range r.cells {
			words = append(words, c.text)
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// What came next is the soonest that is known: a record, the next call against the rules, or what the agent is at.
func TestWhatCameAfterADenial(t *testing.T) {
	call := func(session, call string, before time.Duration) resources.Event {
		return resources.Event{Time: ago(before), Reason: resources.ReasonDenied, Message: "no", Violation: &resources.Violation{Session: session, Rule: "r", Call: call}}
	}
	s := shop()
	s.Denied = []resources.Event{call("gone", "last", time.Minute), call("7f21", "push", 2*time.Minute), call("02", "skip", 3*time.Minute), call("7f21", "push", 4*time.Minute), call("7f21", "other", 5*time.Minute)}
	d := newDesk(t, 100, 40, colourful, s)
	d.next = map[string]*resources.Checkpoint{"other": {Time: ago(4*time.Minute + 50*time.Second), Tool: "shell", Command: "go test ./..."}, "skip": {Time: ago(time.Hour), Command: "before it"}}
	want := []string{"NEXT nothing was recorded after that second", "NEXT 2m later Bash go test ./token/...", "NEXT nothing was recorded after that second", "NEXT 2m later denied: the same again", "NEXT at once shell go test ./..."}
	d.types("3")
	for i, w := range want {
		assert.Contains(t, d.told(), w, i)
		d.types("down")
	}
}

// A write of the second of the denial came before it, most likely: it is not told as what came next.
func TestTheSameSecondIsNotAfterwards(t *testing.T) {
	s := shop()
	s.Denied = []resources.Event{{Time: ago(time.Minute), Reason: resources.ReasonDenied, Message: "no", Violation: &resources.Violation{Session: "gone", Rule: "r", Call: "push"}}}
	d := newDesk(t, 100, 40, colourful, s)
	d.next = map[string]*resources.Checkpoint{"push": {Time: ago(time.Minute), Tool: "write", FilesModified: []string{"a.go"}}}
	d.types("3")
	assert.Contains(t, d.told(), "NEXT nothing was recorded after that second")
}

// What came next is asked anew while nothing is known of it, and not once it is.
func TestWhatComesNextIsAskedAnew(t *testing.T) {
	d := newDesk(t, 100, 40, colourful, shop())
	d.types("3")
	assert.NotContains(t, d.told(), "NEXT at once")
	d.next = shopNext()
	d.settles(d.take(shop()))
	assert.Contains(t, d.told(), "NEXT at once shell git push --force-with-lease")
	d.next = nil
	d.settles(d.take(shop()))
	assert.Contains(t, d.told(), "NEXT at once shell git push --force-with-lease")
}

// The calls are narrowed by words and fields, and keys act on the one that is left.
func TestFindCalls(t *testing.T) {
	d := newDesk(t, 100, 40, colourful, shop())
	d.verbs = []string{"allow"}
	finds := func(text string) {
		d.types("3", "/")
		d.dialog.(*asking).line = editor{}
		d.types("'"+text, "enter")
	}
	for find, want := range map[string]int{"force": 1, "rule=no-verify": 1, "session=02 denied": 0, "session=02": 1, "task=token-lib": 1, "agent=x": 0, "rule!=no-verify": 1, "=": 0, "": 2} {
		finds(find)
		n := 0
		for _, r := range d.lists[gatePane].rows {
			if r.event > 0 {
				n++
			}
		}
		assert.Equal(t, want, n, find)
	}
	finds("rule=no-verify")
	assert.Contains(t, d.told(), "git commit --no-verify")
	d.types("esc")
	assert.Equal(t, gateScreen, d.screen)
	assert.Empty(t, d.gateFilter)
}
