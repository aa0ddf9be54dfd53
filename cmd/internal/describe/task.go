package describe

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/printers"
	"github.com/idumb-dev/idumb/cmd/internal/records"
	"github.com/idumb-dev/idumb/cmd/internal/stuck"
	"github.com/idumb-dev/idumb/cmd/internal/terminal"
	"github.com/idumb-dev/idumb/resources"
)

// most is how many lines a list of other objects takes before it counts the rest.
const most = 20

// blockers writes what has to come first, each with its phase.
func (p *page) blockers() {
	var names []string
	switch status := p.s.Entry.Status.(type) {
	case *resources.TaskStatus:
		names = status.BlockedBy
	case *resources.WorkPlanStatus:
		names = make([]string, len(status.BlockedBy))
		for i, plan := range status.BlockedBy {
			names[i] = "workplan/" + strings.TrimPrefix(plan, "workplan/")
		}
	}
	if len(names) == 0 {
		return
	}
	p.linef("Blocked By:")
	rows := [][]string{{"Name", "Phase", "Title"}, {"----", "-----", "-----"}}
	for _, name := range names[:min(len(names), most)] {
		rows = append(rows, []string{name, stuck.Phase(p.s.Snapshot, name), p.titleOf(name)})
	}
	p.table(rows)
	p.more(len(names))
}

func (p *page) titleOf(blocker string) string {
	if plan, isPlan := strings.CutPrefix(blocker, "workplan/"); isPlan {
		if o, ok := p.s.Snapshot.Plan(plan); ok {
			return o.Spec.Title
		}
		return ""
	}
	if o, ok := p.s.Snapshot.Task(blocker); ok {
		return o.Spec.Title
	}
	return ""
}

func (p *page) more(n int) {
	if n > most {
		p.linef("  and %d more", n-most)
	}
}

// waiting writes which tasks or plans wait for this one.
func (p *page) waiting() {
	kind := p.s.Entry.Key.Kind
	if kind != resources.Tasks && kind != resources.WorkPlans {
		return
	}
	keys := p.s.Snapshot.Dependents(p.s.Entry.Key)
	if len(keys) == 0 {
		return
	}
	var names []string
	for _, key := range keys[:min(len(keys), most)] {
		names = append(names, key.Name)
	}
	if len(keys) > most {
		names = append(names, fmt.Sprintf("and %d more", len(keys)-most))
	}
	p.field(0, "Needed By", strings.Join(names, ", "))
}

// checkpoints writes the newest of what was recorded for a task.
func (p *page) checkpoints() {
	if p.s.Entry.Key.Kind != resources.Tasks {
		return
	}
	all := p.s.Checkpoints
	if len(all) == 0 {
		p.field(0, "Checkpoints", printers.None)
		return
	}
	p.field(0, "Checkpoints", fmt.Sprint(len(all)))
	const last = 5
	rows := [][]string{{"Age", "Tool", "Ok", "Summary"}, {"----", "----", "--", "-------"}}
	for _, c := range all[max(0, len(all)-last):] {
		rows = append(rows, []string{printers.Age(c.Time.Time, p.s.Now), c.Tool, outcome(c), records.Summary(c.Checkpoint)})
	}
	p.table(rows)
}

func outcome(c records.Checkpoint) string {
	switch {
	case c.Succeeded == nil:
		return "-"
	case *c.Succeeded:
		return "yes"
	}
	return "no"
}

// pairs writes an object on one line: file=src/**, succeeds=true.
func pairs(values map[string]any) string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(values)) {
		parts = append(parts, k+"="+text(values[k]))
	}
	return strings.Join(parts, ", ")
}

func escaped(s string) string { return terminal.EscapeLine(s) }
