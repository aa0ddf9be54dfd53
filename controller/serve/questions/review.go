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

// Concern is one thing about a mem, or an anchor, that somebody should look at.
type Concern struct {
	Key        resources.Key
	Phase      string
	Confidence int    // of a mem; 0 for an anchor
	Reason     string // one CamelCase word: Unreadable, Gone, Conflict, Suspect, Stale, Duplicate, Orphaned, Fading
	What       string // in a sentence
	Remedy     string // a command line
	order      int    // the least is the most urgent
}

// Name is the object as people name it: NAME of a mem, KIND/NAME of another object.
func (c *Concern) Name() string {
	kind, ok := resources.KindOf(c.Key.Kind)
	if !ok || c.Key.Kind == resources.Mems {
		return c.Key.Name
	}
	return kind.Singular + "/" + c.Key.Name
}

// ConcernsOf answers which mems and anchors somebody should look at: all of them, or (stale)
// those that nobody stood for lately, the least sure first.
func ConcernsOf(s *Source, v url.Values) ([]Concern, error) {
	if !v.Has("stale") {
		return Review(s), nil
	}
	r := reviewer{source: s}
	for m := range r.mems() {
		r.faded(m, m.status.Confidence)
	}
	return r.sorted(), nil
}

// Review lists what somebody should look at, what is most urgent first: what cannot be read;
// what left the context because what it cited is gone; what contradicts another mem; what is suspect;
// what is stale; what says the same as another mem; what names something that is not there.
// Of anchors, which turn stale by time alone and make way, only those are listed whose file
// is gone or has changed.
func Review(s *Source) []Concern {
	r := reviewer{source: s, opens: map[uint64]*resources.Mem{}, first: map[uint64]*resources.Mem{}}
	for m := range r.mems() {
		r.mem(m)
		r.sameWords(m)
	}
	anchors, _ := s.Entries([]string{resources.Anchors}, nil, false)
	for _, e := range anchors {
		r.anchor(e)
	}
	return r.sorted()
}

// LostSources are the mems and anchors that are in no context because all that they cite is
// gone, as kind/name, sorted.
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

// reviewer collects concerns.
type reviewer struct {
	source *Source
	found  []Concern
	opens  map[uint64]*resources.Mem // the first of the mems that live whose words begin so
	first  map[uint64]*resources.Mem // with these words, where several begin so
}

// reviewed is a mem with what holds about it.
type reviewed struct {
	*resources.Mem
	status *resources.MemStatus
}

// mems yields those that can be read, by name, and notes the others where all is reviewed.
func (r *reviewer) mems() iter.Seq[reviewed] {
	return func(yield func(reviewed) bool) {
		entries, _ := r.source.Entries([]string{resources.Mems}, nil, false)
		for _, e := range entries {
			if e.Problem != nil && r.first != nil {
				r.found = append(r.found, Concern{Key: e.Key, Phase: resources.PhaseInvalid, Reason: "Unreadable", What: e.Problem.Reason, Remedy: "idumb edit mem " + e.Key.Name + "; idumb doctor says where"})
			}
			m, _ := e.Object.(*resources.Mem)
			st, _ := e.Status.(*resources.MemStatus)
			if m != nil && st != nil && !yield(reviewed{m, st}) {
				return
			}
		}
	}
}

// note adds a concern about a mem.
func (r *reviewer) note(m reviewed, order int, reason, what, remedy string) {
	r.found = append(r.found, Concern{m.Key(), m.status.Phase, m.status.Confidence, reason, what, remedy, order})
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
		r.note(m, 0, "Gone", memory.Doubts(s), fmt.Sprintf("idumb mem confirm %s --evidence FILE, or idumb mem purge %s", name, name))
	case resources.StalePhase:
		r.faded(m, 3)
	}
	if c := resources.FindCondition(s.Conditions, resources.Conflict); c != nil {
		what, remedy, _ := strings.Cut(c.Message, "; ")
		r.note(m, 1, "Conflict", what, remedy)
	}
	if len(s.Suspect) > 0 && s.Phase != resources.Gone {
		r.note(m, 2, "Suspect", memory.Doubts(s), fmt.Sprintf("idumb mem confirm %s, or idumb mem supersede %s", name, name))
	}
	if len(s.Moved) > 0 {
		r.note(m, 4, "Moved", strings.Join(s.Moved, ", "), "idumb mem confirm "+name)
	}
	if c := resources.FindCondition(s.Conditions, resources.Orphaned); c != nil {
		r.note(m, 5, "Orphaned", c.Message, "idumb edit mem "+name)
	}
}

// faded notes a mem that is stale or fading.
func (r *reviewer) faded(m reviewed, order int) {
	reason, what, otherwise := "Stale", memory.Standing(m.Mem, m.status), "purge"
	switch m.status.Phase {
	case resources.StalePhase:
	case resources.Fading:
		reason, what = "Fading", fmt.Sprintf("its confidence is down to %d", m.status.Confidence)
	default:
		return
	}
	if m.Spec.Type == resources.FalsePath {
		otherwise = "supersede"
	}
	r.note(m, order, reason, what, fmt.Sprintf("idumb mem confirm %s, or idumb mem %s %[1]s", m.Metadata.Name, otherwise))
}

// sameWords notes a mem that lives and says the same as one before it.
func (r *reviewer) sameWords(m reviewed) {
	live := memory.LivePhase(m.status.Phase)
	if m.status.Phase == resources.PhaseInvalid { // its last good version may live
		live = memory.Live(m.Mem, r.source, r.source.Now())
	}
	if !live {
		return
	}
	const opening = 50 // characters, by which nearly all texts differ
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
		r.note(m, 4, "Duplicate", "it says the same as mem/"+other.Metadata.Name, fmt.Sprintf("idumb mem supersede %s --with %s", m.Metadata.Name, other.Metadata.Name))
	}
}

// anchor notes one whose file is gone or has changed.
func (r *reviewer) anchor(e *Entry) {
	st, _ := e.Status.(*resources.AnchorStatus)
	if st == nil || st.Phase != resources.StalePhase {
		return
	}
	c := Concern{Key: e.Key, Phase: st.Phase, Reason: "Gone"}
	stale := resources.FindCondition(st.Conditions, resources.Stale)
	switch {
	case stale != nil && stale.Reason == status.SourceFileGone:
	case stale != nil && resources.IsTrue(st.Conditions, resources.Suspect):
		c.Reason, c.order = "Suspect", 2
	default:
		return
	}
	c.What, c.Remedy, _ = strings.Cut(stale.Message, "; ")
	r.found = append(r.found, c)
}
