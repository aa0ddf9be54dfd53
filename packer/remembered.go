package packer

import (
	"cmp"
	"slices"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Of a prompt only so much is asked of the memory, in bytes: its beginning, and its end, where people
// put the question.
const (
	askedHead = 3000
	askedTail = 1000
)

// mostRemembered is how many mems a prompt recalls at most.
const mostRemembered = 5

// Remembered tells what a prompt recalls: mems that have enough to do with it by their words, whatever else
// there is, without those that are known already; first those with a cue that it says.
func Remembered(source Source, stock *Stock, prompt string, known func(Told) bool) []Told {
	if len(prompt) > askedHead+askedTail {
		prompt = prompt[:askedHead] + "\n" + prompt[len(prompt)-askedTail:]
	}
	found := recalls(source, stock, []string{prompt}, func(*fact) bool { return true }, func(*fact) bool { return false })
	return toldOf(found, mostRemembered, known)
}

// recall is a mem that bears on a question.
type recall struct {
	*fact
	sure int // 1: the question says one of its cues, or it is about it for another reason
}

// recalls are the mems that have a cue which one of some texts says, or are surely about them, the best first, and
// then those that fit and have enough to do with one of them.
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

// toldOf are the lines of the first of some mems that are not known.
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
