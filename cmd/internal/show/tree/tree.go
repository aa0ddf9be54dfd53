// Package tree draws plans with their stages and tasks, and below each task what
// it waits for and what was recorded for it.
//
// Tasks of a plan stand in an order in which they can be done. What a task waits
// for is a line below it and not its place in the tree, so that a chain of any
// length and a circle can be drawn.
package tree

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/questions"
	"github.com/idumb-dev/idumb/resources"
)

// Options say what is drawn, and how.
type Options struct {
	Plans       []string // only these; none: all, unless tasks are given
	Tasks       []string // these with their parts and all that each waits for
	Checkpoints int      // how many of a task's newest checkpoints are shown
	Delegations bool     // draw hand-overs in place of plans
	Look
}

// Look is how lines and phases are drawn.
type Look struct {
	ASCII  bool // lines of |, - and `
	Colour bool // phases are coloured
}

// Draw writes the tree. It reports false if there is nothing to draw.
func Draw(w io.Writer, s *questions.Source, o Options) (bool, error) {
	g := &grower{snap: s, options: o}
	g.sortTasks()
	var nodes []*node
	for _, plan := range g.plans() {
		nodes = append(nodes, g.plan(plan))
	}
	for _, task := range o.Tasks {
		nodes = append(nodes, g.chain(task))
	}
	return draw(w, nodes, o.Look)
}

// grower makes nodes of objects.
type grower struct {
	snap    *questions.Source
	options Options
	tasks   map[string][]*resources.Task // of each plan, in an order in which they can be done
	broken  []resources.Key              // tasks that were never readable
}

// sortTasks shares the tasks out among their plans.
func (g *grower) sortTasks() {
	g.tasks = map[string][]*resources.Task{}
	for _, key := range g.snap.List(resources.Tasks) {
		if t, readable := g.snap.Task(key.Name); readable {
			g.tasks[t.Spec.WorkPlan] = append(g.tasks[t.Spec.WorkPlan], t)
		} else {
			g.broken = append(g.broken, key)
		}
	}
	for plan, tasks := range g.tasks {
		g.tasks[plan] = doable(tasks)
	}
}

// plans returns what is drawn: plans that are there, then the names of plans that
// tasks belong to and that are not there; "" stands for unreadable tasks.
func (g *grower) plans() []string {
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
		t, readable := g.snap.Task(key.Name)
		if readable && !there[t.Spec.WorkPlan] {
			there[t.Spec.WorkPlan] = true
			names = append(names, t.Spec.WorkPlan)
		}
	}
	if len(g.broken) > 0 {
		names = append(names, "")
	}
	return names
}

func (g *grower) plan(name string) *node {
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

// addDocuments hangs the documents of a plan or a task below it.
func (g *grower) addDocuments(n *node, key resources.Key) {
	for _, a := range g.snap.ArtifactsNaming(key) {
		if slices.Contains(resources.CoveredKeys(a), key) {
			n.add(&node{text: "document artifact/" + a.Metadata.Name, phase: g.phase(a.Key()), note: a.Spec.Path})
		}
	}
}

func (g *grower) planNote(key resources.Key) string {
	p, ok := g.snap.Plan(key.Name)
	status, derived := g.snap.Derived(key).(*resources.WorkPlanStatus)
	if !ok || !derived {
		return ""
	}
	return fmt.Sprintf("%d/%d done  %s", status.Progress.ByPhase[resources.TaskCompleted], status.Progress.Total, p.Spec.Title)
}

// unreadable holds the tasks whose files were never readable: nobody knows which
// plan they belong to.
func (g *grower) unreadable() *node {
	n := &node{text: "(no plan known)"}
	for _, key := range g.broken {
		problem, _ := g.snap.Problem(key)
		n.add(&node{text: key.Name, phase: resources.PhaseInvalid, note: reason(problem)})
	}
	return n
}

func (g *grower) phase(key resources.Key) string { return questions.PhaseOf(g.snap, key) }

// circle marks a node that stands in a circle.
func (g *grower) circle(n *node, key resources.Key) {
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

// statusOf is the status of an object, the zero one if there is none.
func statusOf[S any](snap *questions.Source, key resources.Key) *S {
	if s, ok := snap.Derived(key).(*S); ok {
		return s
	}
	return new(S)
}

// reason says what is wrong with a file, and with which field of it.
func reason(p resources.Problem) string {
	if p.Field == "" {
		return p.Reason
	}
	return p.Field + ": " + p.Reason
}
