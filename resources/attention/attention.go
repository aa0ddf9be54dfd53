// Package attention computes the items that wait for the user, most urgent first: the rows of
// "Needs you". It is a pure function of the objects and of further findings. Commands, the
// terminal, the page and the API share it.
package attention

import (
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Rank is the urgency of a need. The lowest rank is the most urgent.
type Rank int

// Ranks in order.
const (
	Asks      Rank = iota + 1 // an agent waits for a permission or an answer
	Circles                   // an agent repeats itself, or was halted
	Review                    // a result or proposal waits for acceptance
	Denied                    // a call was denied twice, or was denied by a rule that the user may lift
	Ungated                   // an agent is in use without a gate
	Broken                    // a chain is blocked permanently, or a file is unreadable
	Suspect                   // a mem or document may be wrong
	Untrusted                 // the user has not trusted the repository
)

// rankSigns maps ranks to signs.
var rankSigns = [...]Sign{Asks: SignAsks, Circles: SignCircles, Review: SignReview, Denied: SignWaits, Ungated: SignFailed, Broken: SignFailed, Suspect: SignSuspect, Untrusted: SignWaits}

// Need is one item that waits for the user. All texts are untrusted: code that displays
// them must escape them.
type Need struct {
	// Name is unique among the current needs, and stable while the need exists. It is a
	// DNS-1123 subdomain.
	Name       string         `json:"name"`
	Rank       Rank           `json:"rank"`
	Sign       Sign           `json:"sign"`
	Reason     string         `json:"reason"`            // one CamelCase word: Permission, Answer, Review, Invalid, ...
	Subject    string         `json:"who"`               // the agent, as host/session, or the object
	Text       string         `json:"what"`              // the item in the wording of its source, one line
	Why        string         `json:"why,omitempty"`     // consequences, one line
	Object     string         `json:"about,omitempty"`   // the object, as kind/name; empty for the repository
	Since      resources.Time `json:"since,omitzero"`    // start time; zero if unknown
	Dependents int            `json:"behind"`            // number of open tasks that wait for it, at most MaxBehind
	Do         []Action       `json:"actions,omitempty"` // possible responses, most likely first, at most MaxActions
}

// MaxActions is the maximum number of actions of a need.
const MaxActions = 3

// Concern is a problem of an object that a review found.
type Concern struct {
	Object   resources.Key
	Reason   string    // one CamelCase word
	Text     string    // a sentence
	Remedy   string    // a sentence or a command line; empty if Commands are sufficient
	Commands []string  // responses, most likely first
	Since    time.Time // zero if unknown
}

// Host is a program that runs agents.
type Host struct {
	Name  string // name for idumb hook install
	Title string // display name
	Off   string // file with settings that disable its hooks; empty if they are enabled
}

// View provides the objects.
type View interface {
	status.WideView
	// Get returns the last valid version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the keys of all objects of a kind, including unreadable ones, sorted.
	List(kind string) []resources.Key
}

// Input is the input of List, at the time View.Now.
type Input struct {
	View      View
	Concerns  []Concern         // findings of a review; concerns without a rank are ignored
	Denials   []resources.Event // denied calls without a decision, oldest first; each has a Violation
	Allowable []string          // rules that a user may lift for one call
	// MovedOn returns when a session last wrote a file or received a prompt, or the zero
	// time. Earlier denials no longer matter. nil means unknown.
	MovedOn func(session string) time.Time
	Ungated []Host // hosts in use without a gate
	// Distrust is the reason why the user does not trust the repository, in one line. It is
	// empty if the user trusts it.
	Distrust string
	// Hidden is the reason why plans of the team may not be visible here, in one line. It
	// is empty if all plans are visible.
	Hidden string
	// Missing means that Hidden is caused by missing files of objects that this clone
	// follows.
	Missing bool
	// Conflicts contains the objects with conflicting local and remote changes. Refused
	// contains the objects with a rejected remote version.
	Conflicts, Refused []resources.Key
	// Alone is the number of objects that exist only in this clone, because they were
	// created before it joined the team.
	Alone int
	// Follow contains the commands that resolve Hidden, in order. Decline is the
	// alternative; it is empty if git ignores .idumb.
	Follow  []string
	Decline string
}

// List returns the items that wait for the user. They are sorted by rank, then by duration
// times the number of waiting tasks. Many needs with the same cause are merged. The result
// is never nil.
func List(in *Input) []Need {
	f := finder{Input: in, needs: []Need{}, dependents: map[resources.Key]int{}, concerned: map[string]resources.Key{}}
	for _, key := range f.View.List(resources.Sessions) {
		s, ok := f.live(key.Name)
		if !ok {
			continue
		}
		if s.Spec.WaitsFor == resources.WaitsForPermission || s.Spec.WaitsFor == resources.WaitsForAnswer {
			f.asks(s)
		}
		f.questions(s)
		f.circles(s)
	}
	f.denials()
	for i := range in.Concerns {
		f.concern(&in.Concerns[i])
	}
	f.conflicts()
	f.repository()
	f.sort()
	f.fold()
	return f.needs
}

// Nothing returns the text for an empty list, with the next task, which may be empty.
func Nothing(next string) string {
	if next == "" {
		return "Nothing needs you."
	}
	return "Nothing needs you. Next: " + next + "."
}

// finder collects the needs of a list.
type finder struct {
	*Input
	needs      []Need
	dependents map[resources.Key]int
	concerned  map[string]resources.Key // objects of needs from a review, by the name of the need
}

// add completes and adds a need about an object. commands contains its
// responses. add keeps the first MaxActions.
func (f *finder) add(n Need, about resources.Key, commands ...string) {
	n.Sign, n.Text, n.Why = rankSigns[n.Rank], line(n.Text), line(n.Why)
	if kind, known := resources.KindOf(about.Kind); known {
		n.Object = kind.Singular + "/" + about.Name
		if about.Name == "" { // the directory of the kind
			n.Object = kind.Plural
		}
	}
	parts := []string{strings.ToLower(n.Reason)}
	if kind, known := resources.KindOf(about.Kind); known {
		parts = append(parts, kind.Singular)
	}
	if about.Name != "" {
		parts = append(parts, about.Name)
	}
	n.Name = strings.Join(parts, ".")
	for _, c := range commands {
		if a, ok := ActionOf(c); ok && len(n.Do) < MaxActions {
			n.Do = append(n.Do, a)
		}
	}
	f.needs = append(f.needs, n)
}
