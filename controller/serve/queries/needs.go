package queries

import (
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/attention"
)

// Needs holds the items that wait for the user, most urgent first: see attention.List.
type Needs struct {
	Items []NeedRecord `json:"items"`
	Next  string       `json:"next,omitempty"` // best task to start; empty if none
}

// NeedRecord is a need, as an object without spec.
type NeedRecord struct {
	Metadata struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Status attention.Need `json:"status"`
}

// NeedsOf returns the items that wait for the user. The client's environment
// (WithEnv) determines whether the user trusts the repository.
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

// needs collects the input of attention.List and evaluates it.
func (s *Source) needs(v url.Values) []attention.Need {
	denials, _ := records.OpenDenials(s.Root, s.Now().Add(-attention.DeniedFor)) // doctor reports unreadable records
	merged, refused := hooks.Conflicts(s.Root)
	sharing := s.sharing(v)
	alone := 0
	if sharing.Followed {
		if notes := sync.ReadNotes(sync.Folder(layout.CommonDir(layout.GitDir(string(s.Root))))); notes.Plans != nil {
			alone = notes.Plans.LocalOnly
		}
	}
	return attention.List(&attention.Input{View: s, Alone: alone, Conflicts: merged, Refused: refused, Concerns: s.reviewItems(), Denials: denials, MovedOn: func(session string) time.Time { return hooks.MovedOn(s.Root, session) }, Allowable: hooks.MayAllow(s.Root, environment(v), s.Now()), Ungated: ungated(s), Distrust: s.distrust(v, sharing.Branch), Hidden: hiddenPlans(sharing), Missing: sharing.Missing > 0, Follow: sharing.RevealCommands(), Decline: sharing.DeclineCommand()})
}

// reviewItems returns the review items about plans, tasks, decisions and
// unreadable files, and about memory entries that may be wrong.
func (s *Source) reviewItems() []attention.Concern {
	r := newReviewer(s)
	r.unreadable()
	r.plans()
	r.tasks()
	r.decisions()
	for m := range r.mems() {
		r.mem(m)
	}
	r.anchors()
	var all []attention.Concern
	for i := range r.concerns {
		c := &r.concerns[i]
		n := attention.Concern{Object: c.Key, Reason: c.Reason, Text: c.What, Remedy: c.Remedy}
		for _, a := range c.Answers {
			n.Commands = append(n.Commands, a.Do)
		}
		if attention.NeedsUser(&n) {
			n.Since = s.since(c)
			all = append(all, n)
		}
	}
	return all
}

// since returns the start of a review item as far as known: the time of the
// last record of a task, or the transition time of the condition.
func (s *Source) since(c *ReviewItem) time.Time {
	if c.Key.Kind == resources.Tasks && c.order >= 2 && c.order <= 3 { // a failed or submitted task
		return s.Evidence(c.Key.Name).Newest
	}
	common := resources.CommonOf(s.statuses.withTimes(c.Key, s.Derived(c.Key)))
	if common == nil {
		return time.Time{}
	}
	if condition := resources.FindCondition(common.Conditions, c.Reason); condition != nil {
		return condition.LastTransitionTime.Time
	}
	return time.Time{}
}

// environment returns the client's environment, or the environment of this
// process.
func environment(v url.Values) []string {
	if env := Env(v); env != nil {
		return env
	}
	return os.Environ()
}

// NotTrusted is the text of the need for a repository that the user never
// trusted. Other needs of the repository have no meaning before that.
const NotTrusted = "you have not trusted this repository's .idumb"

// getenv returns a lookup function for the client's environment.
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

// sharing returns how the plans of the repository reach the client's clone.
func (s *Source) sharing(v url.Values) planvisibility.Sharing {
	return planvisibility.Look(s.Root, getenv(v))
}

// hiddenPlans returns the reason why plans may not be visible. It returns "" if
// all are visible or the user accepted that.
func hiddenPlans(s planvisibility.Sharing) string {
	if !s.HasHidden() {
		return ""
	}
	return s.Clause()
}

// distrust returns the reason why the user does not trust the repository, or
// "". branch is Branch of planned.Sharing.
func (s *Source) distrust(v url.Values, branch string) string {
	const shown = 3
	switch state, news := trust.StoreOf(getenv(v)).Load(s.Root).Examine(); state {
	case trust.Unknown:
		return NotTrusted
	case trust.Changed:
		if branch != "" {
			return "" // the files are those of another branch
		}
		more := ""
		if len(news) > shown {
			news, more = news[:shown], " and more"
		}
		return strings.Join(news, ", ") + more + " changed since you trusted this repository's .idumb"
	}
	return ""
}
