package resources

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzAppendText holds AppendText to encoding/json.
func FuzzAppendText(f *testing.F) {
	for _, text := range []string{"", "plain", "\"\\/<>&\b\f\n\r\t\x00\x1f\x7f", "ü\u2028\u2029\U0001f600\xff\xc3", strings.Repeat("a\n", 300)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, html := range []bool{true, false} {
			var want bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(html)
			require.NoError(t, e.Encode(text))
			assert.Equal(t, want.String(), string(AppendText(nil, text, html))+"\n")
		}
	})
}

// Each field of an event, those of its violation as well, stands in its line where
// encoding/json puts it.
func TestEventLine(t *testing.T) {
	noon := time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)
	whole := Event{Time: NewTime(noon), Type: Warning, Reason: "R", Object: "task/a", Message: "a <b> & \"c\"\n", Count: 3, First: NewTime(noon.Add(-time.Hour)), From: "hook/claude",
		Violation: &Violation{Session: "s", Agent: "a", Tool: "Write", Rule: "r", Task: "t", Call: "c"}}
	for _, v := range []reflect.Value{reflect.ValueOf(whole), reflect.ValueOf(*whole.Violation)} {
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s is not tried", v.Type().Field(i).Name)
		}
	}
	events := []Event{{}, whole, {Violation: &Violation{}}}
	for i := range reflect.TypeFor[Event]().NumField() {
		e := whole
		reflect.ValueOf(&e).Elem().Field(i).SetZero()
		events = append(events, e)
	}
	for i := range reflect.TypeFor[Violation]().NumField() {
		v := *whole.Violation
		reflect.ValueOf(&v).Elem().Field(i).SetZero()
		events = append(events, Event{Violation: &v})
	}
	for _, e := range events {
		want, err := json.Marshal(e)
		require.NoError(t, err)
		assert.Equal(t, string(want), string(e.Line()))
	}
}
