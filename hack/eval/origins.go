package main

import (
	"fmt"
	"strings"
)

// Goals for conversations whose mems name no origin.
const (
	goalNoOrigin5, goalNoOrigin10, goalNoOriginNDCG = 0.75, 0.83, 0.70
)

// noOrigins asks the sets of conversations once more without what their mems say of the conversation
// that they are of: with nothing in its place, and with the sitting that the date of a mem shows, as
// mems without a task have it. The figures with origins stand beside them.
func (o *options) noOrigins() error {
	fmt.Fprintf(o.out, "\n| conversations, recall@5 (goal %.2f), @10 (%.2f), nDCG@10 (%.2f) | with origins | sittings by date | neither |\n| --- | --- | --- | --- |\n", goalNoOrigin5, goalNoOrigin10, goalNoOriginNDCG)
	for _, file := range o.ownSets() {
		s, err := readSet(file)
		if err != nil {
			return err
		}
		if !strings.HasPrefix(s.name, "conversations") {
			continue
		}
		fmt.Fprintf(o.out, "| %s |", s.name)
		for _, origin := range []func(p *store, i int) string{
			func(p *store, i int) string { return p.documents[i].Origin },
			func(p *store, i int) string { return p.dates[i] },
			func(*store, int) string { return "" },
		} {
			m := s.askOurs(origin)
			fmt.Fprintf(o.out, " %.3f/%.3f/%.3f |", m.recall[0], m.recall[1], m.ndcg)
		}
		fmt.Fprintln(o.out)
	}
	return nil
}

// askOurs asks our own ranker, with other origins.
func (s *set) askOurs(origin func(p *store, i int) string) measures {
	var sum measures
	for _, p := range s.parts {
		other := &store{documents: append(p.documents[:0:0], p.documents...)}
		for i := range other.documents {
			other.documents[i].Origin = origin(p, i)
		}
		rank, tokens := ours(other), other.tokensOf()
		for _, q := range p.questions {
			sum.add(rank(q.text, nil), q.relevant, tokens)
		}
	}
	return sum.mean()
}
