package questions

import (
	"cmp"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// Concern is a review item: an object that needs attention.
type Concern struct {
	Key        resources.Key
	Phase      string
	Confidence int      // confidence of a mem; 0 for other objects
	Reason     string   // one CamelCase word: Unreadable, Gone, Conflict, Suspect, Stale, Duplicate, Orphaned, ...
	What       string   // description, one sentence
	Remedy     string   // command line or sentence; empty if Answers are sufficient
	Answers    []Answer // possible resolutions, likeliest first
	order      int      // urgency; the lowest is the most urgent
}

// Answer is a possible resolution of a review item.
type Answer struct {
	Word string `json:"word"` // keep, fix or drop
	Do   string `json:"do"`   // command line
}

// Words of answers.
const (
	Keep = "keep" // the object stays as it is
	Fix  = "fix"  // the object needs a change
	Drop = "drop" // the object is obsolete
)

// Remedies returns the possible resolutions as one line.
func (c *Concern) Remedies() string {
	if c.Remedy != "" {
		return c.Remedy
	}
	var all []string
	for _, a := range c.Answers {
		all = append(all, a.Do)
	}
	return strings.Join(all, ", or ")
}

// Name returns the object's usual name: NAME of a mem, KIND/NAME of another
// object.
func (c *Concern) Name() string {
	if c.Key.Kind == resources.Mems {
		return c.Key.Name
	}
	return named(c.Key)
}

// named returns the usual name of an object, kind/name.
func named(key resources.Key) string {
	kind, ok := resources.KindOf(key.Kind)
	switch {
	case !ok:
		return key.Name
	case key.Name == "": // the directory of the kind's objects
		return kind.Plural
	}
	return kind.Singular + "/" + key.Name
}

// ConcernsOf returns review items. By default they concern mems and anchors.
// Parameters select mems without a recent confirmation, lowest confidence first
// (stale), documents (artifacts) or everything (all).
func ConcernsOf(s *Source, v url.Values) ([]Concern, error) {
	switch {
	case v.Has("artifacts"):
		return ReviewArtifacts(s), nil
	case v.Has("all"):
		return ReviewAll(s), nil
	case !v.Has("stale"):
		return Review(s), nil
	}
	r := reviewer{source: s}
	for m := range r.mems() {
		r.faded(m, m.status.Confidence)
	}
	return r.sorted(), nil
}

// Review returns the review items of memory, most urgent first: unreadable
// files, entries that left the context because their sources are gone,
// contradictions, suspect entries, stale entries, duplicates, and entries that
// name missing objects. Anchors become stale by time alone and expire, so only
// anchors with a missing or changed file are listed.
func Review(s *Source) []Concern {
	r := newReviewer(s)
	r.memory()
	return r.sorted()
}

func newReviewer(s *Source) *reviewer {
	return &reviewer{source: s, opens: map[uint64]*resources.Mem{}, first: map[uint64]*resources.Mem{}}
}

// memory reviews mems and anchors.
func (r *reviewer) memory() {
	for m := range r.mems() {
		r.mem(m)
		r.sameWords(m)
	}
	r.anchors()
}

// LostSources returns the mems and anchors that left all contexts because all
// their sources are gone, as kind/name, sorted.
func LostSources(s *Source) []string {
	var lost []string
	for _, c := range Review(s) {
		if kind, ok := resources.KindOf(c.Key.Kind); ok && c.Reason == "Gone" {
			lost = append(lost, kind.Singular+"/"+c.Key.Name)
		}
	}
	slices.Sort(lost)
	return lost
}

// reviewer collects review items.
type reviewer struct {
	source     *Source
	found      []Concern
	everything bool                      // not only mems and anchors
	opens      map[uint64]*resources.Mem // hash of the opening -> first live mem with that opening
	first      map[uint64]*resources.Mem // hash of the text -> first live mem, if several have the same opening
}

// reviewed is a mem with its status.
type reviewed struct {
	*resources.Mem
	status *resources.MemStatus
}

// mems yields the readable mems, by name. If everything is reviewed, it adds
// items for the unreadable ones.
func (r *reviewer) mems() iter.Seq[reviewed] {
	return func(yield func(reviewed) bool) {
		entries, _ := r.source.Entries([]string{resources.Mems}, nil, false)
		for _, e := range entries {
			if e.Problem != nil && r.first != nil {
				r.found = append(r.found, Concern{Key: e.Key, Phase: resources.PhaseInvalid, Reason: "Unreadable", What: e.Problem.Reason, Remedy: "idumb edit mem " + e.Key.Name + "; idumb doctor shows where", Answers: []Answer{{Fix, "idumb edit mem " + e.Key.Name}}})
			}
			m, _ := e.Object.(*resources.Mem)
			st, _ := e.Status.(*resources.MemStatus)
			if m != nil && st != nil && !yield(reviewed{m, st}) {
				return
			}
		}
	}
}

// note adds an item about a mem.
func (r *reviewer) note(m reviewed, order int, reason, what string, answers ...Answer) {
	r.found = append(r.found, Concern{Key: m.Key(), Phase: m.status.Phase, Confidence: m.status.Confidence, Reason: reason, What: what, Answers: answers, order: order})
}

func (r *reviewer) sorted() []Concern {
	slices.SortStableFunc(r.found, func(a, b Concern) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Key.Name, b.Key.Name), cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	return r.found
}

func (r *reviewer) mem(m reviewed) {
	s, name := m.status, m.Metadata.Name
	switch s.Phase {
	case resources.Superseded, resources.Purged, resources.Ended:
		return
	case resources.Gone:
		r.note(m, 0, "Gone", memory.Doubts(s), Answer{Fix, "idumb confirm mem " + name + " --evidence FILE"}, Answer{Drop, "idumb mem purge " + name})
	case resources.StalePhase:
		r.faded(m, 3)
	}
	if c := resources.FindCondition(s.Conditions, resources.Conflict); c != nil {
		what, remedy, _ := strings.Cut(c.Message, "; ")
		r.note(m, 1, "Conflict", what, Answer{Fix, remedy[strings.LastIndex(remedy, ": ")+1:]})
		r.found[len(r.found)-1].Remedy = remedy
	}
	if len(s.Suspect) > 0 && s.Phase != resources.Gone {
		r.note(m, 2, "Suspect", memory.Doubts(s), Answer{Keep, "idumb confirm mem " + name}, Answer{Fix, "idumb supersede mem " + name})
	}
	if len(s.Moved) > 0 {
		r.note(m, 4, "Moved", strings.Join(s.Moved, ", "), Answer{Keep, "idumb confirm mem " + name})
	}
	if c := resources.FindCondition(s.Conditions, resources.Orphaned); c != nil {
		r.note(m, 5, "Orphaned", c.Message, Answer{Fix, "idumb edit mem " + name})
	}
}

// faded adds an item for a stale or fading mem.
func (r *reviewer) faded(m reviewed, order int) {
	name := m.Metadata.Name
	reason, what, otherwise := "Stale", memory.Standing(m.Mem, m.status), Answer{Drop, "idumb mem purge " + name}
	switch m.status.Phase {
	case resources.StalePhase:
	case resources.Fading:
		reason, what = "Fading", fmt.Sprintf("its confidence is down to %d", m.status.Confidence)
	default:
		return
	}
	if m.Spec.Type == resources.FalsePath {
		otherwise = Answer{Fix, "idumb supersede mem " + name}
	}
	r.note(m, order, reason, what, Answer{Keep, "idumb confirm mem " + name}, otherwise)
}

// sameWords adds an item for a live mem with the same text as an earlier one.
func (r *reviewer) sameWords(m reviewed) {
	live := memory.LivePhase(m.status.Phase)
	if m.status.Phase == resources.PhaseInvalid { // its last good version may be live
		live = memory.Live(m.Mem, r.source, r.source.Now())
	}
	if !live {
		return
	}
	const opening = 50 // in characters; distinguishes nearly all texts
	begins := memory.SumOfWords(m.Spec.Content, opening)
	before := r.opens[begins]
	if before == nil {
		r.opens[begins] = m.Mem
		return
	}
	if sum := memory.SumOfWords(before.Spec.Content, 0); r.first[sum] == nil {
		r.first[sum] = before
	}
	sum := memory.SumOfWords(m.Spec.Content, 0)
	switch other := r.first[sum]; {
	case other == nil:
		r.first[sum] = m.Mem
	case memory.Says(other.Spec.Content, memory.NormalText(m.Spec.Content)):
		r.note(m, 4, "Duplicate", "it has the same content as mem/"+other.Metadata.Name, Answer{Drop, fmt.Sprintf("idumb supersede mem %s --by %s", m.Metadata.Name, other.Metadata.Name)})
	}
}

// anchors adds items for anchors with a missing or changed file. If everything
// is reviewed, it adds items for other stale anchors too.
func (r *reviewer) anchors() {
	anchors, _ := r.source.Entries([]string{resources.Anchors}, nil, false)
	for _, e := range anchors {
		r.anchor(e)
	}
}

func (r *reviewer) anchor(e *Entry) {
	st, _ := e.Status.(*resources.AnchorStatus)
	if st == nil || st.Phase != resources.StalePhase {
		return
	}
	name := e.Key.Name
	keep, drop := Answer{Keep, "idumb confirm anchor/" + name}, Answer{Drop, "idumb archive anchor/" + name}
	c := Concern{Key: e.Key, Phase: st.Phase, Reason: "Gone", Answers: []Answer{keep, drop}}
	stale := resources.FindCondition(st.Conditions, resources.Stale)
	switch {
	case stale == nil:
		return
	case stale.Reason == status.SourceFileGone:
		c.Answers[0] = Answer{Fix, "idumb edit anchor " + name}
	case resources.IsTrue(st.Conditions, resources.Suspect):
		c.Reason, c.order = "Suspect", 2
	case !r.everything:
		return
	case stale.Reason == status.SourceTaskEnded:
		c.Reason, c.order, c.Answers[0] = "Stale", 6, Answer{Fix, "idumb edit anchor " + name}
	default:
		c.Reason, c.order = "Stale", 6
	}
	c.What, c.Remedy, _ = strings.Cut(stale.Message, "; ")
	r.found = append(r.found, c)
}
