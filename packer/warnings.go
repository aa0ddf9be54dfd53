package packer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// warningConditions lists the conditions that become warnings.
var warningConditions = [...]string{resources.ChainBroken, resources.Orphaned, resources.Stale, resources.EvidenceMissing, resources.Conflict}

// warning is a problem; a higher weight concerns the reader more.
type warning struct {
	id, text string
	weight   int
}

// warnings offers the problems of the session, the active plan and its tasks, stale critical
// anchors and invalid files: the maxWarnings most important ones.
func (d *packing) warnings() {
	list := slices.Concat(d.sessionWarnings(), d.planWarnings(), d.taskWarnings(), d.anchorWarnings(), d.problems())
	slices.SortFunc(list, func(a, b warning) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.id, b.id), strings.Compare(a.text, b.text))
	})
	list = slices.Compact(list)
	for i, w := range list[:min(maxWarnings, len(list))] {
		d.addWarning(w.id, -i, w.id+" "+w.text)
	}
	if more := len(list) - maxWarnings; more > 0 {
		d.addWarning("warnings", -maxWarnings, fmt.Sprintf("and %d more warnings: idumb doctor lists them", more))
	}
}

// addWarning offers a line of the group of warnings.
func (d *packing) addWarning(id string, score int, text string) {
	d.candidates.add(candidate{section: plan, group: "warnings", id: id, tier: urgent, score: score, text: "- " + line(text)})
}

// sessionWarnings returns warnings about the reader's session. Figures are rendered as words, which
// do not change with every turn.
func (d *packing) sessionWarnings() []warning {
	s, f := d.in.Session, d.in.Figures
	if s == nil {
		return nil
	}
	id := "sessions/" + s.Metadata.Name
	var list []warning
	if level := status.Level(f.Drift()); level != status.LevelLow {
		list = append(list, warning{id, "your drift is " + level + ": " + strings.Join(f.DriftReasons(), "; ") + ". Go back to the task, or hand it back", 950})
	}
	if o := f.Outputs(); o.Level() != status.LevelLow {
		list = append(list, warning{id, "your poisoning level is " + o.Level() + ": much of the tool output in your context is from failed calls, changed files or ended tasks. Read a file again before you rely on it", 945})
	}
	if f.Health() < status.UnhealthyBelow {
		list = append(list, warning{id, "this session's health is " + status.Level(f.Health()) + ": " + strings.Join(f.HealthReasons(), "; ") + ". Change your approach, or ask the user for help", 940})
	}
	for _, t := range d.in.Triggers {
		if t.Spec.Action != resources.ActionEvent {
			list = append(list, warning{"triggers/" + t.Metadata.Name, "is triggered: " + status.TriggerText(t), 960})
		}
	}
	return list
}

// planWarnings returns the warnings about the active plan; nil without one.
func (d *packing) planWarnings() []warning {
	if d.in.Plan == nil {
		return nil
	}
	return conditionWarnings("workplans/"+d.in.Plan.Object.Metadata.Name, d.in.Plan.Status.Conditions, 900)
}

// taskWarnings returns the warnings about the tasks that concern the pack. Those about active
// tasks have twice the weight.
func (d *packing) taskWarnings() []warning {
	var list []warning
	for i := range d.in.Tasks {
		t := &d.in.Tasks[i]
		name := t.Object.Metadata.Name
		if len(t.Status.Conditions) == 0 || !d.concerns(t) {
			continue
		}
		weight := 500
		if d.isActive(name) {
			weight = 1000
		}
		list = append(list, conditionWarnings("tasks/"+name, t.Status.Conditions, weight)...)
	}
	return list
}

// concerns reports whether a task is linked to the active tasks by
// dependencies, or is a task of the active plan that was not abandoned.
func (d *packing) concerns(t *Task) bool {
	if _, near := d.distances[t.Object.Metadata.Name]; near {
		return true
	}
	return d.in.Plan != nil && t.Object.Spec.WorkPlan == d.in.Plan.Object.Metadata.Name && t.Status.Phase != resources.TaskAbandoned
}

// conditionWarnings returns a warning for each of warningConditions that is true, and one if the
// file of the object is invalid.
func conditionWarnings(id string, conditions []resources.Condition, weight int) []warning {
	var list []warning
	for _, conditionType := range warningConditions {
		if c := resources.FindCondition(conditions, conditionType); c != nil && c.Status == resources.True {
			list = append(list, warning{id, conditionType + ": " + c.Message, weight})
		}
	}
	if c := resources.FindCondition(conditions, resources.Valid); c != nil && c.Status == resources.False {
		list = append(list, warning{id, "cannot be read, its last good version is used: " + c.Message, weight})
	}
	return list
}

// anchorWarnings returns a warning for each critical anchor that is stale.
func (d *packing) anchorWarnings() []warning {
	var list []warning
	for i := range d.in.Anchors {
		a := &d.in.Anchors[i]
		if a.Object.Spec.Priority != "critical" || a.Status.Phase != resources.StalePhase {
			continue
		}
		text := "is critical but stale"
		if since := a.Status.StaleSince; !since.IsZero() {
			text += " since " + date(since.Time)
		}
		list = append(list, warning{"anchors/" + a.Object.Metadata.Name, text + ": check it before you rely on it", 400})
	}
	return list
}

// problems returns warnings about invalid files.
func (d *packing) problems() []warning {
	var list []warning
	for _, p := range d.in.Problems {
		list = append(list, warning{cmp.Or(p.Object, p.Key.String()), p.Error(), 300})
	}
	return list
}
