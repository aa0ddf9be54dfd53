package main

import (
	"math"

	"github.com/idumb-dev/idumb/packer"
)

// measures are means over questions.
type measures struct {
	questions int
	recall    [2]float64 // at depths
	ndcg      float64    // at 10
	inside    [5]float64 // share of the relevant within budgets
}

var (
	depths  = [2]int{5, 10}
	budgets = [5]int{250, 500, 1000, 2000, 4000} // tokens
)

// add takes in what was ranked for a question.
func (m *measures) add(ranked []int, relevant map[int]bool, tokens func(int) int) {
	m.questions++
	for i, depth := range depths {
		m.recall[i] += recallAt(ranked, relevant, depth)
	}
	m.ndcg += ndcg(ranked, relevant, 10)
	for i, budget := range budgets {
		m.inside[i] += recallAt(within(ranked, budget, tokens), relevant, len(ranked))
	}
}

// mean divides by the number of questions.
func (m measures) mean() measures {
	n := float64(max(m.questions, 1))
	for i := range m.recall {
		m.recall[i] /= n
	}
	m.ndcg /= n
	for i := range m.inside {
		m.inside[i] /= n
	}
	return m
}

// recallAt is the share of the relevant that is among the first.
func recallAt(ranked []int, relevant map[int]bool, depth int) float64 {
	found := 0
	for _, d := range ranked[:min(depth, len(ranked))] {
		if relevant[d] {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// ndcg is the discounted gain by that of the best order.
func ndcg(ranked []int, relevant map[int]bool, depth int) float64 {
	gain, best := 0.0, 0.0
	for i := range min(depth, len(ranked)) {
		if relevant[ranked[i]] {
			gain += 1 / math.Log2(float64(i+2))
		}
	}
	for i := range min(depth, len(relevant)) {
		best += 1 / math.Log2(float64(i+2))
	}
	return gain / best
}

// within takes whole documents, best first, up to the first that does not fit: so a greater
// budget has all that a smaller one has.
func within(ranked []int, budget int, tokens func(int) int) []int {
	for i, d := range ranked {
		if budget -= tokens(d); budget < 0 {
			return ranked[:i]
		}
	}
	return ranked
}

// tokensOf returns what each document takes in a pack, about: title and text, and 20
// for the frame, without the headroom that packs keep.
func (s *store) tokensOf() func(int) int {
	tokens := make([]int, len(s.documents))
	for i, d := range s.documents {
		tokens[i] = packer.Estimate(d.Title+" "+d.Text+"\n") + 20
	}
	return func(d int) int { return tokens[d] }
}

func share(part, of int) float64 { return float64(part) / float64(max(of, 1)) }

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
