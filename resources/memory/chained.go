package memory

import "github.com/idumb-dev/idumb/resources"

// Chained is a Graph that works out once which of the mems of g stand in circles, and
// where their chains lead: asking for each mem of a long chain takes a step for each, not for
// each two. g must not change as long as it is in use. It is for one goroutine.
func Chained(g Graph) Graph {
	if _, already := g.(Chains); already {
		return g
	}
	return &chained{Graph: g, circles: map[string]bool{}, heads: map[string]*resources.Mem{}}
}

type chained struct {
	Graph
	circles map[string]bool // of each mem that was walked past, whether it stands in one
	heads   map[string]*resources.Mem
}

// Circled walks down to a mem that is known, or to the end, and knows all that it walked past.
func (c *chained) Circled(name string) bool {
	if is, known := c.circles[name]; known {
		return is
	}
	var walk []string
	at := map[string]int{}
	for next := name; next != ""; {
		if first, again := at[next]; again {
			for _, in := range walk[first:] {
				c.circles[in] = true
			}
			break
		}
		if _, known := c.circles[next]; known {
			break
		}
		m := c.Mem(next)
		if m == nil {
			break
		}
		at[next] = len(walk)
		walk = append(walk, next)
		next = m.Spec.Supersedes
	}
	for _, past := range walk {
		if !c.circles[past] {
			c.circles[past] = false
		}
	}
	return c.circles[name]
}

func (c *chained) Head(m *resources.Mem) *resources.Mem {
	var passed []string
	for c.heads[m.Metadata.Name] == nil {
		by := Replacements(m, c)
		if len(by) == 0 {
			break
		}
		passed = append(passed, m.Metadata.Name)
		m = Newest(by)
	}
	if known := c.heads[m.Metadata.Name]; known != nil {
		m = known
	}
	for _, name := range passed {
		c.heads[name] = m
	}
	return m
}
