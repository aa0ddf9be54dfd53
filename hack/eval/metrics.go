package main

import (
	"math"

	"github.com/idumb-dev/idumb/resources/tokens"
)

// measures are means over questions.
type measures struct {
	questions     int
	recall        [2]float64 // at the depths
	ndcg          float64    // at depth 10
	withinBudgets [5]float64 // share of the relevant mems within the budgets
}

var (
	depths  = [2]int{5, 10}
	budgets = [5]int{250, 500, 1000, 2000, 4000} // in tokens
)

// add adds the ranking for a question.
func (m *measures) add(ranked []int, relevant map[int]bool, tokens func(int) int) {
	m.questions++
	for i, depth := range depths {
		m.recall[i] += recallAt(ranked, relevant, depth)
	}
	m.ndcg += ndcg(ranked, relevant, 10)
	for i, budget := range budgets {
		m.withinBudgets[i] += recallAt(withinBudget(ranked, budget, tokens), relevant, len(ranked))
	}
}

// mean divides by the number of questions.
func (m measures) mean() measures {
	n := float64(max(m.questions, 1))
	for i := range m.recall {
		m.recall[i] /= n
	}
	m.ndcg /= n
	for i := range m.withinBudgets {
		m.withinBudgets[i] /= n
	}
	return m
}

// recallAt returns the share of the relevant documents among the first depth.
func recallAt(ranked []int, relevant map[int]bool, depth int) float64 {
	found := 0
	for _, d := range ranked[:min(depth, len(ranked))] {
		if relevant[d] {
			found++
		}
	}
	return float64(found) / float64(len(relevant))
}

// ndcg returns the discounted gain relative to the best order.
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

// withinBudget returns the best documents that fit a budget, up to the first that does not fit. So a
// greater budget contains all documents of a smaller one.
func withinBudget(ranked []int, budget int, tokens func(int) int) []int {
	for i, d := range ranked {
		if budget -= tokens(d); budget < 0 {
			return ranked[:i]
		}
	}
	return ranked
}

// tokensOf returns the approximate size of each document in a pack: title and text, and 20 tokens
// for the frame, without the headroom of packs.
func (s *store) tokensOf() func(int) int {
	sizes := make([]int, len(s.documents))
	for i, d := range s.documents {
		sizes[i] = tokens.Estimate(d.Title+" "+d.Text+"\n") + 20
	}
	return func(d int) int { return sizes[d] }
}

func share(part, of int) float64 { return float64(part) / float64(max(of, 1)) }

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
