package packer

import "github.com/idumb-dev/idumb/resources"

// maxWindow keeps a mistyped contextWindow from overflowing.
const maxWindow = 1_000_000_000

// budgetOf returns the ceiling that config and the host's limit allow.
func budgetOf(config *resources.ConfigSpec, limit int) Budget {
	b := Budget{
		Tokens:     min(config.ContextWindow, maxWindow) * config.ContextShare / 100,
		Characters: max(config.ContextMinCharacters, MinLimit),
	}
	if limit > 0 {
		b.Limit = max(limit, MinLimit)
	}
	return b
}

// holds reports whether something of that size is within the budget.
func (b Budget) holds(s size) bool {
	within := wholeTokens(s.milli) <= b.Tokens || s.characters <= b.Characters
	return within && (b.Limit == 0 || s.characters <= b.Limit)
}

// part is a share of the budget, in percent.
func (b Budget) part(percent int) Budget {
	return Budget{Tokens: b.Tokens * percent / 100, Characters: b.Characters * percent / 100, Limit: b.Limit * percent / 100}
}
