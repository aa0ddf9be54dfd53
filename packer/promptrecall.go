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
	promptHead = 3000
	promptTail = 1000
)

// maxPromptMems is the maximal number of mems that a prompt recalls.
const maxPromptMems = 5

// PromptSnippets returns the mems that a prompt recalls, without those that are known: mems with a cue
// in the prompt first, then mems that share enough words with it.
func PromptSnippets(source Source, stock *Stock, prompt string, known func(Snippet) bool) []Snippet {
	if len(prompt) > promptHead+promptTail {
		prompt = prompt[:promptHead] + "\n" + prompt[len(prompt)-promptTail:]
	}
	found := queryMatches(source, stock, []string{prompt}, func(*fact) bool { return true }, func(*fact) bool { return false })
	return newSnippets(found, maxPromptMems, known)
}

// queryMatch is a mem that matches a query.
type queryMatch struct {
	*fact
	certain int // 1: a cue of the mem occurs in the query, or the caller is sure; 0: by its words
}

// queryMatches returns the mems with a cue in one of the texts or for which surely returns true, best
// first, then those for which fits returns true and that share enough words with a text.
func queryMatches(source Source, stock *Stock, texts []string, fits, surely func(*fact) bool) []queryMatch {
	if stock == nil {
		stock = &Stock{}
	}
	stock.work.Lock()
	defer stock.work.Unlock()
	stock.refresh(source)
	q := search.Query{Alone: true}
	for _, text := range texts {
		q.Parts = append(q.Parts, search.Part{Text: text})
	}
	q.Hides = func(n int) bool {
		f := stock.facts[n]
		return f == nil || f.mem == nil || memory.IsHidden(f.phase)
	}
	result := stock.index.Search(q)
	var found []queryMatch
	for _, hit := range result.Pick(maxExamined, func(n int) bool { return canShow(stock.facts[n]) }) {
		r := queryMatch{fact: stock.facts[hit.Document]}
		if result.Cued(hit) || surely(r.fact) {
			r.certain = 1
		} else if !fits(r.fact) || !result.Bears(hit, 100) {
			continue
		}
		if !slices.ContainsFunc(found, func(other queryMatch) bool { return isDuplicate(other.wordSet(), r.wordSet()) }) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b queryMatch) int { return cmp.Compare(b.certain, a.certain) })
	return found
}

// newSnippets returns the snippets of the first matches that the reader does not have, at most
// most.
func newSnippets(found []queryMatch, most int, known func(Snippet) bool) []Snippet {
	var all []Snippet
	for _, r := range found {
		if t := r.snippet(maxSnippet); len(all) < most && !known(t) {
			all = append(all, t)
		}
	}
	return all
}
