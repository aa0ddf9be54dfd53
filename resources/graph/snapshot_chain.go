package graph

import "github.com/idumb-dev/idumb/resources/memory"

// Chains are the chains of mems, worked out once for all that ask.
func (s *Snapshot) Chains() *memory.Chains { return s.indexes.memChains() }

func (s *Snapshot) indexMemChains() *memory.Chains {
	return memory.Chained(struct{ memory.Graph }{s}) // of a graph that keeps none yet
}
