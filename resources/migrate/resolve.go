package migrate

import (
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

// invertBlocks converts the blocked tasks of each task to dependencies of those tasks.
func (b *Builder) invertBlocks() {
	for _, d := range b.drafts[resources.Tasks] {
		var missing []string
		for _, id := range d.Blocks {
			target := b.Find(resources.Tasks, id)
			if target == nil {
				missing = append(missing, id)
				continue
			}
			spec := Spec[resources.TaskSpec](target)
			if !slices.ContainsFunc(spec.DependsOn, func(on string) bool { return b.Find(resources.Tasks, on) == d }) {
				spec.DependsOn = append(spec.DependsOn, d.ID)
			}
		}
		b.dangling(d, "blocked task", missing...)
	}
}

// dangling records dangling references as an annotation, and reports them.
func (b *Builder) dangling(d *Draft, what string, ids ...string) {
	if len(ids) == 0 {
		return
	}
	list := strings.Join(ids, ", ")
	d.Annotate("missing-"+strings.ReplaceAll(what, " ", "-"), list)
	b.trouble(d, "its "+what+" "+list+" is not there; kept as an annotation")
}

// trouble reports a problem with a draft.
func (b *Builder) trouble(d *Draft, message string) {
	b.Report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: message})
}

// reference describes a field that names other objects.
type reference struct {
	kind   string
	circle string // relation in which cycles are not allowed; empty if they are
}

// references lists the fields that contain IDs of other objects. The table of kinds
// contains the kinds that they refer to.
var references = map[string]reference{
	"workPlan": {kind: "plan"}, "parent": {"parent", "parents"}, "dependsOn": {"dependency", "dependencies"},
	"temporalGate.after": {"temporal gate", "dependencies"}, "result.anchorsCreated": {kind: "anchor"},
	"originTask": {kind: "origin task"}, "supersedes": {"superseded mem", "superseded mems"}, "relatedTo": {kind: "relation"},
	"task": {kind: "task"}, "activeTask": {kind: "task"}, "activePlan": {kind: "plan"}, "activeTasks": {kind: "active task"},
}

// eachReference replaces each reference in a field of the table with the result of rename.
func eachReference(o resources.Object, rename func(field, kind, id string, r reference) string) {
	resources.Rename(o, func(at resources.Reference, id string) string {
		field, _, _ := strings.Cut(strings.TrimPrefix(at.Field, "spec."), "[")
		r, listed := references[field]
		if !listed {
			return id
		}
		return rename(field, at.Key.Kind, id, r)
	})
}

// resolve replaces IDs with names and, unless KeepBroken is set, breaks cycles.
func (b *Builder) resolve() {
	for _, k := range resources.Kinds() {
		drafts := slices.DeleteFunc(slices.Clone(b.drafts[k.Plural]), func(d *Draft) bool { return d.complete })
		for _, d := range drafts {
			b.nameReferences(d)
		}
		if b.KeepBroken {
			continue
		}
		for _, circle := range []string{"dependencies", "parents", "superseded mems"} {
			b.breakCircles(drafts, circle)
		}
	}
	if !b.KeepBroken {
		b.openCycles()
	}
	for _, d := range b.drafts[resources.Tasks] {
		if spec := Spec[resources.TaskSpec](d); spec.TemporalGate != nil && spec.TemporalGate.After == "" { // the reference was dangling or part of a cycle
			d.Annotate("temporal-gate-reason", spec.TemporalGate.Reason)
			spec.TemporalGate = nil
		}
	}
}

// nameReferences replaces IDs with names, without duplicates.
func (b *Builder) nameReferences(d *Draft) {
	missing, seen := map[string][]string{}, map[string]bool{}
	eachReference(d.Object, func(field, kind, id string, r reference) string {
		name, target := b.named(field, kind, id)
		switch {
		case target == nil && b.KeepBroken:
			name = b.wouldBe(kind, id)
		case target == nil:
			missing[r.kind] = append(missing[r.kind], id)
		case target == d:
			name = ""
			d.Annotate(r.kind+"-itself", id)
			b.trouble(d, "its "+r.kind+" is itself; kept as an annotation")
		}
		if seen[field+" "+name] {
			return ""
		}
		seen[field+" "+name] = true
		return name
	})
	for _, what := range sortedKeys(missing) {
		b.dangling(d, what, missing[what]...)
	}
}

// named returns the name of the draft with an ID. For an entry of relatedTo, which may be
// of any kind, it returns kind/name.
func (b *Builder) named(field, kind, id string) (string, *Draft) {
	if field != "relatedTo" {
		if target := b.Find(kind, id); target != nil {
			return target.Meta().Name, target
		}
		return "", nil
	}
	for _, any := range []string{resources.Mems, resources.Tasks, resources.WorkPlans, resources.Anchors} {
		if target := b.Find(any, id); target != nil {
			k, _ := resources.KindOf(any)
			return k.Singular + "/" + target.Meta().Name, target
		}
	}
	return "", nil
}

// breakCircles removes each reference that closes a cycle, in the order of names, and
// reports it.
func (b *Builder) breakCircles(drafts []*Draft, circle string) {
	const entered, left = 1, 2
	seen, byName := map[string]int{}, map[string]*Draft{}
	for _, d := range drafts {
		byName[d.Meta().Name] = d
	}
	var visit func(name string)
	visit = func(name string) {
		seen[name] = entered
		d, closing := byName[name], []string(nil)
		eachReference(d.Object, func(_, _, to string, r reference) string {
			switch {
			case r.circle != circle:
			case seen[to] == entered:
				closing = append(closing, to)
				return ""
			case byName[to] != nil && seen[to] == 0:
				visit(to)
			}
			return to
		})
		if list := strings.Join(closing, ", "); list != "" {
			d.Annotate("circular-"+circle, list)
			b.trouble(d, "its "+circle+" lead in a circle over "+short(list)+"; kept as an annotation")
		}
		seen[name] = left
	}
	for _, name := range sortedKeys(byName) {
		if seen[name] == 0 {
			visit(name)
		}
	}
}

// openCycles removes references that close a cycle over several fields: parents, gates,
// plans and dependencies. breakCircles has already removed cycles over one field.
func (b *Builder) openCycles() {
	order, steps := draftOrder{}, map[status.Step][]status.Step{}
	for _, kind := range [...]string{resources.Tasks, resources.WorkPlans} {
		for _, d := range b.drafts[kind] {
			order[resources.Key{Kind: kind, Name: d.Meta().Name}] = d
		}
	}
	for key := range order {
		for _, step := range [...]status.Step{{Key: key}, {Key: key, Start: true}} {
			steps[step] = graph.Steps(status.Precedence(step, order))
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(graph.Cycles(steps)), resources.Key.Compare) {
		d := order[key]
		for path := status.CycleOf(d.Object, order); !d.complete && len(path) > 0 && takeOut(d, path[0]); path = status.CycleOf(d.Object, order) {
			field := strings.TrimPrefix(path[0].Field, "spec.")
			d.Annotate("circular-"+strings.ReplaceAll(field, ".", "-"), path[0].To.Key.Name)
			b.trouble(d, "its "+references[field].kind+" "+short(path[0].To.Key.Name)+" makes it wait for itself; kept as an annotation")
		}
	}
}

// takeOut removes the reference of an edge of Precedence. It returns false if the field is
// mandatory.
func takeOut(d *Draft, edge status.Edge) bool {
	if edge.Field == "" || edge.Field == "spec.workPlan" {
		return false
	}
	resources.Rename(d.Object, func(at resources.Reference, name string) string {
		if field, _, _ := strings.Cut(at.Field, "["); field == edge.Field && at.Key == edge.To.Key {
			return ""
		}
		return name
	})
	return true
}

// draftOrder implements status.Order for the drafts of tasks and plans.
type draftOrder map[resources.Key]*Draft

// Get returns the object of a draft.
func (o draftOrder) Get(key resources.Key) (resources.Object, bool) {
	d, found := o[key]
	if !found {
		return nil, false
	}
	return d.Object, true
}

// PlanTasks returns the names of a plan's tasks, sorted.
func (o draftOrder) PlanTasks(plan string) (names []string) {
	for key, d := range o {
		if t, ok := d.Object.(*resources.Task); ok && t.Spec.WorkPlan == plan {
			names = append(names, key.Name)
		}
	}
	slices.Sort(names)
	return names
}

// firstLine returns the first line of a text as a title. A long line is cut at a word.
func firstLine(text string) string {
	const most = 120
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return cutAt(strings.TrimSpace(line), most, " ", "...")
}

// Beginning returns the first most bytes of a longer text, cut at the end of a
// line, and appends "...".
func Beginning(text string, most int) string { return cutAt(text, most, "\n", "\n...") }

// short truncates untrusted text.
func short(text string) string { return cutAt(text, 200, "", "...") }

// cutAt truncates a longer text to most bytes and appends end. It cuts at the
// last occurrence of mark in the second half, if any.
func cutAt(text string, most int, mark, end string) string {
	if len(text) <= most {
		return text
	}
	at := strings.LastIndex(text[:most], mark)
	if at < most/2 {
		at = most
	}
	return strings.ToValidUTF8(text[:at], "") + end
}

// or returns the first text that is not blank, trimmed, or "".
func or(texts ...string) string { return append(trimmed(texts...), "")[0] }
