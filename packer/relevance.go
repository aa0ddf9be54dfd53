package packer

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// judge scores mems and anchors, by their numbers in the stock, against what packs are about, as
// of one version of the stock. All readers that ask the same of it share it.
type judge struct {
	version  int
	question search.Query
	links    map[resources.Key]closeness
	terse    bool

	result *search.Result // to explain scores; nil if terse
	asked  bool           // the question had any word to look for
	scores []int64
	best   int64             // of all documents
	near   map[int]closeness // of those that are linked to the active tasks at all
	told   anchorTexts
	bears  map[int]bearing // mems that have something to do with the question by their words
	mems   []int           // to be weighed for each reader; if terse, without those that can be no insight
}

// bearing is how much a mem has to do with a question, whatever else there is.
type bearing int

const (
	bearsNot  bearing = iota
	bearsWeak         // half of what it takes, for a task or an intent: it stays where it was in the last pack, and fills up to leastTold
	bearsWell         // enough (search.Result.Bears)
)

// mostLooked is how many of the best mems are looked at for whether they bear on the question.
const mostLooked = 48

// judge returns one that a reader used before, or a new one.
func (s *Stock) judge(question search.Query, links map[resources.Key]closeness, terse bool) *judge {
	for _, w := range s.weighed {
		if j := w.judge; j.version == s.version && j.terse == terse && maps.Equal(j.links, links) && reflect.DeepEqual(j.question, question) {
			return j
		}
	}
	j := &judge{version: s.version, question: question, links: links, terse: terse, near: s.near(links), told: anchorsThatHold(s.anchors())}
	question.Hides = func(n int) bool { return j.whyNot(n, s.facts[n]) != "" }
	result := s.index.Search(question)
	j.asked, j.scores, j.best = result.Asked(), result.Scores(), result.Best()
	if !terse {
		j.result = result
	}
	j.bears = map[int]bearing{}
	tasked := slices.ContainsFunc(question.Parts, func(p search.Part) bool { return p.Weight == ownWords })
	for _, hit := range result.Pick(mostLooked, func(n int) bool { f := s.facts[n]; return f.mem != nil && !f.falsePath }) {
		switch {
		case result.Bears(hit, 100), slices.ContainsFunc(hit.Named, isPlace):
			j.bears[hit.Document] = bearsWell
		case tasked && (result.Bears(hit, 50) || hit.Shares() > 0):
			j.bears[hit.Document] = bearsWeak
		}
	}
	j.withRivals(s.facts)
	for n, f := range s.facts {
		if f != nil && f.mem != nil && (!terse || f.falsePath || j.mayEnter(n, f)) {
			j.mems = append(j.mems, n)
		}
	}
	return j
}

// withRivals lets those mems bear on the question that contradict one which may enter, by being of
// its topic: whoever is told one of them has to know of the others.
func (j *judge) withRivals(facts []*fact) {
	topics := map[string]bool{}
	for n, f := range facts {
		if f != nil && f.topic != "" && j.mayEnter(n, f) {
			topics[f.topic] = true
		}
	}
	for n, f := range facts {
		if f != nil && topics[f.topic] && j.bears[n] < bearsWell && j.near[n] == unlinked && j.whyNot(n, f) == "" {
			j.bears[n] = bearsWell
		}
	}
}

// isPlace reports whether the question names a file or a symbol of a mem, and no mere tag.
func isPlace(named string) bool {
	return strings.HasPrefix(named, "path ") || strings.HasPrefix(named, "symbol ")
}

// mayEnter reports whether a mem is an insight, if there is room.
func (j *judge) mayEnter(n int, f *fact) bool {
	return j.whyNot(n, f) == "" && (f.critical || j.near[n] > unlinked || j.bears[n] > bearsNot || !j.asked && f.mem.Object.Spec.Pinned)
}

// leastBest keeps links telling where no words meet: two bits of a score.
const leastBest = 2 << 16

// lead returns what links add to a score: an active task's as much as the best
// document there is, so that it leads; its surroundings' half of that.
func (j *judge) lead(c closeness) int64 {
	return max(j.best, leastBest) * int64(c) / int64(linkedTask)
}

// relevance is one mem's place.
type relevance struct {
	*fact
	link     closeness
	doc      int // its number; -1: not eligible
	score    int
	bears    bearing
	previous int      // its place in the last pack; 0: it was not in
	why      string   // it is not eligible
	rivals   []string // mems that it contradicts
}

// weigh links mems and scores them for the reader. Links travel one step from mem to mem: to the successor of a
// linked mem in full, to its refinements and relations half.
func (d *packing) weigh() []relevance {
	list := make([]relevance, len(d.judge.mems))
	for i, n := range d.judge.mems {
		if list[i] = d.judge.relevance(n, d.stock.facts[n]); list[i].doc >= 0 {
			list[i].previous = d.in.Previous[list[i].id]
		}
	}
	return list
}

// relevance scores a mem.
func (j *judge) relevance(n int, f *fact) relevance {
	r := relevance{fact: f, link: j.near[n], doc: n, why: j.whyNot(n, f)}
	if r.why != "" {
		r.doc = -1
		return r
	}
	r.score = j.score(n, r.link, f.mem.Status.Confidence, f.phase == resources.SuspectPhase)
	r.bears = j.bears[n]
	return r
}

// near is how close mems and anchors are to the active tasks, of those that are linked to them.
func (s *Stock) near(links map[resources.Key]closeness) map[int]closeness {
	near := map[int]closeness{}
	for key, c := range links {
		for _, n := range s.naming[key] {
			near[int(n)] = max(near[int(n)], c)
		}
	}
	own := map[string]closeness{}
	for n, c := range near {
		if m := s.facts[n].mem; m != nil {
			own[m.Object.Metadata.Name] = c
		}
	}
	for name := range own {
		for _, n := range s.naming[resources.Key{Kind: resources.Mems, Name: name}] {
			if m := s.facts[n].mem; m != nil {
				if c := inherited(own, m.Object); c > unlinked {
					near[int(n)] = max(near[int(n)], c)
				}
			}
		}
	}
	return near
}

// byCreation orders mems by when they were made, those of the same second by name.
func (r *relevance) byCreation(other *relevance) int {
	if r.made != other.made {
		return cmp.Compare(r.made, other.made)
	}
	return strings.Compare(r.id, other.id)
}

// inTurn orders mems: those that the last pack had first and in its order, then the best
// first.
func (r *relevance) inTurn(other *relevance) int {
	if c := cmp.Or(byPrevious(r.previous, other.previous), cmp.Compare(other.score, r.score)); c != 0 {
		return c
	}
	return r.byCreation(other)
}

// inherited is the closeness that a mem has from the mems it names.
func inherited(own map[string]closeness, m *resources.Mem) closeness {
	c := max(own[m.Spec.Supersedes], own[m.Spec.Parent]/2)
	for _, key := range resources.RelatedKeys(m) {
		if key.Kind == resources.Mems {
			c = max(c, own[key.Name]/2)
		}
	}
	return c
}

// whyNot says why a mem or an anchor does not enter, "" if it may.
func (j *judge) whyNot(n int, f *fact) string {
	switch {
	case f.phase == resources.Fresh && f.twin == "":
		return ""
	case f.anchor == nil:
		return cmp.Or(whyNot(f.phase, j.near[n]), j.told.instead(f))
	case anchorHidden(f.anchor):
		return "out: it is " + strings.ToLower(f.phase)
	}
	return ""
}

// whyNot says why a mem in that phase does not enter, "" if it may.
func whyNot(phase string, link closeness) string {
	switch {
	case phase == resources.StalePhase && link == unlinked:
		return "out: it is stale and not linked to an active task; if it still holds: idumb confirm mem NAME"
	case phase == resources.Superseded:
		return "out: another mem took its place"
	case phase == resources.Gone:
		return "out: all that it cites is gone"
	case memory.Hidden(phase):
		return "out: it is " + strings.ToLower(phase)
	}
	return ""
}

// saidByAnchor is why a mem is left out that the controller made of an anchor.
const saidByAnchor = "out: the anchor that it was made of holds, and says the same"

// anchorTexts are the texts of anchors that may enter, by name.
type anchorTexts map[string]string

func anchorsThatHold(list []Anchor) anchorTexts {
	texts := anchorTexts{}
	for i := range list {
		if a := &list[i]; !anchorHidden(a) {
			texts["anchor/"+a.Object.Metadata.Name] = a.Object.Spec.Content
		}
	}
	return texts
}

// instead says why a mem is not told: its anchor is. Once that is stale the mem takes over.
func (t anchorTexts) instead(f *fact) string {
	if f.twin == "" {
		return ""
	}
	if text, holds := t[f.twin]; holds && text == f.mem.Object.Spec.Content {
		return saidByAnchor
	}
	return ""
}

// score is what words and links bring, the links nudged by confidence as the words are.
func (j *judge) score(doc int, c closeness, confidence int, suspect bool) int {
	lead := j.lead(c) * int64(8500+15*min(max(confidence, 0), 100)) / 10000
	if suspect {
		lead /= 2
	}
	return int(j.scores[doc] + lead)
}
