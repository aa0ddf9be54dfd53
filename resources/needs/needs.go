// Package needs says what waits for a person, the most urgent first: the rows of "Needs you". It is one pure
// function of what there is and of what others found out: commands, the terminal, the page and the API show
// the same rows of it. It reads nothing itself.
package needs

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Rank says how urgent a need is: the least is the most urgent.
type Rank int

// The ranks, in their order.
const (
	Asks      Rank = iota + 1 // an agent waits for a permission or an answer
	Circles                   // an agent goes in circles, or was halted
	Review                    // something is to be accepted or decided
	Denied                    // an agent was denied the same call twice, or one that a person may allow
	Ungated                   // an agent is used here and is not held to the plan
	Broken                    // a chain does not go on by itself, or a file cannot be read
	Suspect                   // what is remembered may be wrong
	Untrusted                 // the person has not trusted what this repository says
)

// rankSigns are the signs of the ranks.
var rankSigns = [...]Sign{Asks: SignAsks, Circles: SignCircles, Review: SignReview, Denied: SignWaits, Ungated: SignFailed, Broken: SignFailed, Suspect: SignSuspect, Untrusted: SignWaits}

// Need is one row: something that waits for a person. All texts may hold what strangers wrote: who shows them
// escapes them for where they go.
type Need struct {
	// Name is unique among the needs of one moment and the same for as long as the need is: a DNS-1123 subdomain.
	Name   string         `json:"name"`
	Rank   Rank           `json:"rank"`
	Sign   Sign           `json:"sign"`
	Reason string         `json:"reason"`            // one CamelCase word: Permission, Answer, Review, Invalid, ...
	Who    string         `json:"who"`               // the agent, as host/session, or the object
	What   string         `json:"what"`              // in the words of the source, one line
	Why    string         `json:"why,omitempty"`     // one line of why it matters
	About  string         `json:"about,omitempty"`   // the object, as kind/name; "" where it is the repository
	Since  resources.Time `json:"since,omitzero"`    // when it began; zero: nobody saw that
	Behind int            `json:"behind"`            // how many open tasks wait behind it, at most MaxBehind
	Do     []Action       `json:"actions,omitempty"` // what may be done, the likeliest first, MaxActions at most
}

// MaxActions is how many actions a need has at most.
const MaxActions = 3

// Concern is something that is wrong with an object, as a review of it found.
type Concern struct {
	About    resources.Key
	Reason   string    // one CamelCase word
	What     string    // a sentence
	Remedy   string    // a sentence, or a command line; "" where Commands say all
	Commands []string  // that answer it, the likeliest first
	Since    time.Time // zero: not known
}

// Host is a program that runs agents.
type Host struct {
	Name  string // as idumb hook install takes it
	Title string // as people call it
	Off   string // the file whose settings turn its hooks off; empty if none does
}

// View is what there is.
type View interface {
	status.WideView
	// Get returns the last good version of an object.
	Get(key resources.Key) (resources.Object, bool)
	// List returns the keys of all objects of a kind, readable or not, sorted.
	List(kind string) []resources.Key
}

// Input is what needs follow from, as of View.Now.
type Input struct {
	View      View
	Concerns  []Concern         // what a review found; those that no rank is about are left out
	Denials   []resources.Event // of calls that the gate denied and nobody decided about, oldest first; each has its Violation
	Allowable []string          // the rules that a person may let a call pass
	// MovedOn returns when a session last wrote a file or was given a prompt; zero if that is not known. What was
	// denied before holds it up no longer. nil: nothing is known of any session.
	MovedOn func(session string) time.Time
	Ungated []Host // hosts that are used here without a gate
	// Distrust says why the person does not trust the repository, in one line; "": they do.
	Distrust string
	// Hidden says why plans of the team may exist that are not visible here, in one line; "": all are.
	Hidden string
	// Missing says that it is so because files of objects that this clone follows are missing.
	Missing bool
	// Conflicts are the objects whose changes here and changes of the team did not go together; Refused
	// are those that were not taken from the team.
	Conflicts, Refused []resources.Key
	// Alone is how many objects neither git nor the team has, because they were made before the clone joined.
	Alone int
	// Follow are the commands that answer it, in their order, or Decline, which is empty if git keeps .idumb away.
	Follow  []string
	Decline string
}

// Of returns what waits for a person: by rank, and within one by how many tasks wait behind it times how long
// it lasts; those of one cause that are many are one row. Never nil.
func Of(in *Input) []Need {
	f := finder{Input: in, found: []Need{}, behind: map[resources.Key]int{}, concerned: map[string]resources.Key{}}
	f.sessions()
	f.denials()
	for i := range in.Concerns {
		f.concern(&in.Concerns[i])
	}
	f.conflicts()
	f.repository()
	f.sort()
	f.fold()
	return f.found
}

// Nothing is what is said where nothing needs the person: with the task that comes next, "" for none.
func Nothing(next string) string {
	if next == "" {
		return "Nothing needs you."
	}
	return "Nothing needs you. Next: " + next + "."
}

// finder collects needs.
type finder struct {
	*Input
	found     []Need
	behind    map[resources.Key]int
	concerned map[string]resources.Key // the objects of needs that a review found, by the needs' names
}

// add completes a need about an object, which has commands that answer it.
func (f *finder) add(n Need, about resources.Key, commands ...string) {
	n.Sign, n.What, n.Why = rankSigns[n.Rank], line(n.What), line(n.Why)
	if kind, known := resources.KindOf(about.Kind); known {
		n.About = kind.Singular + "/" + about.Name
		if about.Name == "" { // the folder of its objects
			n.About = kind.Plural
		}
	}
	n.Name = nameOf(n.Reason, about)
	for _, c := range commands {
		if a, ok := ActionOf(c); ok && len(n.Do) < MaxActions {
			n.Do = append(n.Do, a)
		}
	}
	f.found = append(f.found, n)
}
