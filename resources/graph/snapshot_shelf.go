package graph

import (
	"maps"
	"slices"
	"sync"

	"github.com/idumb-dev/idumb/resources"
)

// shelf holds the objects of one kind, numbered in the order of their names. A nil
// shelf is empty.
type shelf struct {
	names   []string           // sorted, those of unreadable objects among them
	objects []resources.Object // nil: unreadable
	index   func() map[string]int
}

// shelve sorts objects and problems by kind.
func shelve(in SnapshotInput) map[string]*shelf {
	shelves := map[string]*shelf{}
	for start := 0; start < len(in.Objects); {
		kind, end := in.Objects[start].Key().Kind, start+1
		for end < len(in.Objects) && in.Objects[end].Key().Kind == kind {
			end++
		}
		put(shelves, kind, in.Objects[start:end:end])
		start = end
	}
	unreadable := map[string][]string{}
	for key := range in.Problems {
		if _, readable := shelves[key.Kind].get(key.Name); !readable {
			unreadable[key.Kind] = append(unreadable[key.Kind], key.Name)
		}
	}
	for kind, names := range unreadable {
		old := shelves[kind]
		shelves[kind] = newShelf(append(old.allNames(), names...), append(old.allObjects(), make([]resources.Object, len(names))...))
	}
	return shelves
}

// put adds objects of a kind to its shelf; objects has no room behind its end.
func put(shelves map[string]*shelf, kind string, objects []resources.Object) {
	names := make([]string, len(objects))
	for i, o := range objects {
		names[i] = o.Head().Metadata.Name
	}
	if old := shelves[kind]; old != nil {
		names, objects = append(old.allNames(), names...), append(old.allObjects(), objects...)
	}
	shelves[kind] = newShelf(names, objects)
}

// newShelf sorts objects by their names. Of two of one name the later one counts.
func newShelf(names []string, objects []resources.Object) *shelf {
	s := &shelf{names: names, objects: objects}
	if !ascending(names) {
		s.sort()
	}
	s.index = sync.OnceValue(s.number)
	return s
}

// ascending reports whether names are sorted, each of them there once.
func ascending(names []string) bool {
	for i := 1; i < len(names); i++ {
		if names[i-1] >= names[i] {
			return false
		}
	}
	return true
}

func (s *shelf) sort() {
	last := make(map[string]resources.Object, len(s.names))
	for i, name := range s.names {
		last[name] = s.objects[i]
	}
	s.names = slices.Sorted(maps.Keys(last))
	s.objects = make([]resources.Object, len(s.names))
	for i, name := range s.names {
		s.objects[i] = last[name]
	}
}

func (s *shelf) number() map[string]int {
	numbers := make(map[string]int, len(s.names))
	for i, name := range s.names {
		numbers[name] = i
	}
	return numbers
}

// find returns the number of an object.
func (s *shelf) find(name string) (n int, known bool) {
	if s == nil {
		return 0, false
	}
	n, known = s.index()[name]
	return n, known
}

// get returns an object by name, nil for one that is unreadable, and whether there
// is one of that name.
func (s *shelf) get(name string) (o resources.Object, known bool) {
	n, known := s.find(name)
	if !known {
		return nil, false
	}
	return s.objects[n], true
}

func (s *shelf) allNames() []string {
	if s == nil {
		return nil
	}
	return s.names
}

func (s *shelf) allObjects() []resources.Object {
	if s == nil {
		return nil
	}
	return s.objects
}

func (s *shelf) keys(kind string) []resources.Key {
	if s == nil {
		return nil
	}
	keys := make([]resources.Key, len(s.names))
	for i, name := range s.names {
		keys[i] = resources.Key{Kind: kind, Name: name}
	}
	return keys
}

// chain is who waits for whom among the objects of one kind, by their numbers.
type chain struct {
	waiting [][]int                    // who waits for an object, sorted
	circles func() map[string][]string // as Circles has them; computed when they are first asked for
}

func newChain(s *shelf) *chain {
	if s == nil {
		return &chain{circles: func() map[string][]string { return nil }}
	}
	g := &graph{names: s.names, next: make([][]int, len(s.names))}
	waiting := make([]int, len(s.names)) // how many wait for each
	var room []int                       // of all of g.next
	for i, o := range s.objects {
		begin := len(room)
		for _, first := range firstsOf(o) {
			if n, known := s.find(first); known {
				room = append(room, n)
			}
		}
		slices.Sort(room[begin:])
		room = room[:begin+len(slices.Compact(room[begin:]))]
		g.next[i] = room[begin:]
		for _, n := range g.next[i] {
			waiting[n]++
		}
	}
	return &chain{waiting: invert(g.next, waiting), circles: sync.OnceValue(g.circles)}
}

// invert turns edges around; counts says how many lead to each node.
func invert(edges [][]int, counts []int) [][]int {
	inverted := make([][]int, len(edges))
	total := 0
	for _, n := range counts {
		total += n
	}
	room := make([]int, total)
	for i, n := range counts {
		inverted[i], room = room[:0:n], room[n:]
	}
	for from, targets := range edges {
		for _, to := range targets {
			inverted[to] = append(inverted[to], from)
		}
	}
	return inverted
}

// firstsOf returns the names of the objects of the same kind that come first.
func firstsOf(o resources.Object) []string {
	switch o := o.(type) {
	case *resources.Task:
		return resources.ComesFirst(o)
	case *resources.WorkPlan:
		return o.Spec.DependsOn
	}
	return nil
}

func (c *chain) dependents(key resources.Key, s *shelf) []resources.Key {
	if s == nil {
		return nil
	}
	n, known := s.find(key.Name)
	if !known {
		return c.dependentsOfMissing(key, s)
	}
	keys := make([]resources.Key, len(c.waiting[n]))
	for i, waiting := range c.waiting[n] {
		keys[i] = resources.Key{Kind: key.Kind, Name: s.names[waiting]}
	}
	return keys
}

// dependentsOfMissing looks through all objects: they are indexed by what is there.
func (c *chain) dependentsOfMissing(key resources.Key, s *shelf) []resources.Key {
	var keys []resources.Key
	for i, o := range s.objects {
		if slices.Contains(firstsOf(o), key.Name) {
			keys = append(keys, resources.Key{Kind: key.Kind, Name: s.names[i]})
		}
	}
	return keys
}
