package packer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
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
	mem   *Mem
	at    int // among the mems, which are sorted by name
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
func (d *desk) weigh(now weighed) (*judge, []relevance) {
	d.sortMems()
	j := &judge{links: now.links, held: now.held}
	anchors := len(d.in.Anchors)
	documents := make([]search.Document, 0, anchors+len(d.mems))
	for i := range d.in.Anchors {
		documents = append(documents, anchorDocument(&d.in.Anchors[i]))
	}
	for _, m := range d.mems {
		documents = append(documents, DocumentOf(m))
	}
	list := d.linked(j, documents[anchors:])
	told := heldAnchors(d.in.Anchors)
	for i := range list {
		r := &list[i]
		if r.why = cmp.Or(whyNot(r.mem.Status.Phase, r.link), told.instead(r.mem)); r.why != "" {
			r.doc, documents[anchors+i].Hidden = -1, true
		}
	}
	j.index = d.index(documents)
	j.result = j.index.Search(now.question)
	j.best = j.result.Best()
	j.rank(list)
	return j, list
}

// index is that of the anchors and the mems.
func (d *desk) index(documents []search.Document) *search.Index {
	if d.in.stock != nil {
		return d.in.stock.analyse(documents)
	}
	return search.New(d.in.Index, documents)
}

// linked is the mems, whose documents these are, with how close they are to the active tasks.
func (d *desk) linked(j *judge, documents []search.Document) []relevance {
	list := make([]relevance, len(d.mems))
	own := make(map[string]closeness)
	for i, m := range d.mems {
		spec := &m.Object.Spec
		list[i] = relevance{mem: m, at: i, id: documents[i].ID, made: documents[i].Order, doc: len(d.in.Anchors) + i}
		if list[i].link = j.linkOf(resources.Mems, spec.OriginTask, spec.RelatedTo); list[i].link > unlinked {
			own[m.Object.Metadata.Name] = list[i].link
		}
	}
	for i := range list {
		list[i].link = max(list[i].link, inherited(own, &list[i].mem.Object.Spec))
	}
	return list
}

// rank scores the mems.
func (j *judge) rank(list []relevance) {
	for i := range list {
		if r := &list[i]; r.doc >= 0 {
			r.held = j.held[r.id]
			r.score = j.score(r.doc, r.link, r.mem.Status.Confidence, r.mem.Status.Phase == resources.SuspectPhase)
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
func inherited(own map[string]closeness, names *resources.MemSpec) closeness {
	if len(own) == 0 {
		return unlinked
	}
	c := max(own[names.Supersedes], own[names.Parent]/2)
	for _, reference := range names.RelatedTo {
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
	case memory.Hidden(phase):
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
func (t anchorTexts) instead(m *Mem) string {
	spec := &m.Object.Spec
	if spec.Type == resources.FalsePath {
		return ""
	}
	if text, holds := t[spec.Source]; holds && text == spec.Content {
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
func unasked(list []*relevance) map[*relevance]bool {
	const most = 10
	var surest []*relevance
	before := func(a, b *relevance) bool {
		return cmp.Or(-compareBool(a.mem.Object.Spec.Pinned, b.mem.Object.Spec.Pinned), cmp.Compare(b.mem.Status.Confidence, a.mem.Status.Confidence), a.inTurn(b)) < 0
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
