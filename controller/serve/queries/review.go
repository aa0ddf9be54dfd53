package queries

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

// ReviewItem is a review item: an object that needs attention.
type ReviewItem struct {
	Key        resources.Key
	Phase      string
	Confidence int          // confidence of a mem; 0 for other objects
	Reason     string       // one CamelCase word: Unreadable, Gone, Conflict, Suspect, Stale, Duplicate, Orphaned, ...
	What       string       // description, one sentence
	Remedy     string       // command line or sentence; empty if Answers are sufficient
	Answers    []Resolution // possible resolutions, likeliest first
	order      int          // urgency; the lowest is the most urgent
}

// Resolution is a possible resolution of a review item.
type Resolution struct {
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
func (c *ReviewItem) Remedies() string {
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
func (c *ReviewItem) Name() string {
	if c.Key.Kind == resources.Mems {
		return c.Key.Name
	}
	return objectName(c.Key)
}

// objectName returns the usual name of an object, kind/name.
func objectName(key resources.Key) string {
	kind, ok := resources.KindOf(key.Kind)
	switch {
	case !ok:
		return key.Name
	case key.Name == "": // the directory of the kind's objects
		return kind.Plural
	}
	return kind.Singular + "/" + key.Name
}

// ReviewItemsOf returns review items. By default they concern mems and anchors.
// Parameters select mems without a recent confirmation, lowest confidence first
// (stale), documents (artifacts) or everything (all).
func ReviewItemsOf(s *Source, v url.Values) ([]ReviewItem, error) {
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
		r.noteFaded(m, m.status.Confidence)
	}
	return r.sorted(), nil
}

// Review returns the review items of memory, most urgent first: unreadable
// files, entries that left the context because their sources are gone,
// contradictions, suspect entries, stale entries, duplicates, and entries that
// name missing objects. Anchors become stale by time alone and expire, so only
// anchors with a missing or changed file are listed.
func Review(s *Source) []ReviewItem {
	r := newReviewer(s)
	r.memory()
	return r.sorted()
}

// newReviewer returns a reviewer without items.
func newReviewer(s *Source) *reviewer {
	return &reviewer{source: s, firstByOpening: map[uint64]*resources.Mem{}, firstByText: map[uint64]*resources.Mem{}}
}

// memory adds the items of all mems and anchors.
func (r *reviewer) memory() {
	for m := range r.mems() {
		r.mem(m)
		r.noteDuplicate(m)
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
	source         *Source
	concerns       []ReviewItem
	everything     bool                      // not only mems and anchors
	firstByOpening map[uint64]*resources.Mem // hash of the opening -> first live mem with that opening
	firstByText    map[uint64]*resources.Mem // hash of the text -> first live mem, if several have the same opening
}

// reviewed is a mem with its status.
type reviewed struct {
	*resources.Mem
	status *resources.MemStatus
}

// mems yields the readable mems, by name. It adds items for the unreadable ones,
// unless the reviewer was made without newReviewer and only lists faded mems.
func (r *reviewer) mems() iter.Seq[reviewed] {
	return func(yield func(reviewed) bool) {
		entries, _ := r.source.Entries([]string{resources.Mems}, nil, false)
		for _, e := range entries {
			if e.Problem != nil && r.firstByText != nil {
				item := ReviewItem{Key: e.Key, Phase: resources.PhaseInvalid, Reason: "Unreadable", What: e.Problem.Reason, Remedy: e.Problem.Remedy}
				if edit := "idumb edit mem " + e.Key.Name; r.editable(*e.Problem) {
					item.Remedy, item.Answers = edit+"; idumb doctor shows where", []Resolution{{Fix, edit}}
				}
				r.concerns = append(r.concerns, item)
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
func (r *reviewer) note(m reviewed, order int, reason, what string, answers ...Resolution) {
	r.concerns = append(r.concerns, ReviewItem{Key: m.Key(), Phase: m.status.Phase, Confidence: m.status.Confidence, Reason: reason, What: what, Answers: answers, order: order})
}

// sorted returns the collected items, most urgent first, then by name.
func (r *reviewer) sorted() []ReviewItem {
	slices.SortStableFunc(r.concerns, func(a, b ReviewItem) int {
		return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(a.Key.Name, b.Key.Name), cmp.Compare(a.Key.Kind, b.Key.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	return r.concerns
}

// mem adds the items of one mem: gone, stale, contradicting, suspect, moved and orphaned.
func (r *reviewer) mem(m reviewed) {
	s, name := m.status, m.Metadata.Name
	switch s.Phase {
	case resources.Superseded, resources.Purged, resources.Ended:
		return
	case resources.GonePhase:
		r.note(m, 0, "Gone", memory.Doubts(s), Resolution{Fix, "idumb confirm mem " + name + " --evidence FILE"}, Resolution{Drop, "idumb mem purge " + name})
	case resources.StalePhase:
		r.noteFaded(m, 3)
	}
	if c := resources.FindCondition(s.Conditions, resources.Conflict); c != nil {
		what, remedy, _ := strings.Cut(c.Message, "; ")
		r.note(m, 1, "Conflict", what, Resolution{Fix, remedy[strings.LastIndex(remedy, ": ")+1:]})
		r.concerns[len(r.concerns)-1].Remedy = remedy
	}
	if len(s.Suspect) > 0 && s.Phase != resources.GonePhase {
		r.note(m, 2, "Suspect", memory.Doubts(s), Resolution{Keep, "idumb confirm mem " + name}, Resolution{Fix, supersedeCommand(m.Mem)})
	}
	if len(s.Moved) > 0 {
		r.note(m, 4, "Moved", strings.Join(s.Moved, ", "), Resolution{Keep, "idumb confirm mem " + name})
	}
	if c := resources.FindCondition(s.Conditions, resources.Orphaned); c != nil {
		r.note(m, 5, "Orphaned", c.Message, Resolution{Fix, "idumb edit mem " + name})
	}
}

// supersedeCommand returns the command that replaces a mem by a new one. A false path needs a
// reason.
func supersedeCommand(m *resources.Mem) string {
	command := "idumb supersede mem " + m.Metadata.Name + " --content TEXT"
	if m.Spec.Type == resources.FalsePath {
		command += " --reason WHY"
	}
	return command
}

// noteFaded adds an item for a stale or fading mem.
func (r *reviewer) noteFaded(m reviewed, order int) {
	name := m.Metadata.Name
	reason, what, otherwise := "Stale", memory.Warning(m.Mem, m.status), Resolution{Drop, "idumb mem purge " + name}
	switch m.status.Phase {
	case resources.StalePhase:
	case resources.Fading:
		reason, what = "Fading", fmt.Sprintf("its confidence is down to %d", m.status.Confidence)
	default:
		return
	}
	if m.Spec.Type == resources.FalsePath {
		otherwise = Resolution{Fix, supersedeCommand(m.Mem)}
	}
	r.note(m, order, reason, what, Resolution{Keep, "idumb confirm mem " + name}, otherwise)
}

// noteDuplicate adds an item for a live mem with the same text as an earlier one.
func (r *reviewer) noteDuplicate(m reviewed) {
	live := memory.LivePhase(m.status.Phase)
	if m.status.Phase == resources.PhaseInvalid { // its last good version may be live
		live = memory.Live(m.Mem, r.source, r.source.Now())
	}
	if !live {
		return
	}
	const opening = 50 // in characters; distinguishes nearly all texts
	begins := memory.SumOfWords(m.Spec.Content, opening)
	before := r.firstByOpening[begins]
	if before == nil {
		r.firstByOpening[begins] = m.Mem
		return
	}
	if sum := memory.SumOfWords(before.Spec.Content, 0); r.firstByText[sum] == nil {
		r.firstByText[sum] = before
	}
	sum := memory.SumOfWords(m.Spec.Content, 0)
	switch other := r.firstByText[sum]; {
	case other == nil:
		r.firstByText[sum] = m.Mem
	case memory.Says(other.Spec.Content, memory.NormalText(m.Spec.Content)):
		r.note(m, 4, "Duplicate", "it has the same content as mem/"+other.Metadata.Name, Resolution{Drop, fmt.Sprintf("idumb supersede mem %s --by %s", m.Metadata.Name, other.Metadata.Name)})
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

// anchor adds the item of a stale anchor. Unless everything is reviewed, it adds only anchors with
// a missing or changed file.
func (r *reviewer) anchor(e *Entry) {
	st, _ := e.Status.(*resources.AnchorStatus)
	if st == nil || st.Phase != resources.StalePhase {
		return
	}
	name := e.Key.Name
	keep, drop := Resolution{Keep, "idumb confirm anchor/" + name}, Resolution{Drop, "idumb archive anchor/" + name}
	c := ReviewItem{Key: e.Key, Phase: st.Phase, Reason: "Gone", Answers: []Resolution{keep, drop}}
	stale := resources.FindCondition(st.Conditions, resources.Stale)
	switch {
	case stale == nil:
		return
	case stale.Reason == status.SourceFileGone:
		c.Answers[0] = Resolution{Fix, "idumb edit anchor " + name}
	case resources.IsTrue(st.Conditions, resources.Suspect):
		c.Reason, c.order = "Suspect", 2
	case !r.everything:
		return
	case stale.Reason == status.SourceTaskEnded:
		c.Reason, c.order, c.Answers[0] = "Stale", 6, Resolution{Fix, "idumb edit anchor " + name}
	default:
		c.Reason, c.order = "Stale", 6
	}
	c.What, c.Remedy, _ = strings.Cut(stale.Message, "; ")
	r.concerns = append(r.concerns, c)
}

// decisions adds items for decisions that wait for the user, with the tasks
// that they block. It also adds items for valid decisions with changed
// foundations.
func (r *reviewer) decisions() {
	for _, key := range r.source.List(resources.Decisions) {
		d, found := r.source.Decision(key.Name)
		st, known := r.source.Derived(key).(*resources.DecisionStatus)
		if !found || !known || status.DecisionHead(d, r.source) != d {
			continue
		}
		for _, doubt := range doubts(st) {
			if c := resources.FindCondition(st.Conditions, doubt); st.Phase == resources.DecisionResolved {
				what, remedy, _ := strings.Cut(c.Message, "; ")
				r.add(4, key, st.Phase, c.Type, what, remedy, Resolution{Fix, fixOf(key, doubt)}, Resolution{Drop, "idumb decide \"...\" --supersedes " + key.Name})
			}
		}
		if resources.Decided(d) {
			continue
		}
		what := "proposed: " + d.Spec.Title
		if n := len(tasksOn(r.source, key.Name)) + len(r.source.Dependents(key)); n > 0 {
			what += fmt.Sprintf(" (holds back %d)", n)
		}
		r.add(3, key, resources.DecisionUnresolved, "Undecided", what, "",
			Resolution{Keep, "idumb decide accept " + key.Name}, Resolution{Drop, "idumb decide reject " + key.Name + " --reason \"...\""})
	}
}

// doubts returns the types of the true conditions that contradict a decision.
func doubts(st *resources.DecisionStatus) (types []string) {
	for _, doubt := range resources.DecisionDoubts() {
		if resources.IsTrue(st.Conditions, doubt) {
			types = append(types, doubt)
		}
	}
	return types
}

// fixOf returns the command that confirms a decision despite a doubt, or that
// explains the doubt.
func fixOf(key resources.Key, doubt string) string {
	switch doubt {
	case resources.UpstreamStale:
		return "idumb decide accept " + key.Name
	case resources.Contradicted:
		return "idumb map check"
	}
	return "idumb edit decision " + key.Name
}
