package tree

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// chain returns the node of a task with its parts, its plan and parent, all its dependencies and
// its dependents.
func (g *builder) chain(name string) *node {
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
	for _, first := range resources.ComesFirst(t) { // extends the lines of direct dependencies
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

// parts returns the descendants of a task by the name of their parent.
func (g *builder) parts(t *resources.Task) map[string][]*resources.Task {
	parts := map[string][]*resources.Task{}
	for _, other := range g.tasks[t.Spec.WorkPlan] {
		if other.Spec.Parent != "" && other != t && !g.ownAncestor(other) {
			parts[other.Spec.Parent] = append(parts[other.Spec.Parent], other)
		}
	}
	return parts
}

// addBefore adds the dependencies of a task recursively. It adds each
// once, because dependencies may form a cycle or meet.
func (g *builder) addBefore(n *node, name string, seen map[string]bool, depth int) {
	t, readable := g.snap.Task(name)
	if seen[name] || !readable || depth >= maxIndent {
		return
	}
	seen[name] = true
	for _, first := range resources.ComesFirst(t) {
		before := &node{text: "needs " + first, phase: g.phase(resources.Key{Kind: resources.Tasks, Name: first})}
		n.add(before)
		g.addBefore(before, first, seen, depth+1)
	}
}
