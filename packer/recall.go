package packer

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/packer/search"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Question is what is asked of the memory.
type Question struct {
	Text    string
	Paths   []string // files that it is about, besides those that Text names
	Type    string   // only mems of this type; "": of any
	Shelf   string   // only mems of this shelf; "": of any
	Tags    []string // only mems with all of these tags, in any case
	History bool     // those that do not hold any more as well
	Most    int      // how many answers, the best first; 0: all
}

// Recalled is a mem that answers a question.
type Recalled struct {
	Mem
	Hit search.Hit
}

// Recall finds the mems that answer a question, the best first: by the same scores by which they
// enter a context, but that nothing else than the mems counts. stock is what is at hand of them;
// nil for nothing.
func Recall(source Source, stock *Stock, q Question) []Recalled {
	if stock == nil {
		stock = &Stock{}
	}
	stock.use.Lock()
	defer stock.use.Unlock()
	stock.renew(source)
	asked := search.Query{Parts: []search.Part{{Text: q.Text}}, Paths: q.Paths}
	asked.Hides = func(n int) bool {
		m := stock.facts[n].mem
		return m == nil || !q.History && memory.Hidden(m.Status.Phase)
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

func (q *Question) fits(m *resources.Mem) bool {
	return (q.Type == "" || resources.MemType(m) == q.Type) && (q.Shelf == "" || m.Spec.Shelf == q.Shelf) &&
		!slices.ContainsFunc(q.Tags, func(tag string) bool {
			return !slices.ContainsFunc(m.Spec.Tags, func(has string) bool { return strings.EqualFold(has, tag) })
		})
}

// Why tells what speaks for an answer, and what against it.
func (r *Recalled) Why() string {
	why := r.Hit.Why()
	if text := memory.Standing(r.Object, &r.Status); text != "" {
		why += "; " + text
	}
	return why
}
