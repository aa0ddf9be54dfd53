package memory

import (
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// Chains is a Graph that caches the cycles and heads of its mems. Looking up every mem of a
// long chain then takes linear instead of quadratic time. The graph must not change while
// it is in use. It is safe for concurrent use.
type Chains struct {
	Graph
	mu      sync.Mutex
	circles map[string]bool // by mem: whether it is in a cycle
	heads   map[string]*resources.Mem
}

// keeper is a Graph with a cache of its chains.
type keeper interface{ Chains() *Chains }

// Chained returns the chains of g. It uses the cache of g if there is one.
func Chained(g Graph) *Chains {
	if k, ok := g.(keeper); ok {
		return k.Chains()
	}
	return &Chains{Graph: g, circles: map[string]bool{}, heads: map[string]*resources.Mem{}}
}

// Chains returns c, so that Chains implements keeper.
func (c *Chains) Chains() *Chains { return c }

// chainsOf is Chained for following a chain from m. g may contain a different version of m.
func chainsOf(m *resources.Mem, g Graph) *Chains {
	if _, keeps := g.(keeper); keeps && g.Mem(m.Metadata.Name) != m {
		g = struct{ Graph }{g}
	}
	return Chained(g)
}

// circled reports whether a mem is in a cycle. It follows the chain to a cached mem or to
// the end, and caches the result of each mem on the way.
func (c *Chains) circled(m *resources.Mem) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	name, at, walk := m.Metadata.Name, map[string]int{}, []string(nil)
	for next := m; next != nil; next = c.Mem(next.Spec.Supersedes) {
		past := next.Metadata.Name
		if _, known := c.circles[past]; known {
			break
		}
		if first, again := at[past]; again {
			for _, in := range walk[first:] {
				c.circles[in] = true
			}
			break
		}
		at[past] = len(walk)
		walk = append(walk, past)
	}
	for _, past := range walk {
		if !c.circles[past] {
			c.circles[past] = false // caches the result
		}
	}
	return c.circles[name]
}

// head follows a chain to the last mem, and caches the result of each mem on the way.
func (c *Chains) head(m *resources.Mem) *resources.Mem {
	var passed []string
	for {
		c.mu.Lock()
		known := c.heads[m.Metadata.Name]
		c.mu.Unlock()
		if known != nil {
			m = known
			break
		}
		by := Replacements(m, c)
		if len(by) == 0 {
			break
		}
		passed = append(passed, m.Metadata.Name)
		m = newest(by)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range passed {
		c.heads[name] = m
	}
	return m
}
