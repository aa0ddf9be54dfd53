package graph

import (
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Circled is memory.Chains' of the snapshot.
func (s *Snapshot) Circled(name string) bool { return s.indexes.memCircles()[name] }

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

// Head follows a chain once for all that stand in it.
func (s *Snapshot) Head(m *resources.Mem) *resources.Mem {
	var passed []string
	for {
		s.memo.mu.Lock()
		known := s.memo.heads[m.Metadata.Name]
		s.memo.mu.Unlock()
		if known != nil {
			m = known
			break
		}
		by := memory.Replacements(m, s)
		if len(by) == 0 {
			break
		}
		passed = append(passed, m.Metadata.Name)
		m = memory.Newest(by)
	}
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	if s.memo.heads == nil {
		s.memo.heads = map[string]*resources.Mem{}
	}
	for _, name := range passed {
		s.memo.heads[name] = m
	}
	return m
}
