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
	link  closeness
	doc   int // among the documents; -1: not eligible
	score int
	words int    // of score, without what links bring
	held  int    // its place in the last pack; 0: it was not in
	why   string // it is not eligible
}

// weigh decides which mems are eligible, links them, and scores them in the order in
// which they were made. Links travel one step from mem to mem: to the successor of a
// linked mem in full, to its refinements and relations half.
func (d *desk) weigh() (*judge, []relevance) {
	j := &judge{links: d.links(), held: d.in.Held}
	documents := make([]search.Document, 0, len(d.in.Anchors)+len(d.in.Mems))
	for i := range d.in.Anchors {
		documents = append(documents, anchorDocument(&d.in.Anchors[i]))
	}
	told := heldAnchors(d.in.Anchors)
	list := make([]relevance, len(d.in.Mems))
	own := make(map[string]closeness)
	for i := range d.in.Mems {
		m := &d.in.Mems[i]
		list[i] = relevance{mem: m, doc: len(documents) + i, link: j.linkOf(resources.Mems, m.Object.Spec.OriginTask, m.Object.Spec.RelatedTo)}
		if list[i].link > unlinked {
			own[m.Object.Metadata.Name] = list[i].link
		}
	}
	for i := range list {
		r := &list[i]
		r.link = max(r.link, inherited(own, &r.mem.Object.Spec))
		document := DocumentOf(r.mem)
		if r.why = cmp.Or(whyNot(r.mem.Status.Phase, r.link), told.instead(&r.mem.Object.Spec)); r.why != "" {
			r.doc, document.Hidden = -1, true
		}
		documents = append(documents, document)
	}
	j.result = search.New(d.in.Index, documents).Search(d.question())
	j.best = j.result.Best()
	return j, j.rank(list)
}

// rank scores the mems, and returns them in the order in which they were made.
func (j *judge) rank(list []relevance) []relevance {
	ranked := make([]relevance, len(list))
	for at, i := range creationOrder(list) {
		r := &ranked[at]
		*r = list[i]
		if r.doc >= 0 {
			r.held = j.held["mems/"+r.mem.Object.Metadata.Name]
			suspect := r.mem.Status.Phase == resources.SuspectPhase
			r.score = j.score(r.doc, r.link, r.mem.Status.Confidence, suspect)
			r.words = int(j.result.Score(r.doc))
		}
	}
	return ranked
}

// creationOrder is the mems' places in the order in which they were made, those of the same
// second by name.
func creationOrder(list []relevance) []int32 {
	byName := make([]int32, len(list))
	for i := range byName {
		byName[i] = int32(i)
	}
	names := func(a, b int32) int {
		return strings.Compare(list[a].mem.Object.Metadata.Name, list[b].mem.Object.Metadata.Name)
	}
	if !slices.IsSortedFunc(byName, names) { // Gather sorts them
		slices.SortFunc(byName, names)
	}
	type keyed struct {
		created int64
		rank    int32
	}
	keys := make([]keyed, len(list))
	for rank, i := range byName {
		keys[rank] = keyed{list[i].mem.Object.Created().Unix(), int32(rank)}
	}
	slices.SortFunc(keys, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.rank, b.rank)) })
	order := make([]int32, len(list))
	for at, k := range keys {
		order[at] = byName[k.rank]
	}
	return order
}

// inherited is the closeness that a mem has from the mems it names.
func inherited(own map[string]closeness, spec *resources.MemSpec) closeness {
	if len(own) == 0 {
		return unlinked
	}
	c := max(own[spec.Supersedes], own[spec.Parent]/2)
	for _, reference := range spec.RelatedTo {
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
func (t anchorTexts) instead(spec *resources.MemSpec) string {
	if text, holds := t[spec.Source]; holds && text == spec.Content && spec.Type != resources.FalsePath {
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

// unasked ranks mems when there is nothing to compare them with: no task, plan
// or intent. Pinned ones lead, then the surest; ten at most enter.
func unasked(list []relevance) map[*Mem]bool {
	const most = 10
	eligible := slices.DeleteFunc(slices.Clone(list), func(r relevance) bool { return r.doc < 0 || r.mem.Object.Spec.Type == resources.FalsePath })
	slices.SortStableFunc(eligible, func(a, b relevance) int {
		return cmp.Or(-compareBool(a.mem.Object.Spec.Pinned, b.mem.Object.Spec.Pinned), cmp.Compare(b.mem.Status.Confidence, a.mem.Status.Confidence))
	})
	chosen := map[*Mem]bool{}
	for _, r := range eligible[:min(most, len(eligible))] {
		chosen[r.mem] = true
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
