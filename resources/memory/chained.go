package memory

import (
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// Chains is a Graph that works out once which of its mems stand in circles, and where their
// chains lead: asking for each mem of a long chain takes a step for each, not for each two. The
// graph must not change as long as it is in use. Any number of goroutines may use it.
type Chains struct {
	Graph
	mu      sync.Mutex
	circles map[string]bool // of each mem that was walked past, whether it stands in one
	heads   map[string]*resources.Mem
}

// keeper is a Graph that keeps its chains.
type keeper interface{ Chains() *Chains }

// Chained returns the chains of g, those that it keeps if it keeps some.
func Chained(g Graph) *Chains {
	if k, ok := g.(keeper); ok {
		return k.Chains()
	}
	return &Chains{Graph: g, circles: map[string]bool{}, heads: map[string]*resources.Mem{}}
}

// Chains makes a Chains a keeper of them.
func (c *Chains) Chains() *Chains { return c }

// chainsOf is Chained for following a chain from m, which may not stand in g as it is.
func chainsOf(m *resources.Mem, g Graph) *Chains {
	if _, keeps := g.(keeper); keeps && g.Mem(m.Metadata.Name) != m {
		g = struct{ Graph }{g}
	}
	return Chained(g)
}

// circled walks down to a mem that is known, or to the end, and knows all that it walked past.
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
			c.circles[past] = false // known from now on
		}
	}
	return c.circles[name]
}

// head follows a chain to the mem that holds, and knows where all lead that it passed.
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
