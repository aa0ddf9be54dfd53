package packer

import (
	"slices"

	"github.com/idumb-dev/idumb/resources"
)

// alarming are the conditions that a reader has to know of.
var alarming = [...]string{resources.ChainBroken, resources.Orphaned, resources.Stale, resources.EvidenceMissing, resources.Conflict}

// warnings offers what is wrong with the active plan and its tasks, with files
// that cannot be read, and with critical anchors that no longer hold.
func (d *desk) warnings() {
	if p := d.in.Plan; p != nil {
		d.warn("workplans/"+p.Object.Metadata.Name, p.Status.Conditions, 900)
	}
	for _, t := range byCreation(d.in.Tasks) {
		name := t.Object.Metadata.Name
		switch {
		case d.isActive(name):
			d.warn("tasks/"+name, t.Status.Conditions, 1000)
		case d.concerns(t):
			d.warn("tasks/"+name, t.Status.Conditions, 500)
		}
	}
	for _, a := range byCreation(d.in.Anchors) {
		if a.Object.Spec.Priority == "critical" && a.Status.Phase == resources.StalePhase {
			d.warning("anchors/"+a.Object.Metadata.Name, 400, "is critical but stale since "+date(a.Status.StaleSince.Time)+": check it before you rely on it")
		}
	}
	d.problems()
}

// concerns reports whether a task that is not active has to do with the pack.
func (d *desk) concerns(t *Task) bool {
	if _, near := d.reach[t.Object.Metadata.Name]; near {
		return true
	}
	return d.in.Plan != nil && t.Object.Spec.WorkPlan == d.in.Plan.Object.Metadata.Name && t.Status.Phase != resources.TaskAbandoned
}

func (d *desk) warn(id string, conditions []resources.Condition, score int) {
	for _, conditionType := range alarming {
		if c := resources.FindCondition(conditions, conditionType); c != nil && c.Status == resources.True {
			d.warning(id, score, conditionType+": "+c.Message)
		}
	}
	if c := resources.FindCondition(conditions, resources.Valid); c != nil && c.Status == resources.False {
		d.warning(id, score, "its file cannot be read, the last good version is used: "+c.Message)
	}
}

func (d *desk) warning(id string, score int, text string) {
	d.all.offer(candidate{section: plan, group: "warnings", id: id, tier: urgent, score: score, text: "- " + line(id+" "+text)})
}

// problems lists files that cannot be read, by name.
func (d *desk) problems() {
	texts := make([]string, len(d.in.Problems))
	for i, p := range d.in.Problems {
		texts[i] = p.Error()
	}
	slices.Sort(texts)
	for i, text := range slices.Compact(texts) {
		d.all.offer(candidate{section: plan, group: "warnings", id: "problem " + text, tier: urgent, score: 300 - i, text: "- " + line(text)})
	}
}
