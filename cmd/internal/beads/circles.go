package beads

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// reportCircles reports dependencies and parents that lead back to where they start.
func reportCircles(tasks []*resources.Task, r *Report) {
	depends, parents := map[string][]string{}, map[string][]string{}
	for _, t := range tasks {
		depends[t.Metadata.Name] = t.Spec.DependsOn
		if t.Spec.Parent != "" {
			parents[t.Metadata.Name] = []string{t.Spec.Parent}
		}
	}
	report(depends, "circle of dependencies, kept as a broken chain: ", r)
	report(parents, "circle of parents: ", r)
}

// report names each circle once, at its smallest name.
func report(edges map[string][]string, what string, r *Report) {
	circles := resources.Circles(edges)
	for _, name := range sortedKeys(circles) {
		if circle := circles[name]; circle[0] == name {
			r.problem(0, "", what+written(circle))
		}
	}
}

// written writes a circle out, cut after eight names.
func written(circle []string) string {
	const most = 8
	if len(circle) > most {
		return strings.Join(circle[:most], " -> ") + " -> ..."
	}
	return strings.Join(circle, " -> ") + " -> " + circle[0]
}
