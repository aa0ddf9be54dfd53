package packer

import "github.com/idumb-dev/idumb/resources"

// distances maps tasks to their distance from the active ones: 0 for an active task, -1 for its
// dependency, -2 for the dependency of that, 1 for its dependent, and so on.
type distances map[string]int

// distancesOf walks dependencies and gates within the pool in both directions. A task that is
// reached both ways counts as a dependency.
func distancesOf(active []*Task, pool map[string]*Task) distances {
	r := distances{}
	if len(active) == 0 {
		return r
	}
	var names []string
	for _, t := range active {
		names = append(names, t.Object.Metadata.Name)
		r[t.Object.Metadata.Name] = 0
	}
	r.walk(names, -1, pool, func(name string) []string { return resources.ComesFirst(pool[name].Object) })
	dependents := make(map[string][]string, len(pool))
	for name, t := range pool {
		for _, before := range resources.ComesFirst(t.Object) {
			dependents[before] = append(dependents[before], name)
		}
	}
	r.walk(names, 1, pool, func(name string) []string { return dependents[name] })
	return r
}

// walk records the distances of the tasks of the pool that are reached from
// some tasks. It searches breadth first, so that the order of neighbours does
// not matter, and keeps distances that are known.
func (r distances) walk(from []string, step int, pool map[string]*Task, neighbours func(string) []string) {
	for distance := step; len(from) > 0; distance += step {
		var found []string
		for _, name := range from {
			for _, neighbour := range neighbours(name) {
				if _, known := r[neighbour]; !known && pool[neighbour] != nil {
					r[neighbour] = distance
					found = append(found, neighbour)
				}
			}
		}
		from = found
	}
}

// closeness is the kind of link between a mem or an anchor and the active tasks.
type closeness int

const (
	unlinked   closeness = iota
	linkedWork           // linked to a parent, dependency or plan of an active task
	linkedTask           // linked to an active task
)

// links returns the closeness of each key around the active tasks.
func (d *packing) links() map[resources.Key]closeness {
	links := map[resources.Key]closeness{}
	for name, distance := range d.distances {
		if distance < 0 {
			links[resources.Key{Kind: resources.Tasks, Name: name}] = linkedWork
		}
	}
	for _, t := range d.active {
		links[resources.Key{Kind: resources.WorkPlans, Name: t.Object.Spec.WorkPlan}] = linkedWork
		for parent := t; parent != nil && parent.Object.Spec.Parent != ""; parent = d.pool[parent.Object.Spec.Parent] {
			key := resources.Key{Kind: resources.Tasks, Name: parent.Object.Spec.Parent}
			if links[key] == linkedWork && d.distances[key.Name] >= 0 {
				break // a cycle of parents
			}
			links[key] = linkedWork
		}
	}
	for _, t := range d.active {
		links[resources.Key{Kind: resources.Tasks, Name: t.Object.Metadata.Name}] = linkedTask
	}
	return links
}
