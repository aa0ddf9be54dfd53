package tree

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// chain is a task with its parts, what it is a part of, all that comes before it and what waits for it.
func (g *grower) chain(name string) *node {
	key := resources.Key{Kind: resources.Tasks, Name: name}
	t, readable := g.snap.Task(name)
	if !readable {
		problem, _ := g.snap.Problem(key)
		return &node{text: name, phase: g.phase(key), note: reason(problem)}
	}
	root := &node{}
	g.addTask(root, t, g.parts(t), 0)
	n := root.children[0]
	n.text = "task/" + n.text
	above := []*node{{text: "of workplan/" + t.Spec.WorkPlan, phase: g.phase(resources.Key{Kind: resources.WorkPlans, Name: t.Spec.WorkPlan})}}
	if parent := t.Spec.Parent; parent != "" {
		above = append(above, &node{text: "part of " + parent, phase: g.phase(resources.Key{Kind: resources.Tasks, Name: parent})})
	}
	seen := map[string]bool{name: true}
	for _, first := range resources.ComesFirst(t) { // in place of the lines that name them alone
		at := slices.IndexFunc(n.children, func(c *node) bool { return c.text == "needs "+first || c.text == "gate: after "+first })
		if at >= 0 {
			g.addBefore(n.children[at], first, seen, 0)
		}
	}
	n.children = append(above, n.children...)
	for _, waiting := range g.snap.Dependents(key) {
		n.add(&node{text: "needed by " + waiting.Name, phase: g.phase(waiting)})
	}
	return n
}

// parts are the parts of a task and theirs, by what each is a part of.
func (g *grower) parts(t *resources.Task) map[string][]*resources.Task {
	parts := map[string][]*resources.Task{}
	for _, other := range g.tasks[t.Spec.WorkPlan] {
		if other.Spec.Parent != "" && other != t && !g.ownAncestor(other) {
			parts[other.Spec.Parent] = append(parts[other.Spec.Parent], other)
		}
	}
	return parts
}

// addBefore adds what a task waits for, and so on; each once, for a chain may be a circle, or a net.
func (g *grower) addBefore(n *node, name string, seen map[string]bool, depth int) {
	t, readable := g.snap.Task(name)
	if seen[name] || !readable || depth >= deepest {
		return
	}
	seen[name] = true
	for _, first := range resources.ComesFirst(t) {
		before := &node{text: "needs " + first, phase: g.phase(resources.Key{Kind: resources.Tasks, Name: first})}
		n.add(before)
		g.addBefore(before, first, seen, depth+1)
	}
}
