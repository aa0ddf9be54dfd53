package packer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
)

// judge scores mems and anchors against what the pack is about. Documents are the
// anchors, then the mems, both in the order of the input.
type judge struct {
	index  *search.Index
	result *search.Result
	links  map[resources.Key]closeness
	best   int64 // of all documents
	held   map[string]int
}

// leastBest keeps links telling where no words meet: two bits of a score.
const leastBest = 2 << 16

// lead returns what links add to a score: an active task's as much as the best
// document there is, so that it leads; its surroundings' half of that.
func (j *judge) lead(c closeness) int64 {
	return max(j.best, leastBest) * int64(c) / int64(linkedTask)
}

// linkOf returns how close an object with these references is.
func (j *judge) linkOf(ownKind, origin string, relatedTo []string) closeness {
	c := unlinked
	if origin != "" {
		c = j.links[resources.Key{Kind: resources.Tasks, Name: origin}]
	}
	for _, reference := range relatedTo {
		c = max(c, j.links[referenced(ownKind, reference)])
	}
	return c
}

// referenced reads an entry of relatedTo: kind/name, or the name of an object of
// the same kind.
func referenced(ownKind, reference string) resources.Key {
	word, name, found := strings.Cut(reference, "/")
	if !found {
		return resources.Key{Kind: ownKind, Name: reference}
	}
	kind, ok := resources.LookupKind(word)
	if !ok {
		return resources.Key{}
	}
	return resources.Key{Kind: kind.Plural, Name: name}
}

// relevance is one mem's place.
type relevance struct {
	*card
	at    int // in the catalogue, which is sorted by name
	id    string
	made  int64 // when, in Unix seconds
	link  closeness
	doc   int // among the documents; -1: not eligible
	score int
	words int    // of score, without what links bring
	held  int    // its place in the last pack; 0: it was not in
	why   string // it is not eligible
}

// weigh decides which mems are eligible, links them, and scores them. Links travel one step from mem to mem: to the successor of a
// linked mem in full, to its refinements and relations half.
func (d *desk) weigh() (*judge, []relevance) {
	j := &judge{links: d.links(), held: d.in.Held}
	anchors := len(d.in.Anchors)
	documents := make([]search.Document, 0, anchors+len(d.memory.Documents))
	for i := range d.in.Anchors {
		documents = append(documents, anchorDocument(&d.in.Anchors[i]))
	}
	documents = append(documents, d.memory.Documents...)
	list := d.linked(j)
	told := heldAnchors(d.in.Anchors)
	for i := range list {
		r := &list[i]
		if r.why = cmp.Or(whyNot(r.phase, r.link), told.instead(r, d.memory)); r.why != "" {
			r.doc, documents[anchors+i].Hidden = -1, true
		}
	}
	index := search.NewBare(d.in.Index, documents, func(i int) search.Document {
		if i < anchors {
			return documents[i]
		}
		return d.memory.Document(i - anchors)
	})
	j.index, j.result = index, index.Search(d.question())
	j.best = j.result.Best()
	j.rank(list, documents[anchors:])
	return j, list
}

// linked is the mems of the catalogue, with how close they are to the active tasks.
func (d *desk) linked(j *judge) []relevance {
	list := make([]relevance, len(d.memory.cards))
	own := make(map[string]closeness)
	for i := range list {
		document, c := &d.memory.Documents[i], &d.memory.cards[i]
		list[i] = relevance{card: c, at: i, id: document.ID, made: document.Order, doc: len(d.in.Anchors) + i}
		if c.refs == nil && document.Origin == "" {
			continue
		}
		var relatedTo []string
		if c.refs != nil {
			relatedTo = c.refs.relatedTo
		}
		if list[i].link = j.linkOf(resources.Mems, document.Origin, relatedTo); list[i].link > unlinked {
			own[document.ID[len(memIDs):]] = list[i].link
		}
	}
	for i := range list {
		if r := &list[i]; r.refs != nil {
			r.link = max(r.link, inherited(own, r.refs))
		}
	}
	return list
}

// rank scores the mems.
func (j *judge) rank(list []relevance, documents []search.Document) {
	for i := range list {
		if r := &list[i]; r.doc >= 0 {
			r.held = j.held[r.id]
			r.score = j.score(r.doc, r.link, documents[i].Confidence, r.phase == resources.SuspectPhase)
			r.words = int(j.result.Score(r.doc))
		}
	}
}

// byCreation orders mems by when they were made, those of the same second by name.
func (r *relevance) byCreation(other *relevance) int {
	return cmp.Or(cmp.Compare(r.made, other.made), cmp.Compare(r.at, other.at))
}

// inTurn orders mems: those that the last pack had first and in its order, then the best
// first.
func (r *relevance) inTurn(other *relevance) int {
	return cmp.Or(inPlace(r.held, other.held), cmp.Compare(other.score, r.score), r.byCreation(other))
}

// inherited is the closeness that a mem has from the mems it names.
func inherited(own map[string]closeness, names *refs) closeness {
	if len(own) == 0 {
		return unlinked
	}
	c := max(own[names.supersedes], own[names.parent]/2)
	for _, reference := range names.relatedTo {
		if key := referenced(resources.Mems, reference); key.Kind == resources.Mems {
			c = max(c, own[key.Name]/2)
		}
	}
	return c
}

// whyNot says why a mem in that phase does not enter, "" if it may.
func whyNot(phase string, link closeness) string {
	switch {
	case phase == resources.StalePhase && link == unlinked:
		return "out: it is stale and not linked to an active task; if it still holds: idumb mem confirm NAME"
	case phase == resources.Superseded:
		return "out: another mem took its place"
	case phase == resources.Gone:
		return "out: all that it cites is gone"
	case resources.MemHidden(phase):
		return "out: it is " + strings.ToLower(phase)
	}
	return ""
}

// saidByAnchor is why a mem is left out that the controller made of an anchor.
const saidByAnchor = "out: the anchor that it was made of holds, and says the same"

// anchorTexts are the texts of anchors that may enter, by name.
type anchorTexts map[string]string

func heldAnchors(list []Anchor) anchorTexts {
	texts := anchorTexts{}
	for i := range list {
		if a := &list[i]; !anchorHidden(a) {
			texts["anchor/"+a.Object.Metadata.Name] = a.Object.Spec.Content
		}
	}
	return texts
}

// instead says why a mem is not told: its anchor is. Once that is stale the mem takes over.
func (t anchorTexts) instead(r *relevance, memory *Catalogue) string {
	if r.refs == nil || r.falsePath {
		return ""
	}
	if text, holds := t[r.refs.source]; holds && text == memory.Object(r.at).Spec.Content {
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
	return int(j.result.Score(doc) + lead)
}

// unasked ranks mems when there is nothing to compare them with: no task, plan or intent.
// Pinned ones lead, then the surest; ten at most enter.
func unasked(list []*relevance, documents []search.Document) map[*relevance]bool {
	const most = 10
	var surest []*relevance
	before := func(a, b *relevance) bool {
		return cmp.Or(-compareBool(a.pinned, b.pinned), cmp.Compare(documents[b.at].Confidence, documents[a.at].Confidence), a.inTurn(b)) < 0
	}
	for _, r := range list {
		at := len(surest)
		for at > 0 && before(r, surest[at-1]) {
			at--
		}
		if r.doc >= 0 && at < most {
			surest = slices.Insert(surest, at, r)
			surest = surest[:min(most, len(surest))]
		}
	}
	chosen := map[*relevance]bool{}
	for _, r := range surest {
		chosen[r] = true
	}
	return chosen
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
