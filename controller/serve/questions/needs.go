package questions

import (
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/planned"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/needs"
)

// Needs is what waits for the person, the most urgent first: see needs.Of.
type Needs struct {
	Items []NeedRecord `json:"items"`
	Next  string       `json:"next,omitempty"` // the task that comes next, "" for none
}

// NeedRecord is a need, as an object without spec.
type NeedRecord struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status needs.Need `json:"status"`
}

// NeedsOf answers what waits for the person. Whether they trust the repository follows from the environment
// of who asks (WithEnv).
func NeedsOf(s *Source, v url.Values) (Needs, error) {
	answer := Needs{Items: []NeedRecord{}}
	for _, n := range s.needs(v) {
		r := NeedRecord{Status: n}
		r.Metadata.Name = n.Name
		answer.Items = append(answer.Items, r)
	}
	if next := s.startable(v, "", 1); len(next) > 0 {
		answer.Next = next[0].Task.Metadata.Name
	}
	return answer, nil
}

// needs collects what they follow from.
func (s *Source) needs(v url.Values) []needs.Need {
	denials, _ := records.OpenDenials(s.Root, s.Now().Add(-needs.DeniedFor)) // what cannot be read is doctor's to tell
	merged, refused := hooks.Conflicts(s.Root)
	sharing := s.sharing(v)
	alone := 0
	if sharing.Followed {
		if notes := sync.ReadNotes(sync.Folder(layout.CommonDir(layout.GitDir(string(s.Root))))); notes.Plans != nil {
			alone = notes.Plans.Alone
		}
	}
	return needs.Of(&needs.Input{View: s, Alone: alone, Conflicts: merged, Refused: refused, Concerns: s.concerns(), Denials: denials, Allowable: hooks.MayAllow(s.Root, environment(v), s.Now()), Ungated: ungated(s), Distrust: s.distrust(v), Hidden: hiddenPlans(sharing), Missing: sharing.Missing > 0, Follow: sharing.Steps(), Decline: sharing.Refuse()})
}

// concerns is what a review finds of plans, tasks, decisions, files that cannot be read, and of the memory what
// may be wrong.
func (s *Source) concerns() []needs.Concern {
	r := newReviewer(s)
	r.unreadable()
	r.plans()
	r.tasks()
	r.decisions()
	for m := range r.mems() {
		r.mem(m)
	}
	r.anchors()
	var all []needs.Concern
	for i := range r.found {
		c := &r.found[i]
		n := needs.Concern{About: c.Key, Reason: c.Reason, What: c.What, Remedy: c.Remedy}
		for _, a := range c.Answers {
			n.Commands = append(n.Commands, a.Do)
		}
		if needs.Concerns(&n) {
			n.Since = s.since(c)
			all = append(all, n)
		}
	}
	return all
}

// since is when a concern began, as far as anybody saw that: when something was last recorded for a task, or
// when the condition came.
func (s *Source) since(c *Concern) time.Time {
	if c.Key.Kind == resources.Tasks && c.order >= 2 && c.order <= 3 { // it failed, or is handed in
		return s.Evidence(c.Key.Name).Newest
	}
	common := resources.CommonOf(s.statuses.whole(c.Key, s.Derived(c.Key)))
	if common == nil {
		return time.Time{}
	}
	if condition := resources.FindCondition(common.Conditions, c.Reason); condition != nil {
		return condition.LastTransitionTime.Time
	}
	return time.Time{}
}

// environment is that of the caller, or this process's own.
func environment(v url.Values) []string {
	if env := Env(v); env != nil {
		return env
	}
	return os.Environ()
}

// NotTrusted is what a need says of a repository that the person never trusted: nothing else that it says
// is for them before they do.
const NotTrusted = "you have not trusted this repository's .idumb"

// getenv looks up variables in the environment of the caller.
func getenv(v url.Values) func(string) string {
	env := Env(v)
	if env == nil {
		return os.Getenv
	}
	return func(name string) string {
		for _, pair := range env {
			if value, found := strings.CutPrefix(pair, name+"="); found {
				return value
			}
		}
		return ""
	}
}

// sharing says how the plans of the repository reach the caller's clone.
func (s *Source) sharing(v url.Values) planned.Sharing {
	return planned.Look(s.Root, getenv(v))
}

// hiddenPlans says why plans may not be visible; empty if all are, or the user agreed to that.
func hiddenPlans(s planned.Sharing) string {
	if !s.Hidden() {
		return ""
	}
	return s.What()
}

// distrust says why the person does not trust the repository; "" if they do.
func (s *Source) distrust(v url.Values) string {
	const shown = 3
	switch state, news := trust.For(getenv(v)).Load(s.Root).Examine(); state {
	case trust.Unknown:
		return NotTrusted
	case trust.Changed:
		more := ""
		if len(news) > shown {
			news, more = news[:shown], " and more"
		}
		return strings.Join(news, ", ") + more + " changed since you trusted this repository's .idumb"
	}
	return ""
}
