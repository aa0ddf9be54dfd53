package resources

import "slices"

// shelf holds the objects of one kind, numbered in the order of their names. A nil
// shelf is empty.
type shelf struct {
	names   []string // sorted, those of unreadable objects among them
	objects []Object // nil: unreadable
	number  map[string]int
}

// shelve sorts objects and problems by kind.
func shelve(in SnapshotInput) map[string]*shelf {
	sizes := map[string]int{}
	for _, o := range in.Objects {
		sizes[o.Key().Kind]++
	}
	shelves := map[string]*shelf{}
	put := func(key Key, o Object) {
		s := shelves[key.Kind]
		if s == nil {
			n := sizes[key.Kind]
			s = &shelf{make([]string, 0, n), make([]Object, 0, n), make(map[string]int, n)}
			shelves[key.Kind] = s
		}
		s.put(key.Name, o)
	}
	for _, o := range in.Objects {
		put(o.Key(), o)
	}
	for key := range in.Problems {
		if _, readable := shelves[key.Kind].get(key.Name); !readable {
			put(key, nil)
		}
	}
	for _, s := range shelves {
		s.sort()
	}
	return shelves
}

func (s *shelf) put(name string, o Object) {
	if i, known := s.number[name]; known {
		s.objects[i] = o
		return
	}
	s.number[name] = len(s.names)
	s.names, s.objects = append(s.names, name), append(s.objects, o)
}

func (s *shelf) sort() {
	if slices.IsSorted(s.names) {
		return
	}
	names, objects := slices.Sorted(slices.Values(s.names)), make([]Object, len(s.names))
	for i, name := range names {
		objects[i] = s.objects[s.number[name]]
	}
	for i, name := range names {
		s.number[name] = i
	}
	s.names, s.objects = names, objects
}

// get returns an object by name, nil for one that is unreadable, and whether there
// is one of that name.
func (s *shelf) get(name string) (o Object, known bool) {
	if s == nil {
		return nil, false
	}
	i, known := s.number[name]
	if !known {
		return nil, false
	}
	return s.objects[i], true
}

func (s *shelf) keys(kind string) []Key {
	if s == nil {
		return nil
	}
	keys := make([]Key, len(s.names))
	for i, name := range s.names {
		keys[i] = Key{kind, name}
	}
	return keys
}

// chain is who waits for whom among the objects of one kind, by their numbers.
type chain struct {
	waiting [][]int             // who waits for an object, sorted
	circles map[string][]string // as Circles has them
}

func newChain(s *shelf) *chain {
	if s == nil {
		return &chain{}
	}
	g := &graph{names: s.names, next: make([][]int, len(s.names))}
	waiting := make([]int, len(s.names)) // how many wait for each
	var room []int                       // of all of g.next
	for i, o := range s.objects {
		begin := len(room)
		for _, first := range firstsOf(o) {
			if n, known := s.number[first]; known {
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
	return &chain{waiting: invert(g.next, waiting), circles: g.circles()}
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
func firstsOf(o Object) []string {
	switch o := o.(type) {
	case *Task:
		return comesFirst(&o.Spec)
	case *WorkPlan:
		return o.Spec.DependsOn
	}
	return nil
}

func (c *chain) dependents(key Key, s *shelf) []Key {
	if s == nil {
		return nil
	}
	n, known := s.number[key.Name]
	if !known {
		return c.dependentsOfMissing(key, s)
	}
	keys := make([]Key, len(c.waiting[n]))
	for i, waiting := range c.waiting[n] {
		keys[i] = Key{key.Kind, s.names[waiting]}
	}
	return keys
}

// dependentsOfMissing looks through all objects: they are indexed by what is there.
func (c *chain) dependentsOfMissing(key Key, s *shelf) []Key {
	var keys []Key
	for i, o := range s.objects {
		if slices.Contains(firstsOf(o), key.Name) {
			keys = append(keys, Key{key.Kind, s.names[i]})
		}
	}
	return keys
}
