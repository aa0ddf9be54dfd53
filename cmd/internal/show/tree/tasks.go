package tree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/records"
	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// maxIndent is the maximal indentation of parts. Deeper parts are not indented further.
const maxIndent = 8

// addTasks adds a plan's tasks: below its stages if it has stages, and parts below their parent.
func (g *builder) addTasks(plan *node, name string) {
	stages := g.stages(plan, name)
	parts := map[string][]*resources.Task{}
	var tops []*resources.Task
	for _, t := range g.tasks[name] {
		if parent, ok := g.snap.Task(t.Spec.Parent); ok && parent.Spec.WorkPlan == name && !g.ownAncestor(t) {
			parts[t.Spec.Parent] = append(parts[t.Spec.Parent], t)
			continue
		}
		tops = append(tops, t)
	}
	for _, t := range tops {
		to := plan
		if stage := stages[t.Spec.Phase]; stage != nil {
			to = stage
		}
		g.addTask(to, t, parts, 0)
	}
	plan.children = slices.DeleteFunc(plan.children, func(n *node) bool { return strings.HasPrefix(n.text, "stage ") && len(n.children) == 0 })
}

// ownAncestor reports whether a task is its own ancestor, or has too many ancestors to follow.
func (g *builder) ownAncestor(t *resources.Task) bool {
	const farthest = 1000
	at := t
	for range farthest {
		parent, ok := g.snap.Task(at.Spec.Parent)
		if !ok {
			return false
		}
		if parent == t {
			return true
		}
		at = parent
	}
	return true
}

// stages adds a node for each of the plan's stages.
func (g *builder) stages(plan *node, name string) map[string]*node {
	p, ok := g.snap.Plan(name)
	if !ok {
		return nil
	}
	stages := map[string]*node{}
	for _, phase := range resources.SortedPhases(p) {
		stages[phase.Name] = &node{text: "stage " + phase.Name, note: phase.Title}
		plan.add(stages[phase.Name])
	}
	return stages
}

// addTask adds the node of a task: below it what blocks it, its delegations and checkpoints, and
// its parts. Parts deeper than maxIndent are not indented further.
func (g *builder) addTask(to *node, t *resources.Task, parts map[string][]*resources.Task, depth int) {
	n := &node{text: t.Metadata.Name, phase: g.phase(t.Key()), note: taskNote(t, statusOf[resources.TaskStatus](g.snap, t.Key()), g.snap.WorkerNote(t))}
	to.add(n)
	g.addDocuments(n, t.Key())
	for _, name := range t.Spec.DependsOn {
		n.add(&node{text: "needs " + name, phase: g.phase(resources.Key{Kind: resources.Tasks, Name: name})})
	}
	if gate := t.Spec.TemporalGate; gate != nil {
		n.add(&node{text: "gate: after " + gate.After, phase: g.phase(resources.Key{Kind: resources.Tasks, Name: gate.After}), note: gate.Reason})
	}
	for _, name := range t.Spec.Decisions {
		n.add(&node{text: "decision " + name, phase: g.phase(resources.Key{Kind: resources.Decisions, Name: name})})
	}
	if held := status.HoldNote(t.Key(), g.snap); held != "" {
		n.add(&node{text: held})
	}
	g.circle(n, t.Key())
	for _, d := range g.snap.Delegations(t.Metadata.Name) {
		s, ok := g.snap.Derived(d.Key()).(*resources.DelegationStatus)
		if !ok || s.Phase != "assigned" && s.Phase != "accepted" {
			continue
		}
		n.add(&node{text: "delegation " + d.Metadata.Name + ": " + strings.Join(s.Chain, " > "), phase: s.Phase, note: strings.Join(s.Sessions, ", ")})
	}
	g.addCheckpoints(n, t)
	below := n
	if depth >= maxIndent {
		below = to
	}
	for _, part := range parts[t.Metadata.Name] {
		g.addTask(below, part, parts, depth+1)
	}
}

// taskNote returns the note after a task's name: its worker or whether it is ready, assignment,
// place in a document, title.
func taskNote(t *resources.Task, s *resources.TaskStatus, worker string) string {
	var notes []string
	switch {
	case worker != "":
		notes = append(notes, worker)
	case t.Spec.PlanAhead && s.Phase != resources.TaskActive && s.Phase != resources.TaskCompleted:
		notes = append(notes, "planned ahead")
	case s.Ready && s.Phase != resources.PhaseInvalid:
		notes = append(notes, "ready")
	}
	if t.Spec.AssignedTo != "" {
		notes = append(notes, "@"+t.Spec.AssignedTo)
	}
	if at := t.Spec.Source.String(); at != "" {
		notes = append(notes, at)
	}
	if t.Spec.Title != "" {
		notes = append(notes, t.Spec.Title)
	}
	return strings.Join(notes, "  ")
}

// addCheckpoints adds the newest checkpoints.
func (g *builder) addCheckpoints(n *node, t *resources.Task) {
	seen := g.snap.Evidence(t.Metadata.Name)
	if seen == nil || seen.Count == 0 || g.options.Checkpoints <= 0 {
		return
	}
	last := seen.Last[max(0, len(seen.Last)-g.options.Checkpoints):]
	switch older := seen.Count - len(last); {
	case older == 1:
		n.add(&node{text: "1 earlier checkpoint"})
	case older > 1:
		n.add(&node{text: fmt.Sprintf("%d earlier checkpoints", older)})
	}
	for _, c := range last {
		n.add(&node{text: fmt.Sprintf("checkpoint %s ago: %s %s", queries.HumanDuration(g.snap.Now().Sub(c.Time.Time)), c.Tool, records.Summary(c)), note: failedNote(c)})
	}
}

// failedNote returns (failed) for a checkpoint of a failed call, otherwise "".
func failedNote(c resources.Checkpoint) string {
	if c.Succeeded != nil && !*c.Succeeded {
		return "(failed)"
	}
	return ""
}

// topological sorts tasks topologically by their dependencies, then by priority, age and name. Tasks in
// a cycle, and their dependents, come last.
func topological(tasks []*resources.Task) []*resources.Task {
	ranked := slices.SortedFunc(slices.Values(tasks), comesFirst)
	rank := make(map[string]int, len(tasks))
	for i, t := range ranked {
		rank[t.Metadata.Name] = i
	}
	open := make([]int, len(tasks)) // number of open dependencies
	after := make([][]int, len(tasks))
	var next []int // sorted ranks
	for i, t := range ranked {
		for _, name := range resources.ComesFirst(t) {
			if j, here := rank[name]; here {
				open[i]++
				after[j] = append(after[j], i)
			}
		}
		if open[i] == 0 {
			next = append(next, i)
		}
	}
	sorted := make([]*resources.Task, 0, len(tasks))
	for len(next) > 0 {
		first := next[0]
		next = next[1:]
		sorted = append(sorted, ranked[first])
		for _, i := range after[first] {
			if open[i]--; open[i] == 0 {
				at, _ := slices.BinarySearch(next, i)
				next = slices.Insert(next, at, i)
			}
		}
	}
	for _, t := range tasks {
		if open[rank[t.Metadata.Name]] > 0 {
			sorted = append(sorted, t)
		}
	}
	return sorted
}

// comesFirst compares two tasks without open dependencies by priority, age and name.
func comesFirst(a, b *resources.Task) int {
	return cmp.Or(
		cmp.Compare(resources.PriorityRank(a.Spec.Priority), resources.PriorityRank(b.Spec.Priority)),
		a.Created().Compare(b.Created()),
		strings.Compare(a.Metadata.Name, b.Metadata.Name),
	)
}
