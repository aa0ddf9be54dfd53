package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// turn makes of what a task blocks what the others wait for.
func (b *Builder) turn() {
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

// dangling notes references that lead nowhere, and reports them.
func (b *Builder) dangling(d *Draft, what string, ids ...string) {
	if len(ids) == 0 {
		return
	}
	list := strings.Join(ids, ", ")
	d.Annotate("missing-"+strings.ReplaceAll(what, " ", "-"), list)
	b.trouble(d, "its "+what+" "+list+" is not there; kept as an annotation")
}

// trouble reports something about a draft.
func (b *Builder) trouble(d *Draft, message string) {
	b.report.Trouble(Problem{File: d.file.Path, ID: d.ID, Message: message})
}

// ref is a field of an object that refers to others.
type ref struct {
	kind   string // of what it refers to; "" for any
	what   string // it is called
	circle string // in which it may close one; "" for none
	one    *string
	many   *[]string // instead of one
}

// ids are the references in the field.
func (r ref) ids() []*string {
	if r.many == nil {
		return []*string{r.one}
	}
	var list []*string
	for i := range *r.many {
		list = append(list, &(*r.many)[i])
	}
	return list
}

// set replaces the references in the field, each once, and leaves out empty ones.
func (r ref) set(ids []string) {
	if r.many == nil {
		*r.one = strings.Join(ids, "")
		return
	}
	*r.many = nil
	for _, id := range ids {
		if id != "" && !slices.Contains(*r.many, id) {
			*r.many = append(*r.many, id)
		}
	}
}

// refsOf is the table of fields that refer to others.
func refsOf(o resources.Object) []ref {
	switch spec := o.SpecPointer().(type) {
	case *resources.WorkPlanSpec:
		return []ref{{kind: resources.WorkPlans, what: "dependency", circle: "dependencies", many: &spec.DependsOn}}
	case *resources.TaskSpec:
		refs := []ref{
			{kind: resources.WorkPlans, what: "plan", one: &spec.WorkPlan},
			{kind: resources.Tasks, what: "parent", circle: "parents", one: &spec.Parent},
			{kind: resources.Tasks, what: "dependency", circle: "dependencies", many: &spec.DependsOn},
		}
		if spec.TemporalGate != nil {
			refs = append(refs, ref{kind: resources.Tasks, what: "temporal gate", circle: "dependencies", one: &spec.TemporalGate.After})
		}
		if spec.Result != nil {
			refs = append(refs, ref{kind: resources.Anchors, what: "anchor", many: &spec.Result.AnchorsCreated})
		}
		return refs
	case *resources.MemSpec:
		return []ref{
			{kind: resources.Tasks, what: "origin task", one: &spec.OriginTask},
			{kind: resources.Mems, what: "parent", circle: "parents", one: &spec.Parent},
			{kind: resources.Mems, what: "superseded mem", circle: "superseded mems", one: &spec.Supersedes},
			{what: "relation", many: &spec.RelatedTo},
		}
	case *resources.SessionSpec:
		return []ref{{kind: resources.Tasks, what: "task", one: &spec.ActiveTask}, {kind: resources.Sessions, what: "parent", one: &spec.Parent}}
	case *resources.DelegationSpec:
		return []ref{{kind: resources.Tasks, what: "task", one: &spec.Task}}
	case *resources.TrajectorySpec:
		return []ref{{kind: resources.WorkPlans, what: "plan", one: &spec.ActivePlan}, {kind: resources.Tasks, what: "active task", many: &spec.ActiveTasks}}
	}
	return nil
}

// resolve replaces ids by names, and opens circles.
func (b *Builder) resolve() {
	for _, k := range resources.Kinds() {
		drafts := slices.DeleteFunc(slices.Clone(b.drafts[k.Plural]), func(d *Draft) bool { return d.given })
		for _, d := range drafts {
			for _, r := range refsOf(d.Object) {
				b.nameAll(d, r)
			}
		}
		if b.KeepBroken {
			continue
		}
		for _, circle := range []string{"dependencies", "parents", "superseded mems"} {
			b.breakCircles(drafts, circle)
		}
	}
	for _, d := range b.drafts[resources.Tasks] {
		if spec := Spec[resources.TaskSpec](d); spec.TemporalGate != nil && spec.TemporalGate.After == "" { // it led nowhere, or in a circle
			d.Annotate("temporal-gate-reason", spec.TemporalGate.Reason)
			spec.TemporalGate = nil
		}
	}
}

// nameAll puts the names of what a field refers to in the place of ids.
func (b *Builder) nameAll(d *Draft, r ref) {
	var list, missing []string
	for _, id := range r.ids() {
		if *id == "" {
			continue
		}
		name, target := b.named(r.kind, *id)
		switch {
		case target == nil && b.KeepBroken:
			name = b.names[r.kind].wouldBe(*id)
		case target == nil:
			missing = append(missing, *id)
		case target == d:
			name = ""
			d.Annotate(r.what+"-itself", *id)
			b.trouble(d, "its "+r.what+" is itself; kept as an annotation")
		}
		list = append(list, name)
	}
	r.set(list)
	b.dangling(d, r.what, missing...)
}

// named is what has an id, with its name; for one of any kind that is kind/name.
func (b *Builder) named(kind, id string) (string, *Draft) {
	if kind != "" {
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

// breakCircles takes out each reference that closes a circle, in the order of names, and reports it.
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
		for _, r := range refsOf(d.Object) {
			if r.circle != circle {
				continue
			}
			var open []string
			for _, to := range r.ids() {
				if seen[*to] == entered {
					closing = append(closing, *to)
					continue
				}
				open = append(open, *to)
				if byName[*to] != nil && seen[*to] == 0 {
					visit(*to)
				}
			}
			r.set(open)
		}
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

// firstLine is a title for a text: its first line, cut at a word where it is long.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.TrimSpace(line)
	const most = 120
	if len(line) <= most {
		return line
	}
	cut := strings.LastIndexByte(line[:most], ' ')
	if cut < most/2 {
		cut = most
	}
	return strings.ToValidUTF8(line[:cut], "") + "..."
}

// or returns the first text that says something.
func or(texts ...string) string {
	for i, t := range texts {
		texts[i] = strings.TrimSpace(t)
	}
	return cmp.Or(texts...)
}
