package packer

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/tokens"
)

// maxWindow prevents an overflow for a mistyped contextWindow.
const maxWindow = 1_000_000_000

// budgetOf returns the budget of a pack: the limits of the configuration and the limit of the
// host; 0 means the host has no limit.
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

// contains reports whether a size is within the budget.
func (b Budget) contains(s tokens.Size) bool { return b.fits(s, b.Limit > 0) }

// fits is like contains for a share of a budget, whose Limit may be zero. limited reports whether
// the whole budget has a limit.
func (b Budget) fits(s tokens.Size, limited bool) bool {
	within := tokens.Whole(s.Milli) <= b.Tokens || s.Characters <= b.Characters
	return within && (!limited || s.Characters <= b.Limit)
}

// exactly returns a size as a budget that exactly holds it. It has a limit only
// if b has one.
func (b Budget) exactly(s tokens.Size) Budget {
	c := Budget{Tokens: tokens.Whole(s.Milli), Characters: s.Characters}
	if b.Limit > 0 {
		c.Limit = s.Characters
	}
	return c
}

// remainder returns the budget that a size leaves.
func (b Budget) remainder(s tokens.Size) Budget { return b.minus(b.exactly(s)) }

// part returns a share of the budget, in percent.
func (b Budget) part(percent int) Budget {
	return b.combine(b, func(n, _ int) int { return n * percent / 100 })
}

// minus returns b less c in each dimension, at least 0.
func (b Budget) minus(c Budget) Budget {
	return b.combine(c, func(n, m int) int { return max(0, n-m) })
}

// add returns the sum of b and c in each dimension.
func (b Budget) add(c Budget) Budget {
	return b.combine(c, func(n, m int) int { return n + m })
}

// least returns the smaller of b and c in each dimension.
func (b Budget) least(c Budget) Budget {
	return b.combine(c, func(n, m int) int { return min(n, m) })
}

// share returns b, scaled down if sum, the demands of all, exceeds the free
// budget.
func (b Budget) share(free, sum Budget) Budget {
	part := func(n, all, free int) int { return n * min(free, all) / max(1, all) }
	return Budget{part(b.Tokens, sum.Tokens, free.Tokens), part(b.Characters, sum.Characters, free.Characters), part(b.Limit, sum.Limit, free.Limit)}
}

// combine returns the budget of f's results for b and c, in each dimension: tokens, characters,
// limit.
func (b Budget) combine(c Budget, f func(n, m int) int) Budget {
	return Budget{f(b.Tokens, c.Tokens), f(b.Characters, c.Characters), f(b.Limit, c.Limit)}
}
