package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// A Question is a query of the memory.
type Question struct {
	Text    string
	Paths   []string // files of interest, in addition to those that Text names
	Type    string   // only mems of this type; "" means any
	Shelf   string   // only mems of this shelf; "" means any
	Tags    []string // only mems with all of these tags, case ignored
	History bool     // includes mems that are no longer valid
	Most    int      // maximal number of answers, best first; 0 means all
}

// A Recalled is a mem that answers a question.
type Recalled struct {
	Mem
	Hit search.Hit
}

// Recall returns the mems that answer a question, best first. It uses the scores of packs, but
// ignores tasks and plans. stock caches work between calls; it may be nil.
func Recall(source Source, stock *Stock, q Question) []Recalled {
	if stock == nil {
		stock = &Stock{}
	}
	stock.work.Lock()
	defer stock.work.Unlock()
	stock.refresh(source)
	asked := search.Query{Parts: []search.Part{{Text: q.Text}}, Paths: q.Paths}
	asked.Hides = func(n int) bool {
		m := stock.facts[n].mem
		return m == nil || !q.History && memory.IsHidden(m.Status.Phase)
	}
	most := q.Most
	if most == 0 {
		most = -1
	}
	var found []Recalled
	for _, hit := range stock.index.Search(asked).Pick(most, func(n int) bool { return q.fits(stock.facts[n].mem.Object) }) {
		found = append(found, Recalled{*stock.facts[hit.Document].mem, hit})
	}
	return found
}

// fits reports whether a mem has the type, the shelf and all tags of the question.
func (q *Question) fits(m *resources.Mem) bool {
	return (q.Type == "" || resources.MemType(m) == q.Type) && (q.Shelf == "" || m.Spec.Shelf == q.Shelf) &&
		!slices.ContainsFunc(q.Tags, func(tag string) bool {
			return !slices.ContainsFunc(m.Spec.Tags, func(has string) bool { return strings.EqualFold(has, tag) })
		})
}

// Why returns the reasons for an answer, and the doubts about it.
func (r *Recalled) Why() string {
	why := r.Hit.Why()
	if text := memory.Warning(r.Object, &r.Status); text != "" {
		why += "; " + text
	}
	return why
}
