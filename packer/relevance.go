package packer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Weights of the query's terms: what the active task says counts twice as much
// as what its plan says.
const (
	ownWords  = 2
	planWords = 1
)

// query is the text of what the pack is about: the active tasks, the plan, the intent.
func (d *desk) query() *query {
	q := newQuery()
	for _, t := range d.active {
		spec := &t.Object.Spec
		q.add(spec.Title, ownWords)
		q.add(spec.ExpectedOutput, ownWords)
		for _, path := range slices.Concat(spec.Paths, spec.FileLocks) {
			q.add(path, ownWords)
		}
		for _, item := range spec.Evidence {
			q.add(item.File+" "+item.Command, ownWords)
		}
	}
	q.add(d.in.Intent, ownWords)
	if d.in.Plan != nil {
		q.add(d.in.Plan.Object.Spec.Title, planWords)
		for _, criterion := range d.in.Plan.Object.Spec.Acceptance {
			q.add(criterion, planWords)
		}
	}
	return q
}

// judge scores mems and anchors against what the pack is about.
type judge struct {
	corpus *corpus
	links  map[resources.Key]closeness
	text   []int64 // scores, in the order in which documents were added
	best   int64   // of text
}

// lead returns what links add to a score: an active task's as much as the best
// text there is, so that it leads; its surroundings' half of that.
func (j *judge) lead(c closeness) int64 {
	return max(j.best, 2*scoreUnit) * int64(c) / int64(linkedTask)
}

// finish computes the scores of all documents.
func (j *judge) finish() {
	j.text = j.corpus.scores()
	for _, s := range j.text {
		j.best = max(j.best, s)
	}
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
	doc   int // in the corpus; -1: not eligible
	score int
	why   string // it is not eligible
}

// weigh decides which mems are eligible, and links them. Links travel one step
// from mem to mem: to the successor of a linked mem in full, to its refinements and relations half.
func (d *desk) weigh(j *judge) []relevance {
	sorted := byCreation(d.in.Mems)
	list := make([]relevance, len(sorted))
	own := make(map[string]closeness)
	for i, m := range sorted {
		list[i] = relevance{mem: m, doc: -1, link: j.linkOf(resources.Mems, m.Object.Spec.OriginTask, m.Object.Spec.RelatedTo)}
		if list[i].link > unlinked {
			own[m.Object.Metadata.Name] = list[i].link
		}
	}
	for i := range list {
		r := &list[i]
		r.link = max(r.link, inherited(own, &r.mem.Object.Spec))
		if r.why = whyNot(r.mem.Status.Phase, r.link); r.why == "" {
			r.doc = j.corpus.begin()
			j.corpus.add(r.mem.Object.Spec.Title)
			j.corpus.add(r.mem.Object.Spec.Content)
			for _, tag := range r.mem.Object.Spec.Tags {
				j.corpus.add(tag)
			}
		}
	}
	return list
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
		return "out: it is stale and not linked to an active task; confirm it with: idumb annotate mem NAME " + resources.AnnotationValidatedAt + "=TIME"
	case phase == resources.Superseded:
		return "out: another mem took its place"
	case phase == resources.Purged, phase == resources.PhaseInvalid:
		return "out: it is " + strings.ToLower(phase)
	}
	return ""
}

// score is text plus links, nudged by confidence: 85 percent of it stands, 15
// go with what is left of the mem's confidence.
func (j *judge) score(doc int, c closeness, confidence int) int {
	confidence = min(max(confidence, 0), 100)
	return int((j.text[doc] + j.lead(c)) * int64(8500+15*confidence) / 10000)
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
