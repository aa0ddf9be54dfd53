// Package tree draws plans with their stages and tasks, and below each task its dependencies and
// checkpoints.
//
// The tasks of a plan are in a working order. A dependency is a line below a task and does not
// affect the task's place in the tree, so that chains of any length and cycles can be drawn.
package tree

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

// Options select the objects to draw, and the form.
type Options struct {
	Plans       []string // only these; empty means all, unless Tasks is set
	Tasks       []string // these with their parts and all dependencies
	Checkpoints int      // maximal number of newest checkpoints of a task
	Delegations bool     // draw delegations instead of plans
	Look
}

// Look is the style of lines and phases.
type Look struct {
	ASCII  bool // draw lines with |, - and `
	Colour bool // print phases with colour
}

// Draw writes the tree. It reports false if there is nothing to draw.
func Draw(w io.Writer, s *queries.Source, o Options) (bool, error) {
	g := &builder{snap: s, options: o}
	g.tasks = map[string][]*resources.Task{}
	for _, key := range g.snap.List(resources.Tasks) {
		if t, readable := g.snap.Task(key.Name); readable {
			g.tasks[t.Spec.WorkPlan] = append(g.tasks[t.Spec.WorkPlan], t)
		} else {
			g.broken = append(g.broken, key)
		}
	}
	for plan, tasks := range g.tasks {
		g.tasks[plan] = topological(tasks)
	}
	var nodes []*node
	for _, plan := range g.plans() {
		nodes = append(nodes, g.plan(plan))
	}
	for _, task := range o.Tasks {
		nodes = append(nodes, g.chain(task))
	}
	return draw(w, nodes, o.Look)
}

// builder converts objects to nodes.
type builder struct {
	snap    *queries.Source
	options Options
	tasks   map[string][]*resources.Task // tasks of each plan, in a working order
	broken  []resources.Key              // tasks that were never readable
}

// plans returns the names of the plans to draw: existing plans, then missing plans that have tasks.
// An empty name represents unreadable tasks.
func (g *builder) plans() []string {
	if len(g.options.Plans)+len(g.options.Tasks) > 0 {
		return g.options.Plans
	}
	var names []string
	there := map[string]bool{}
	for _, key := range g.snap.List(resources.WorkPlans) {
		names = append(names, key.Name)
		there[key.Name] = true
	}
	for _, key := range g.snap.List(resources.Tasks) {
		if t, readable := g.snap.Task(key.Name); readable && !there[t.Spec.WorkPlan] {
			there[t.Spec.WorkPlan] = true
			names = append(names, t.Spec.WorkPlan)
		}
	}
	if len(g.broken) > 0 {
		names = append(names, "")
	}
	return names
}

// plan returns the node of a plan with its dependencies, documents and tasks. The empty name
// stands for unreadable tasks.
func (g *builder) plan(name string) *node {
	if name == "" {
		return g.unreadable()
	}
	key := resources.Key{Kind: resources.WorkPlans, Name: name}
	n := &node{text: "workplan/" + name, phase: g.phase(key), note: g.planNote(key)}
	if p, ok := g.snap.Plan(name); ok {
		for _, first := range p.Spec.DependsOn {
			n.add(&node{text: "needs workplan/" + first, phase: g.phase(resources.Key{Kind: resources.WorkPlans, Name: first})})
		}
	}
	g.circle(n, key)
	g.addDocuments(n, key)
	g.addTasks(n, name)
	return n
}

// addDocuments adds the documents of a plan or a task.
func (g *builder) addDocuments(n *node, key resources.Key) {
	for _, a := range g.snap.ArtifactsNaming(key) {
		if slices.Contains(resources.CoveredKeys(a), key) {
			n.add(&node{text: "document artifact/" + a.Metadata.Name, phase: g.phase(a.Key()), note: a.Spec.Path})
		}
	}
}

// planNote returns the progress and the title of a plan. It returns "" if it cannot be read.
func (g *builder) planNote(key resources.Key) string {
	p, ok := g.snap.Plan(key.Name)
	status, derived := g.snap.Derived(key).(*resources.WorkPlanStatus)
	if !ok || !derived {
		return ""
	}
	return fmt.Sprintf("%d/%d done  %s", status.Progress.ByPhase[resources.TaskCompleted], status.Progress.Total, p.Spec.Title)
}

// unreadable returns the node of the tasks that were never readable, so that their plan is unknown.
func (g *builder) unreadable() *node {
	n := &node{text: "(no plan known)"}
	for _, key := range g.broken {
		problem, _ := g.snap.Problem(key)
		n.add(&node{text: key.Name, phase: resources.PhaseInvalid, note: reason(problem)})
	}
	return n
}

// phase returns the phase of an object.
func (g *builder) phase(key resources.Key) string { return queries.PhaseOf(g.snap, key) }

// circle adds a line to a node that is in a cycle.
func (g *builder) circle(n *node, key resources.Key) {
	circle := g.snap.Circle(key)
	if len(circle) == 0 {
		return
	}
	names := make([]string, len(circle))
	for i, member := range circle {
		if names[i] = member.Name; member.Kind != circle[0].Kind {
			kind, _ := resources.KindOf(member.Kind)
			names[i] = kind.Singular + "/" + member.Name
		}
	}
	const most = 8
	text := strings.Join(names[:min(len(names), most)], " -> ")
	if len(names) > most {
		text += fmt.Sprintf(" -> ... (%d in all)", len(names))
	}
	n.add(&node{text: "in a circle: " + text + " -> " + names[0]})
}

// statusOf returns the status of an object, or the zero status if it has none.
func statusOf[S any](snap *queries.Source, key resources.Key) *S {
	if s, ok := snap.Derived(key).(*S); ok {
		return s
	}
	return new(S)
}

// reason describes the problem of a file, with the field if it is about a field.
func reason(p resources.Problem) string {
	if p.Field == "" {
		return p.Reason
	}
	return p.Field + ": " + p.Reason
}
