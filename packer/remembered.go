package packer

import (
	"cmp"
	"slices"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Only the beginning and the end of a long prompt are searched, in bytes; people often put the
// question at the end.
const (
	askedHead = 3000
	askedTail = 1000
)

// mostRemembered is the maximal number of mems that a prompt recalls.
const mostRemembered = 5

// Remembered returns the mems that a prompt recalls, without those that are known: mems with a cue
// in the prompt first, then mems that share enough words with it.
func Remembered(source Source, stock *Stock, prompt string, known func(Told) bool) []Told {
	if len(prompt) > askedHead+askedTail {
		prompt = prompt[:askedHead] + "\n" + prompt[len(prompt)-askedTail:]
	}
	found := recalls(source, stock, []string{prompt}, func(*fact) bool { return true }, func(*fact) bool { return false })
	return toldOf(found, mostRemembered, known)
}

// recall is a mem that matches a query.
type recall struct {
	*fact
	sure int // 1: a cue of the mem occurs in the query, or the caller is sure; 0: by its words
}

// recalls returns the mems with a cue in one of the texts or for which surely returns true, best
// first, then those for which fits returns true and that share enough words with a text.
func recalls(source Source, stock *Stock, texts []string, fits, surely func(*fact) bool) []recall {
	if stock == nil {
		stock = &Stock{}
	}
	stock.use.Lock()
	defer stock.use.Unlock()
	stock.renew(source)
	q := search.Query{Alone: true}
	for _, text := range texts {
		q.Parts = append(q.Parts, search.Part{Text: text})
	}
	q.Hides = func(n int) bool {
		f := stock.facts[n]
		return f == nil || f.mem == nil || memory.Hidden(f.phase)
	}
	result := stock.index.Search(q)
	var found []recall
	for _, hit := range result.Pick(mostLooked, func(n int) bool { return tellable(stock.facts[n]) }) {
		r := recall{fact: stock.facts[hit.Document]}
		if result.Cued(hit) || surely(r.fact) {
			r.sure = 1
		} else if !fits(r.fact) || !result.Bears(hit, 100) {
			continue
		}
		if !slices.ContainsFunc(found, func(other recall) bool { return saysAll(other.said(), r.said()) }) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b recall) int { return cmp.Compare(b.sure, a.sure) })
	return found
}

// toldOf renders the first mems that are not known.
func toldOf(found []recall, most int, known func(Told) bool) []Told {
	var all []Told
	for _, r := range found {
		t := r.told(mostOfOne)
		if len(all) < most && !known(t) {
			all = append(all, t)
		}
	}
	return all
}
