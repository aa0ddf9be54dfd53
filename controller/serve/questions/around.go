package questions

import (
	"errors"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Around is what stands around objects.
type Around struct {
	Referring []string       `json:"referring,omitempty"` // "tasks/foo": what refers to one of (key)
	Counts    map[string]int `json:"counts,omitempty"`    // of the tasks of (plan) in each phase
	Mems      []string       `json:"mems,omitempty"`      // "mems/foo": those (saying) these words, or of that (topic)
}

// AroundOf answers it for who is about to change an object. It takes an index: who has none reads
// everything, and needs no answer.
func AroundOf(s *Source, v url.Values) (answer Around, err error) {
	cache, ok := s.statuses.(*cache)
	if !ok {
		return answer, errors.New("nobody keeps an index of what refers to what; read everything")
	}
	for _, text := range v["key"] {
		answer.Referring = append(answer.Referring, Names(cache.By(graph.IndexRefers, text))...)
	}
	if plan := v.Get("plan"); plan != "" {
		answer.Counts = cache.PlanCounts(plan)
	}
	if topic := v.Get("topic"); topic != "" {
		answer.Mems = Names(cache.By(graph.IndexTopic, memory.NormalTopic(topic)))
	}
	if v.Has("saying") {
		says := func(key resources.Key) bool {
			m := cache.Mem(key.Name)
			return m == nil || !memory.Says(m.Spec.Content, v.Get("saying"))
		}
		answer.Mems = Names(slices.DeleteFunc(slices.Clone(cache.List(resources.Mems)), says))
	}
	return answer, nil
}

// KeysOf reads keys as Names writes them.
func KeysOf(names []string) []resources.Key {
	keys := make([]resources.Key, len(names))
	for i, name := range names {
		keys[i] = keyOf(name)
	}
	return keys
}
