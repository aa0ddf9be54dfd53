package queries

import (
	"errors"
	"net/url"
	"slices"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
)

// Relation is a named group of objects related to a task, maxNeighbors at
// most.
type Relation struct {
	Name  string   `json:"name"` // Parts, Mems, ...
	Items []string `json:"items"`
	Rest  int      `json:"more,omitempty"`
}

// relationsOf returns the related objects of a task: its parts, the mems
// learned in it, its anchors, its documents, and the sessions that worked on it
// with the files that they wrote.
func relationsOf(s *Source, t *resources.Task) (all []Relation) {
	add := func(name string, items []string) { all = related(all, name, items) }
	sessions, files := workOf(s, t.Metadata.Name)
	if result := t.Spec.Result; result != nil {
		files = append(files, result.FilesModified...)
	}
	add("Documents", documentsOf(s, t.Key()))
	add("Parts", s.namesWhere(s.mayRefer(resources.Tasks, t.Key()), func(o resources.Object) bool { return o.(*resources.Task).Spec.Parent == t.Metadata.Name }))
	add("Mems", s.namesWhere(s.mayRefer(resources.Mems, t.Key()), func(o resources.Object) bool {
		return o.(*resources.Mem).Spec.OriginTask == t.Metadata.Name || slices.Contains(resources.RelatedKeys(o), t.Key())
	}))
	anchors := slices.Clip(s.mayRefer(resources.Anchors, t.Key()))
	var created []string
	if t.Spec.Result != nil {
		created = t.Spec.Result.AnchorsCreated
	}
	for _, name := range created {
		anchors = append(anchors, resources.Key{Kind: resources.Anchors, Name: name})
	}
	add("Anchors", s.namesWhere(anchors, func(o resources.Object) bool {
		return slices.Contains(created, o.Key().Name) || slices.Contains(resources.RelatedKeys(o), t.Key())
	}))
	add("Sessions", append(sessions, s.namesWhere(s.mayRefer(resources.Sessions, t.Key()), func(o resources.Object) bool { return o.(*resources.Session).Spec.ActiveTask == t.Metadata.Name })...))
	add("Files Written", files)
	return all
}

// related appends a relation unless it is empty.
func related(to []Relation, name string, items []string) []Relation {
	slices.Sort(items)
	items = slices.Compact(items)
	if len(items) == 0 {
		return to
	}
	shown := items[:min(len(items), maxNeighbors)]
	return append(to, Relation{name, shown, len(items) - len(shown)})
}

// documentsOf returns the artifacts that cover an object, with their phases.
func documentsOf(s *Source, key resources.Key) (documents []string) {
	for _, a := range s.ArtifactsNaming(key) {
		if slices.Contains(resources.CoveredKeys(a), key) {
			documents = append(documents, objectName(a.Key())+" ("+PhaseOf(s, a.Key())+")")
		}
	}
	return documents
}

// mayRefer returns the keys of a kind's objects that refer to an object. Without
// an index it returns all keys of the kind.
func (s *Source) mayRefer(kind string, to resources.Key) []resources.Key {
	cache, ok := s.statuses.(*cache)
	if !ok {
		return s.List(kind)
	}
	return slices.DeleteFunc(slices.Clone(cache.Lookup(graph.IndexRefers, to.String())), func(key resources.Key) bool { return key.Kind != kind })
}

// namesWhere returns the readable objects with one of the keys that satisfy holds,
// with their phases.
func (s *Source) namesWhere(keys []resources.Key, holds func(resources.Object) bool) (names []string) {
	for _, key := range keys {
		if o, found := s.Get(key); found && holds(o) {
			names = append(names, key.Name+" ("+PhaseOf(s, key)+")")
		}
	}
	return names
}

// workOf returns the sessions in the task's log and the files that the log
// lists as written. A session without a record has no phase.
func workOf(s *Source, task string) (sessions, files []string) {
	log, _ := records.Checkpoints(s.Root, task)
	for _, c := range log {
		files = append(files, c.FilesModified...)
		key := resources.Key{Kind: resources.Sessions, Name: c.Session}
		switch {
		case c.Session == "":
		case s.Exists(key):
			sessions = append(sessions, c.Session+" ("+PhaseOf(s, key)+")")
		default:
			sessions = append(sessions, c.Session)
		}
	}
	return sessions, files
}

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
