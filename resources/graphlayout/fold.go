package graphlayout

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// folded contains the group of each task, by number; empty for a task that is drawn
// separately.
type folded []string

// folding is the state of fold.
type folding struct {
	*net
	*Options
	input  folded
	opened []bool // tasks of expanded groups
}

// fold groups tasks until the rest can be drawn. It hides the least relevant tasks
// first: completed tasks without open dependents, tasks far beyond the current work, and
// tasks that are equivalent to others. Finally it hides all tasks that are not near the
// selection, on the critical path or in progress.
func fold(n *net, o *Options, critical []string) folded {
	f := &folding{net: n, Options: o, input: make(folded, len(n.tasks)), opened: make([]bool, len(n.tasks))}
	for _, step := range []func(){f.done, f.later, f.alike} {
		if f.nodes() <= MaxNodes {
			return f.input
		}
		step()
	}
	if f.nodes() > MaxNodes {
		f.rest(critical)
	}
	return f.input
}

// nodes returns the number of nodes to draw.
func (f *folding) nodes() int {
	groups, alone := map[string]bool{}, 0
	for _, name := range f.input {
		if name == "" {
			alone++
		} else {
			groups[name] = true
		}
	}
	return alone + len(groups)
}

// group adds a task to a group, unless the group is expanded.
func (f *folding) group(v int, name string) {
	if slices.Contains(f.Open, name) {
		f.opened[v] = true
	} else {
		f.input[v] = name
	}
}

// done groups finished tasks without open dependents, by stage.
func (f *folding) done() {
	for v := range f.tasks {
		live := func(w int) bool { return !hasEnded(f.tasks[w].Phase) }
		if !live(v) && !slices.ContainsFunc(f.dependents[v], live) {
			f.group(v, "done/"+f.tasks[v].Stage)
		}
	}
}

// beyond is the number of ranks that are shown beyond the tasks that can be worked on.
const beyond = 3

// later groups blocked tasks that are more than beyond ranks after the tasks
// that can be worked on, by stage.
func (f *folding) later() {
	front := -1
	for v := range f.tasks {
		if phase := f.tasks[v].Phase; working(phase) || phase == resources.TaskPlanned {
			front = max(front, f.rank[v])
		}
	}
	for v := range f.tasks {
		if f.tasks[v].Phase == resources.TaskBlocked && f.rank[v] > front+beyond {
			f.group(v, "later/"+f.tasks[v].Stage)
		}
	}
}

// alike groups tasks in the same phase with the same prerequisites and dependents. It sorts
// tasks so that equivalent ones are adjacent.
func (f *folding) alike() {
	var left []int
	for v := range f.tasks {
		if f.input[v] == "" && !working(f.tasks[v].Phase) {
			left = append(left, v)
		}
	}
	compare := func(a, b int) int {
		if by := slices.Compare(f.dependencies[a], f.dependencies[b]); by != 0 {
			return by
		}
		if by := slices.Compare(f.dependents[a], f.dependents[b]); by != 0 {
			return by
		}
		return slices.Compare([]byte(f.tasks[a].Phase), []byte(f.tasks[b].Phase))
	}
	slices.SortStableFunc(left, compare)
	for len(left) > 0 {
		same := 1
		for same < len(left) && compare(left[0], left[same]) == 0 {
			same++
		}
		for _, v := range left[:same] {
			if same > 1 {
				f.group(v, "like/"+f.tasks[left[0]].Name)
			}
		}
		left = left[same:]
	}
}

// maxStages limits the groups of remaining tasks. With more stages there is only one group.
const maxStages = 30

// rest shows the most relevant tasks within the limit, and groups the remaining ones by
// stage.
func (f *folding) rest(critical []string) {
	stages := map[string]bool{}
	for v := range f.tasks {
		stages[f.tasks[v].Stage] = true
	}
	name := func(v int) string {
		if len(stages) > maxStages {
			return "rest/"
		}
		return "rest/" + f.tasks[v].Stage
	}
	for v := range f.tasks {
		f.opened[v] = f.opened[v] || slices.Contains(f.Open, name(v))
	}
	room := MaxNodes - min(len(stages), maxStages)
	shown := make([]bool, len(f.tasks))
	for _, v := range f.byWeight(critical) {
		if room > 0 && !shown[v] {
			shown[v] = true
			room--
		}
	}
	for v := range f.tasks {
		if f.input[v] = ""; !shown[v] {
			f.input[v] = name(v)
		}
	}
}

// byWeight returns the tasks that should remain visible, most relevant first: tasks in
// progress, the selection with tasks up to two steps away, the critical path, and expanded
// groups.
func (f *folding) byWeight(critical []string) (order []int) {
	for v := range f.tasks {
		if working(f.tasks[v].Phase) {
			order = append(order, v)
		}
	}
	if selected, found := f.index[f.Selected]; found {
		near := append([]int{selected}, slices.Concat(f.dependencies[selected], f.dependents[selected])...)
		order = append(order, near...)
		for _, v := range near {
			order = append(order, f.dependencies[v]...)
			order = append(order, f.dependents[v]...)
		}
	}
	for _, name := range critical {
		order = append(order, f.index[name])
	}
	for v := range f.tasks {
		if f.opened[v] {
			order = append(order, v)
		}
	}
	return order
}
