package resources

import (
	"strconv"
	"time"
)

// Line is the event as it stands in the log, without the newline: what json.Marshal makes
// of it, see AppendText.
func (e Event) Line() []byte {
	b := make([]byte, 0, 512)
	b = append(e.Time.appendTo(append(b, `{"time":`...)), ',')
	for _, m := range [...]struct{ name, text string }{{"type", e.Type}, {"reason", e.Reason}, {"object", e.Object}, {"message", e.Message}} {
		b = append(append(append(b, '"'), m.name...), `":`...)
		b = append(AppendText(b, m.text, true), ',')
	}
	if e.Count != 0 {
		b = append(strconv.AppendInt(append(b, `"count":`...), int64(e.Count), 10), ',')
	}
	if !e.First.IsZero() {
		b = append(e.First.appendTo(append(b, `"firstTime":`...)), ',')
	}
	b = AppendMember(b, "from", e.From, true)
	if e.Violation != nil {
		b = append(e.Violation.appendTo(append(b, `"violation":`...)), ',')
	}
	return CloseObject(b)
}

func (v *Violation) appendTo(b []byte) []byte {
	b = append(b, '{')
	b = AppendMember(b, "session", v.Session, true)
	b = AppendMember(b, "agent", v.Agent, true)
	b = AppendMember(b, "tool", v.Tool, true)
	b = append(AppendText(append(b, `"rule":`...), v.Rule, true), ',')
	b = AppendMember(b, "task", v.Task, true)
	return CloseObject(AppendMember(b, "call", v.Call, true))
}

// appendTo is MarshalJSON.
func (t Time) appendTo(b []byte) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	return append(t.UTC().AppendFormat(append(b, '"'), time.RFC3339), '"')
}
