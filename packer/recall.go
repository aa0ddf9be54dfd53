package packer

import (
	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Recalled is a mem that answers a question.
type Recalled struct {
	Mem
	Hit search.Hit
}

// Recall finds the mems that answer a question, the best first, most of them at most or (-1)
// all: by the same scores by which they enter a context, but that nothing else than the mems
// counts. fits says which ones are wanted; with history those that do not hold any more are
// looked at as well.
func (s *Stock) Recall(source Source, q search.Query, fits func(*Mem) bool, history bool, most int) []Recalled {
	s.use.Lock()
	defer s.use.Unlock()
	s.renew(source)
	q.Hides = func(n int) bool {
		m := s.facts[n].mem
		return m == nil || !history && memory.Hidden(m.Status.Phase)
	}
	var found []Recalled
	for _, hit := range s.index.Search(q).Pick(most, func(n int) bool { return fits(s.facts[n].mem) }) {
		found = append(found, Recalled{*s.facts[hit.Document].mem, hit})
	}
	return found
}
