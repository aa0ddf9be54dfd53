package packer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// packing is the state of one call of Build.
type packing struct {
	in             Input
	budget         Budget
	candidates     candidates
	stock          *Stock           // of the input, or made from it
	pool           map[string]*Task // Input.Tasks by name
	active         []*Task          // most important first, then by name
	distances      distances        // from the active tasks, along dependencies
	chainDistances distances        // the same, or from the first startable task, so that the chain remains between two tasks
	judge          *judge           // set by offerKnowledge
}

// newPacking returns the state of a call of Build: it applies the defaults to the input, sorts the
// active tasks and computes the distances of tasks from them.
func newPacking(in Input) *packing {
	d := &packing{in: in, stock: in.stock, pool: make(map[string]*Task, len(in.Tasks))}
	if d.stock == nil {
		d.stock = stockOf(in.Mems, in.Anchors)
	}
	d.candidates = make(candidates, 0, len(in.Anchors)+128)
	if in.Config == nil {
		d.in.Config = resources.EffectiveConfig(nil)
	}
	d.budget = budgetOf(d.in.Config, in.Limit)
	for i := range in.Tasks {
		d.pool[in.Tasks[i].Object.Metadata.Name] = &in.Tasks[i]
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(in.Active))) {
		if t, ok := d.pool[name]; ok {
			d.active = append(d.active, t)
		}
	}
	slices.SortStableFunc(d.active, func(a, b *Task) int {
		return cmp.Compare(resources.PriorityRank(a.Object.Spec.Priority), resources.PriorityRank(b.Object.Spec.Priority))
	})
	d.distances = distancesOf(d.active, d.pool)
	d.chainDistances = d.distances
	if len(d.active) == 0 && in.Plan != nil && len(in.Plan.Status.Next) > 0 && d.pool[in.Plan.Status.Next[0]] != nil {
		d.chainDistances = distancesOf([]*Task{d.pool[in.Plan.Status.Next[0]]}, d.pool)
	}
	return d
}

// isActive reports whether the pack covers a task.
func (d *packing) isActive(name string) bool {
	return slices.ContainsFunc(d.active, func(t *Task) bool { return t.Object.Metadata.Name == name })
}

// byCreation returns the objects sorted by creation time, within a second by name. This order
// inside a section does not change when an object is added.
func byCreation[S, T any](objects []Observed[S, T]) []*Observed[S, T] {
	sorted := make([]*Observed[S, T], len(objects))
	for i := range objects {
		sorted[i] = &objects[i]
	}
	slices.SortFunc(sorted, func(a, b *Observed[S, T]) int {
		return cmp.Or(cmp.Compare(a.Object.Created().Unix(), b.Object.Created().Unix()), strings.Compare(a.Object.Metadata.Name, b.Object.Metadata.Name))
	})
	return sorted
}

// date returns the day of t in UTC, "unknown" for the zero time.
func date(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.DateOnly)
}

// minute returns the day and time of t in UTC, "unknown" for the zero time.
func minute(t time.Time) string {
	if t.IsZero() {
		return date(t)
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// heading returns a task's name, its phase if phase is set, and its title.
func heading(t *Task, phase bool) string {
	text := t.Object.Metadata.Name
	if phase {
		text += " [" + t.Status.Phase + "]"
	}
	if title := t.Object.Spec.Title; title != "" && title != t.Object.Metadata.Name {
		text += " " + title
	}
	return text
}

// listed joins up to five names, and marks an omission.
func listed(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
