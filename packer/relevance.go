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

// judge scores mems and anchors, by their numbers in the stock, against a question, for one
// version of the stock. Readers with the same question share it.
type judge struct {
	version  int
	question search.Query
	links    map[resources.Key]closeness
	terse    bool

	result      *search.Result // explains scores; nil if terse
	hasTerms    bool           // the question contains a searchable word
	scores      []int64
	best        int64             // of all documents
	near        map[int]closeness // closeness of the entries that are linked to active tasks
	anchorTexts anchorTexts
	bears       map[int]relevanceLevel // mems that share words with the question
	mems        []int                  // to be scored for each reader; if terse, without mems that cannot enter
}

// relevanceLevel is the relevance of a mem to a question by its words, in three steps.
type relevanceLevel int

const (
	notRelevant    relevanceLevel = iota
	weaklyRelevant                // half of the threshold: keeps its place from the last pack, and fills up to minMems
	relevant                      // above the threshold (search.Result.Bears)
)

// maxExamined is the number of best mems that are checked for relevance.
const maxExamined = 48

// judge returns a judge of another reader with the same question, or a new one.
func (s *Stock) judge(question search.Query, links map[resources.Key]closeness, terse bool) *judge {
	for _, w := range s.selections {
		if j := w.judge; j.version == s.version && j.terse == terse && maps.Equal(j.links, links) && reflect.DeepEqual(j.question, question) {
			return j
		}
	}
	j := &judge{version: s.version, question: question, links: links, terse: terse, near: s.near(links), anchorTexts: validAnchors(s.anchors())}
	question.Hides = func(n int) bool { return j.whyNot(n, s.facts[n]) != "" }
	result := s.index.Search(question)
	j.hasTerms, j.scores, j.best = result.Asked(), result.Scores(), result.Best()
	if !terse {
		j.result = result
	}
	j.bears = map[int]relevanceLevel{}
	tasked := slices.ContainsFunc(question.Parts, func(p search.Part) bool { return p.Weight == ownWords })
	for _, hit := range result.Pick(maxExamined, func(n int) bool { f := s.facts[n]; return f.mem != nil && !f.falsePath }) {
		switch {
		case result.Bears(hit, 100), slices.ContainsFunc(hit.Named, isPlace):
			j.bears[hit.Document] = relevant
		case tasked && (result.Bears(hit, 50) || hit.Shares() > 0):
			j.bears[hit.Document] = weaklyRelevant
		}
	}
	// Mems that share a topic with one that may enter may contradict it, and a reader needs both.
	topics := map[string]bool{}
	for n, f := range s.facts {
		if f != nil && f.topic != "" && j.mayEnter(n, f) {
			topics[f.topic] = true
		}
	}
	for n, f := range s.facts {
		if f != nil && topics[f.topic] && j.bears[n] < relevant && j.near[n] == unlinked && j.whyNot(n, f) == "" {
			j.bears[n] = relevant
		}
	}
	for n, f := range s.facts {
		if f != nil && f.mem != nil && (!terse || f.falsePath || j.mayEnter(n, f)) {
			j.mems = append(j.mems, n)
		}
	}
	return j
}

// isPlace reports whether the question names a file or a symbol of a mem, not only a tag.
func isPlace(named string) bool {
	return strings.HasPrefix(named, "path ") || strings.HasPrefix(named, "symbol ")
}

// mayEnter reports whether a mem is an insight, if there is room.
func (j *judge) mayEnter(n int, f *fact) bool {
	return j.whyNot(n, f) == "" && (f.critical || j.near[n] > unlinked || j.bears[n] > notRelevant || !j.hasTerms && f.mem.Object.Spec.Pinned)
}

// minBestScore is the least value of the best score, so that links count if no words match: two
// bits of a score.
const minBestScore = 2 << 16

// linkScore returns the score that links add: for an active task as much as the best document, for its
// surroundings half of that.
func (j *judge) linkScore(c closeness) int64 {
	return max(j.best, minBestScore) * int64(c) / int64(linkedTask)
}

// memScore is the score and place of a mem.
type memScore struct {
	*fact
	link     closeness
	doc      int // its number; -1 if it cannot enter
	score    int
	bears    relevanceLevel
	previous int      // its place in the last pack; 0 if it was not included
	why      string   // why it cannot enter
	rivals   []string // mems that it contradicts
}

// scoreMems scores the mems for the reader, with their places in the reader's
// last pack.
func (d *packing) scoreMems() []memScore {
	list := make([]memScore, len(d.judge.mems))
	for i, n := range d.judge.mems {
		if list[i] = d.judge.relevance(n, d.stock.facts[n]); list[i].doc >= 0 {
			list[i].previous = d.in.Previous[list[i].id]
		}
	}
	return list
}

// relevance returns the score of a mem. For a mem that cannot enter, the result
// has a reason and doc -1.
func (j *judge) relevance(n int, f *fact) memScore {
	r := memScore{fact: f, link: j.near[n], doc: n, why: j.whyNot(n, f)}
	if r.why != "" {
		r.doc = -1
		return r
	}
	r.score = j.score(n, r.link, f.mem.Status.Confidence, f.phase == resources.SuspectPhase)
	r.bears = j.bears[n]
	return r
}

// near returns the closeness of the mems and anchors that are linked to the
// active tasks. Links extend one step from mem to mem: in full to the successor
// of a linked mem, half to its refinements and relations.
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

// byCreation orders mems by creation time, within a second by name.
func (r *memScore) byCreation(other *memScore) int {
	if r.created != other.created {
		return cmp.Compare(r.created, other.created)
	}
	return strings.Compare(r.id, other.id)
}

// compareTurn orders mems: those of the last pack in its order, then the best first.
func (r *memScore) compareTurn(other *memScore) int {
	if c := cmp.Or(byPrevious(r.previous, other.previous), cmp.Compare(other.score, r.score)); c != 0 {
		return c
	}
	return r.byCreation(other)
}

// inherited returns the closeness that a mem has from the mems that it refers to.
func inherited(own map[string]closeness, m *resources.Mem) closeness {
	c := max(own[m.Spec.Supersedes], own[m.Spec.Parent]/2)
	for _, key := range resources.RelatedKeys(m) {
		if key.Kind == resources.Mems {
			c = max(c, own[key.Name]/2)
		}
	}
	return c
}

// whyNot returns why a mem or an anchor cannot enter, empty if it can.
func (j *judge) whyNot(n int, f *fact) string {
	switch {
	case f.phase == resources.Fresh && f.sourceAnchor == "":
		return ""
	case f.anchor == nil:
		return cmp.Or(whyNot(f.phase, j.near[n]), j.anchorTexts.instead(f))
	case anchorHidden(f.anchor):
		return "out: it is " + strings.ToLower(f.phase)
	}
	return ""
}

// whyNot returns why a mem in a phase cannot enter, empty if it can.
func whyNot(phase string, link closeness) string {
	switch {
	case phase == resources.StalePhase && link == unlinked:
		return "out: it is stale and not linked to an active task; if it is still valid: idumb confirm mem NAME"
	case phase == resources.Superseded:
		return "out: another mem replaced it"
	case phase == resources.GonePhase:
		return "out: all of its sources no longer exist"
	case memory.IsHidden(phase):
		return "out: it is " + strings.ToLower(phase)
	}
	return ""
}

// saidByAnchor is the reason for leaving out a mem that was derived from an included anchor.
const saidByAnchor = "out: the anchor that it was made of is valid and has the same content"

// anchorTexts maps the names of anchors that may enter to their texts.
type anchorTexts map[string]string

// validAnchors returns the texts of the anchors that are not hidden.
func validAnchors(list []Anchor) anchorTexts {
	texts := anchorTexts{}
	for i := range list {
		if a := &list[i]; !anchorHidden(a) {
			texts["anchor/"+a.Object.Metadata.Name] = a.Object.Spec.Content
		}
	}
	return texts
}

// instead returns why a mem is left out in favor of its anchor. If the anchor is stale, the mem
// enters.
func (t anchorTexts) instead(f *fact) string {
	if f.sourceAnchor == "" {
		return ""
	}
	if text, holds := t[f.sourceAnchor]; holds && text == f.mem.Object.Spec.Content {
		return saidByAnchor
	}
	return ""
}

// score adds the scores of words and links. Confidence modifies the links as it
// does the words, and a suspect entry has half of their score.
func (j *judge) score(doc int, c closeness, confidence int, suspect bool) int {
	lead := j.linkScore(c) * int64(8500+15*min(max(confidence, 0), 100)) / 10000
	if suspect {
		lead /= 2
	}
	return int(j.scores[doc] + lead)
}
