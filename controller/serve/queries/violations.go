package queries

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/denialdecisions"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
)

// Violations holds the recent calls against the rules (records.Recent), newest first.
type Violations struct {
	Total int         `json:"total"` // also of those beyond the parameter limit
	Items []Violation `json:"items"`
}

// Violation is a call against the rules, in the form of -o json.
type Violation struct {
	Name    string         `json:"name,omitempty"` // identifies the call among the recent ones
	Time    resources.Time `json:"time"`
	Verdict string         `json:"verdict"` // denied, would deny or got through
	resources.Violation
	Denial   string `json:"denial,omitempty"` // argument for idumb allow
	Message  string `json:"message"`
	Source   string `json:"from,omitempty"`
	Decision string `json:"decision,omitempty"` // see records.Call

	// Text is the full call that can be allowed, and Refused the reason why it cannot be. Next is
	// the next known action of the agent. They are set only for a call that was asked for by name.
	Text    string         `json:"text,omitempty"`
	Refused string         `json:"refused,omitempty"`
	Next    string         `json:"next,omitempty"`
	NextAt  resources.Time `json:"nextAt,omitzero"`
}

// NewViolation returns the document of a call against the rules.
func NewViolation(e *resources.Event) Violation {
	v := Violation{Time: e.Time, Verdict: e.Verdict(), Violation: *e.Violation, Message: e.Message, Source: e.From}
	if e.Reason == resources.ReasonDenied {
		v.Denial = e.Violation.ID()
	}
	return v
}

// ViolationsOf returns the recent calls against the rules: the newest (limit), or one with all that
// is known of it (name: the name, or a denial, of which it is the newest).
func ViolationsOf(s *Source, v url.Values) (Violations, error) {
	calls, _ := records.Calls(s.Root, s.Now().Add(-records.Recent)) // doctor reports unreadable records
	all, name := Violations{Total: len(calls), Items: []Violation{}}, v.Get("name")
	events, same := make([]resources.Event, len(calls)), map[string]int{}
	for i := range calls {
		e := &calls[i].Event
		events[len(calls)-1-i] = *e
		one := NewViolation(e)
		one.Decision = calls[i].Decision
		sum := sha256.Sum256([]byte(strings.Join([]string{e.Time.String(), one.Session, one.Rule, one.Call, one.Digest}, "\x00")))
		one.Name = hex.EncodeToString(sum[:6])
		if same[one.Name]++; same[one.Name] > 1 {
			one.Name += "-" + strconv.Itoa(same[one.Name])
		}
		if name == "" {
			one.Why, one.UseInstead, one.Evidence = "", "", ""
		}
		all.Items = append(all.Items, one)
	}
	slices.Reverse(all.Items)
	if name != "" {
		i := slices.IndexFunc(all.Items, func(one Violation) bool { return one.Name == name || one.Denial == name })
		if i < 0 {
			return all, fmt.Errorf("there is no recent call against the rules with the name %q", name)
		}
		all.Items = all.Items[i : i+1]
		all.Items[0].complete(s, v, events, i)
		return all, nil
	}
	if limit, _ := strconv.Atoi(v.Get("limit")); limit > 0 {
		all.Items = all.Items[:min(limit, len(all.Items))]
	}
	return all, nil
}

// complete adds the fields of one call. events are all recent calls, newest first.
func (one *Violation) complete(s *Source, v url.Values, events []resources.Event, i int) {
	at, next := NextAction(events, i, records.CheckpointAfter(s.Root, &events[i]), hooks.LastCallOf(s.Root, one.Session))
	one.Next, one.NextAt = next, resources.NewTime(at)
	if one.Denial == "" || one.Decision != "" {
		return
	}
	desk := denialdecisions.Denials{Root: s.Root, Env: environment(v), Now: s.Now()}
	n, err := desk.Find(one.Denial)
	if err == nil {
		one.Text, err = n.Text, desk.Check(&n)
	}
	if err != nil {
		one.Refused = err.Error()
	}
}

// NextAction returns the agent's first known action after its call i against the rules: the next
// checkpoint of its task, its next call against the rules, or its last call. events are sorted
// newest first. Times have whole seconds, so actions within the second of the call are ignored.
func NextAction(events []resources.Event, i int, checkpoint *resources.Checkpoint, last *resources.LastCall) (at time.Time, text string) {
	e := &events[i]
	first := func(t time.Time, what string) {
		if t.After(e.Time.Time) && (text == "" || t.Before(at)) {
			at, text = t, what
		}
	}
	if checkpoint != nil {
		first(checkpoint.Time.Time, strings.TrimSpace(checkpoint.Tool+" "+records.Summary(*checkpoint)))
	}
	for j := i - 1; j >= 0; j-- {
		if again := &events[j]; again.Violation.Session == e.Violation.Session {
			what := again.Violation.Call
			if what == e.Violation.Call {
				what = "the same again"
			}
			first(again.Time.Time, again.Verdict()+": "+what)
			break
		}
	}
	if last != nil && text == "" {
		first(last.At.Time, strings.TrimSpace(last.Tool+" "+last.Target))
	}
	return at, text
}
