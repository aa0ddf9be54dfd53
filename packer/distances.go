package packer

import "github.com/idumb-dev/idumb/resources"

// distances are how far tasks are from the active ones: 0 for these, -1 for what they
// wait for, -2 for what that waits for, 1 for what waits for them, and so on.
type distances map[string]int

// distancesOf walks dependencies and gates in both directions, within the pool. A
// task that is reached both ways counts as what comes first.
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

// walk goes breadth first, so that the order of neighbours does not matter.
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

// closeness is how a mem or an anchor is linked to the active tasks.
type closeness int

const (
	unlinked   closeness = iota
	linkedWork           // to a task that they are part of or wait for, or to their plan
	linkedTask           // to an active task itself
)

// links returns for each key around the active tasks how close it is.
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
				break // a circle of parents
			}
			links[key] = linkedWork
		}
	}
	for _, t := range d.active {
		links[resources.Key{Kind: resources.Tasks, Name: t.Object.Metadata.Name}] = linkedTask
	}
	return links
}
