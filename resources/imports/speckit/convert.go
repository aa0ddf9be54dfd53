package speckit

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Accepts reports whether Convert reads a file.
func Accepts(file string) bool {
	return path.Base(file) == "tasks.md" || path.Base(file) == "spec.md"
}

// Convert is a migrate.Converter for the files of features. Paths are relative to the
// directory of all features.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder("spec-kit", "spec-kit", in)}
	for _, f := range migrate.ByPath(in.Files) { // the spec precedes its tasks
		if doc := markdown.Parse(f.Data); path.Base(f.Path) == "spec.md" {
			b.spec(f, doc)
		} else {
			b.feature(f, doc)
		}
	}
	if !b.hasTasks {
		b.Foreign = `there is no line like "- [ ] T001 Do it" in it`
	}
	return b.Finish()
}

// builder converts the files of Spec Kit.
type builder struct {
	*migrate.Builder
	hasTasks bool
}

// inText matches the feature directory that a file names in its text.
var inText = migrate.Pattern("specs/([0-9A-Za-z][\\w.-]*)/|Feature Branch\\**: *`?([0-9A-Za-z][\\w.-]*)")

// plan returns the plan of a file's feature. It is named after the directory or, for a
// single file, after the directory that the text names. A single file does not contain the
// entire plan, so data from earlier imports of other files is preserved.
func (b *builder) plan(f migrate.File, doc markdown.Document) *migrate.Draft {
	title, id := headline(doc), path.Base(path.Dir(f.Path))
	alone := id == "."
	if alone {
		id = cmp.Or(title, "spec-kit")
		if m := inText().FindStringSubmatch(doc.Body); m != nil {
			id = m[1] + m[2]
		}
	}
	d := b.MakePlan(id, cmp.Or(title, id)).SetSource(f)
	spec := migrate.Spec[resources.WorkPlanSpec](d)
	spec.Category = "spec-kit"
	o, _ := b.Get(resources.Key{Kind: resources.WorkPlans, Name: migrate.NameOf(id)})
	if known, ok := o.(*resources.WorkPlan); ok && alone && len(spec.Acceptance) == 0 { // created by an earlier import
		spec.Title, spec.Acceptance = known.Spec.Title, slices.Clone(known.Spec.Acceptance)
	}
	return d
}

// headline returns the first heading without the type of the file: "Tasks: Login" becomes
// Login.
func headline(doc markdown.Document) string {
	for _, s := range doc.Sections() {
		if s.Level == 1 {
			_, name, found := strings.Cut(s.Title, ": ")
			if !found {
				name = s.Title
			}
			return strings.TrimSpace(name)
		}
	}
	return ""
}

// spec extracts the criteria from a specification. A feature without tasks is a draft.
func (b *builder) spec(f migrate.File, doc markdown.Document) {
	spec := migrate.Spec[resources.WorkPlanSpec](b.plan(f, doc))
	spec.State = resources.PlanDraft
	within, list := 0, []string(nil)
	for _, s := range doc.Sections() {
		if strings.HasPrefix(strings.ToLower(s.Title), "success criteria") {
			within = s.Level
		} else if s.Level <= within {
			within = 0
		}
		if within > 0 {
			list = append(list, items(s.Lines)...)
		}
	}
	spec.Acceptance = list
}

// items returns list items without bullets and without unfilled placeholders such as
// [metric].
func items(lines []string) []string {
	var list []string
	for _, line := range lines {
		item, found := strings.CutPrefix(line, "- ")
		if item = strings.ReplaceAll(strings.TrimSpace(item), "**", ""); found && item != "" && !strings.Contains(item, ": [") && !slices.Contains(list, item) {
			list = append(list, item)
		}
	}
	return list
}

// feature creates tasks from the lines of a tasks.md.
func (b *builder) feature(f migrate.File, doc markdown.Document) {
	// Phases without tasks are omitted.
	var all []phase
	at := phase{}
	for _, s := range doc.Sections() {
		if s.Level == 1 || s.Level == 2 {
			all, at = append(all, at), phase{title: s.Title}
		}
		for i, line := range s.Lines {
			at.parseLine(line, s.Line+1+i)
		}
	}
	phases := slices.DeleteFunc(append(all, at), func(p phase) bool { return len(p.tasks) == 0 })
	if len(phases) == 0 {
		b.Leave(f, "files without tasks", "")
		return
	}
	b.hasTasks = true
	plan := b.plan(f, doc)
	spec := migrate.Spec[resources.WorkPlanSpec](plan)
	spec.State = resources.PlanCompleted // until an open task is found
	for _, id := range order(phases) {
		b.Report.Note(&b.Report.Changed, "last of many parallel tasks at the end of a phase: waits for the other tasks", plan.ID+" "+id)
	}
	for i, p := range phases {
		name := ""
		if p.title != "" {
			name = phaseName(spec, p.title)
			spec.Phases = append(spec.Phases, resources.PlanPhase{Name: name, Title: p.title, Order: i + 1})
		}
		for _, t := range p.tasks {
			b.task(f, plan.ID, name, t.record(p))
		}
		for _, line := range p.unnumbered {
			b.Report.Trouble(migrate.Problem{File: f.Path, Line: line, Message: "a to-do without a number like T001: it is in the notes of its phase"})
		}
	}
}

// phaseName returns the name of a further phase: "Phase 3: Login (P1)" becomes phase-3.
func phaseName(plan *resources.WorkPlanSpec, title string) string {
	short, _, _ := strings.Cut(title, ":")
	name := migrate.NameOf(strings.Join(strings.Fields(short), "-"))
	if slices.ContainsFunc(plan.Phases, func(p resources.PlanPhase) bool { return p.Name == name }) {
		name += "-" + migrate.DigestOf(strings.Repeat(" ", len(plan.Phases)))
	}
	return name
}

// task creates a task from its record.
func (b *builder) task(f migrate.File, plan, phase string, r *migrate.Record) {
	story, source := r.Text("story"), r.Text("path")
	d := b.Task(f, r, plan+"-"+r.Text("id"), plan, "")
	if d == nil {
		return
	}
	spec := migrate.Spec[resources.TaskSpec](d)
	spec.Phase = phase
	if source != "" {
		spec.Source = &resources.TaskSource{File: source}
	}
	if story != "" {
		d.Label(migrate.Prefix("spec-kit")+"story", story)
	}
	d.Refer(func(id string) string { return plan + "-" + id })
}
