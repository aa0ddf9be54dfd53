package resources

// chainGraph is a MemGraph that has worked out once where chains lead. Following them anew
// for each mem of a chain takes as many steps for each as the chain is long.
type chainGraph interface {
	MemGraph
	// circled reports whether following spec.supersedes from that mem leads back to it.
	circled(name string) bool
	// head is MemHead of a mem of the graph.
	head(m *Mem) *Mem
}

// asChains is g as a chainGraph, if it is one that m stands in; nil if not.
func asChains(g MemGraph, m *Mem) chainGraph {
	if c, ok := g.(chainGraph); ok && g.Mem(m.Metadata.Name) == m {
		return c
	}
	return nil
}

func (s *Snapshot) circled(name string) bool { return s.indexes.memCircles()[name] }

// indexMemCircles finds the mems that stand in circles. Each replaces one other at most, so
// that a walk ends where another one has been.
func (s *Snapshot) indexMemCircles() map[string]bool {
	circles, next := map[string]bool{}, map[string]string{}
	for old, all := range s.indexes.superseders() {
		for _, m := range all {
			next[m.Metadata.Name] = old
		}
	}
	walks, walk := make(map[string]int, len(next)), 0 // in which one each was met
	for start := range next {
		walk++
		name := start
		for next[name] != "" && walks[name] == 0 {
			walks[name] = walk
			name = next[name]
		}
		for walks[name] == walk && !circles[name] { // this walk has met its own beginning or middle
			circles[name] = true
			name = next[name]
		}
	}
	return circles
}

// head follows a chain once for all that stand in it.
func (s *Snapshot) head(m *Mem) *Mem {
	var passed []string
	for {
		s.memo.mu.Lock()
		known := s.memo.heads[m.Metadata.Name]
		s.memo.mu.Unlock()
		if known != nil {
			m = known
			break
		}
		by := Replacements(m, s)
		if len(by) == 0 {
			break
		}
		passed = append(passed, m.Metadata.Name)
		m = newest(by)
	}
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	if s.memo.heads == nil {
		s.memo.heads = map[string]*Mem{}
	}
	for _, name := range passed {
		s.memo.heads[name] = m
	}
	return m
}
