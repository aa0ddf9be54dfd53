package packer

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// packing is what one call of Build works on.
type packing struct {
	in        Input
	budget    Budget
	all       candidates
	stock     *Stock           // of the input, or made of it
	pool      map[string]*Task // Input.Tasks by name
	active    []*Task          // most important first, then by name
	distances distances        // of the active tasks, along dependencies
	around    distances        // the same, or of the first that can be started: the chain does not vanish between two tasks
	judge     *judge           // set by known
}

func newPacking(in Input) *packing {
	d := &packing{in: in, stock: in.stock, pool: make(map[string]*Task, len(in.Tasks))}
	if d.stock == nil {
		d.stock = stockOf(in.Mems, in.Anchors)
	}
	d.all = make(candidates, 0, len(in.Anchors)+128)
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
	d.around = d.distances
	if len(d.active) == 0 && in.Plan != nil && len(in.Plan.Status.Next) > 0 && d.pool[in.Plan.Status.Next[0]] != nil {
		d.around = distancesOf([]*Task{d.pool[in.Plan.Status.Next[0]]}, d.pool)
	}
	return d
}

// isActive reports whether the pack is about that task.
func (d *packing) isActive(name string) bool {
	return slices.ContainsFunc(d.active, func(t *Task) bool { return t.Object.Metadata.Name == name })
}

// byCreation returns the objects in the order in which they were made, those of
// the same second by name: the order inside a section, which does not change
// when one is added.
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

// date returns the day of t in UTC.
func date(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.DateOnly)
}

// minute returns the day of t and its time of day in UTC.
func minute(t time.Time) string {
	if t.IsZero() {
		return date(t)
	}
	return t.UTC().Format("2006-01-02 15:04")
}

// heading returns a task's name, its phase where that is to be told, and what people call it.
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

// listed joins up to five names, and counts the others.
func listed(names []string) string {
	const most = 5
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}
