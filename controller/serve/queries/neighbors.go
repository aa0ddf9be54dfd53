package queries

import (
	"errors"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Neighbors holds the objects related to others.
type Neighbors struct {
	Referring []string       `json:"referring,omitempty"` // keys ("tasks/foo") of objects that refer to one of the requested keys (key)
	Counts    map[string]int `json:"counts,omitempty"`    // tasks of the requested plan (plan) in each phase
	Mems      []string       `json:"mems,omitempty"`      // keys ("mems/foo") of mems with the requested words (saying) or topic (topic)
}

// RelationsOf returns the objects related to an object that is about to change. It
// needs an index. A caller without an index reads all files anyway.
func RelationsOf(s *Source, v url.Values) (answer Neighbors, err error) {
	cache, ok := s.statuses.(*cache)
	if !ok {
		return answer, errors.New("no index of references exists; read all objects")
	}
	for _, text := range v["key"] {
		answer.Referring = append(answer.Referring, Names(cache.Lookup(graph.IndexRefers, text))...)
	}
	if plan := v.Get("plan"); plan != "" {
		answer.Counts = cache.PlanCounts(plan)
	}
	if topic := v.Get("topic"); topic != "" {
		answer.Mems = Names(cache.Lookup(graph.IndexTopic, memory.NormalTopic(topic)))
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

// KeysOf parses keys in the format of Names.
func KeysOf(names []string) []resources.Key {
	keys := make([]resources.Key, len(names))
	for i, name := range names {
		keys[i] = keyOf(name)
	}
	return keys
}
