package backlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Convert is a migrate.Converter for the files of a directory. Paths are relative to the
// directory.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder("backlog", "Backlog.md", in)}
	if !slices.ContainsFunc(in.Files, isBacklog) {
		b.Foreign = "there is no Markdown file in it that begins with the id or the title and the status of a task, and no folder of tasks"
	}
	files := migrate.ByPath(in.Files)
	for _, row := range readers {
		for _, f := range files {
			if kindOf(f.Path) == row.folder {
				row.read(b, f)
			}
		}
	}
	b.resolveReferences()
	return b.Finish()
}

// builder converts the files of Backlog.md.
type builder struct {
	*migrate.Builder
	subtasks []subtasks // subtasks of tasks
}

// subtasks contains the IDs in the subtasks field of a task.
type subtasks struct {
	parent *migrate.Draft
	ids    []string
}

// readers lists the directories in reading order.
var readers = [...]struct {
	folder string
	read   func(*builder, migrate.File)
}{
	{"milestones", (*builder).milestone},
	{"tasks", (*builder).task},
	{"drafts", (*builder).task},
	{"completed", (*builder).task},
	{"archive", (*builder).task},
	{"decisions", (*builder).decision},
	{"", func(b *builder, f migrate.File) { b.Leave(f, "files that are no task, milestone or decision", "") }},
}

// leaf is a parsed file: its front matter and the sections of its text.
type leaf struct {
	*migrate.Record
	parts map[string]string
	plain bool   // no front matter
	first string // first heading that is not a known section; may be empty
}

// parse parses a Markdown file into its front matter and sections. It reports
// damage of the front matter.
func (b *builder) parse(f migrate.File) leaf {
	d := markdown.Parse(f.Data)
	switch {
	case d.Plain:
		b.Damage(f, "it has no front matter")
	case d.Damage != "":
		b.Damage(f, d.Damage)
	case d.Remarks:
		b.Damage(f, "its front matter has comments")
	}
	// An unused field with the full text distinguishes files with the same fields.
	d.Head.Fields = append(d.Head.Fields, migrate.Field{Name: "\x00body", Value: migrate.Text(d.Body)})
	p := leaf{Record: migrate.NewRecord(d.Head), parts: split(d.Body), plain: d.Plain}
	for _, s := range d.Sections() {
		if p.first == "" && headed("## "+s.Title) == "" {
			p.first = s.Title
		}
	}
	p.Drop("\x00body")
	return p
}

// named returns a field of a leaf, or the corresponding part of its file name, "back-7 -
// Title.md". Without front matter, it uses the file name and the first heading.
func (p leaf) named(field string, f migrate.File) string {
	id, title, found := strings.Cut(stem(f.Path), " - ")
	if p.plain && !found {
		title, found = cmp.Or(p.first, id), true
	}
	switch said := p.Text(field); {
	case said != "" || !found:
		return said
	case field == "id":
		return id
	}
	return title
}

// milestone converts a milestone file to a plan.
func (b *builder) milestone(f migrate.File) {
	p := b.parse(f)
	id := p.named("id", f)
	plan := b.Find(resources.WorkPlans, id)
	if plan == nil {
		plan = b.MakePlan(id, id)
	}
	plan.SetSource(f)
	spec := migrate.Spec[resources.WorkPlanSpec](plan)
	spec.Title = cmp.Or(p.Text("title", "name"), spec.Title)
	plan.Created(p.Time("created_date", "created", "date"))
	for _, part := range inOrder(p.parts) {
		plan.Annotate(part.Heading, part.Text)
	}
	plan.LeaveRest("", p.Record)
}

// plan returns the plan of a milestone with an ID or title. Tasks may name
// milestones without a file: it creates a plan for these.
func (b *builder) plan(name string) *migrate.Draft {
	if d := b.Find(resources.WorkPlans, name); d != nil {
		return d
	}
	for _, d := range b.Drafts(resources.WorkPlans) {
		if strings.EqualFold(migrate.Spec[resources.WorkPlanSpec](d).Title, name) {
			return d
		}
	}
	return b.MakePlan(name, name)
}

// task converts a task file to a task.
func (b *builder) task(f migrate.File) {
	p := b.parse(f)
	plan := ""
	if milestone := strings.TrimSpace(p.Text("milestone")); milestone != "" {
		plan = b.plan(milestone).ID
	}
	title := p.named("title", f)
	said := p.Has("acceptanceCriteria", "acceptance", "expectedOutput", "successCriteria")
	d := b.Task(f, p.Record, strings.ToUpper(p.named("id", f)), plan, strings.ToUpper(p.Text("parent_task_id", "parent", "parentId")))
	if d == nil {
		return
	}
	if ids := p.Refs("subtasks"); len(ids) > 0 {
		b.subtasks = append(b.subtasks, subtasks{d, ids})
	}
	spec := migrate.Spec[resources.TaskSpec](d)
	spec.Title = cmp.Or(title, spec.Title)
	if people, _ := p.Peek("assignee", "assignees"); len(people.Items) > 1 { // Backlog.md allows several assignees
		spec.AssignedTo = people.Items[0].Plain()
		d.Annotate("assignee", people.Plain())
	}
	for _, name := range []string{"labels", "references", "documentation"} {
		if v, _ := p.Peek(name); !v.Nothing() {
			p.Take(name)
			d.Annotate(name, v.Plain())
		}
	}
	for _, label := range p.Texts("labels") {
		if migrate.IsLabelValue(label) {
			d.Label(label, "")
		}
	}
	d.Refer(idIn)
	texts(d, spec, p.parts, said)
	// A draft is planned ahead, and an archived task that is not completed is abandoned.
	kind, isDone := kindOf(f.Path), spec.State == resources.TaskCompleted
	if kind == "drafts" || kind == "archive" || kind == "completed" && !isDone {
		d.Annotate("folder", kind)
	}
	switch {
	case kind == "drafts":
		spec.PlanAhead = spec.State == resources.TaskPlanned
	case kind == "archive" && !isDone:
		spec.State, spec.PlanAhead, spec.Reason = resources.TaskAbandoned, false, "archived in Backlog.md"
	}
	if p.plain && spec.State == resources.TaskPlanned {
		spec.PlanAhead = true
		b.Report.Note(&b.Report.Changed, "without front matter: visible, never proposed", d.ID)
	}
}

// idIn returns the ID in a text, which may be a file name: "task-1 - Title".
func idIn(text string) string {
	id, _, _ := strings.Cut(strings.TrimSuffix(text, ".md"), " - ")
	return strings.ToUpper(strings.TrimSpace(id))
}

// texts distributes the sections of a task's text. said means that the front matter
// contains the expected output.
func texts(d *migrate.Draft, spec *resources.TaskSpec, parts map[string]string, said bool) {
	switch accepted := parts["acceptance"]; {
	case accepted != "":
		if said {
			d.Annotate("expected", spec.ExpectedOutput)
		}
		spec.ExpectedOutput = criteria(accepted)
	case spec.ExpectedOutput == d.ID:
		spec.ExpectedOutput = spec.Title
	}
	spec.Description = migrate.Markdown(migrate.Passage{Text: spec.Description}, migrate.Passage{Text: parts[preamble]}, migrate.Passage{Text: parts["description"]})
	notes := []migrate.Passage{{Text: spec.Notes}}
	if summary := parts["final_summary"]; summary != "" && spec.State == resources.TaskCompleted {
		spec.Result = &resources.TaskResult{Evidence: summary}
		delete(parts, "final_summary")
	}
	for _, s := range sections {
		if s.within != "" {
			notes = append(notes, migrate.Passage{Heading: s.within, Text: parts[s.name]})
		}
	}
	spec.Notes = migrate.Markdown(notes...)
	d.Annotate("comments", comments(parts["comments"]))
}

// decision converts a decision to a mem.
func (b *builder) decision(f migrate.File) {
	p := b.parse(f)
	d := b.Add(resources.Mems, f, p.Record, p.named("id", f))
	if d == nil {
		return
	}
	said := inOrder(p.parts)
	for i := range said {
		said[i].Heading = ""
	}
	title := p.Text("title")
	*migrate.Spec[resources.MemSpec](d) = resources.MemSpec{Title: title, Type: "decision", Shelf: "decisions", Content: cmp.Or(migrate.Markdown(said...), title)}
	d.Created(p.Time("date", "created_date"))
	d.Annotate("status", p.Text("status"))
}

// number matches the number at the end of an ID: 355.02 in BACK-355.02 and in task-355.02.
var number = migrate.Pattern(`[0-9]+(\.[0-9]+)*$`)

// resolveReferences resolves references with an old prefix, because projects
// that changed the prefix kept old references. It also sets the parents that
// the subtasks of a task, or the number in an ID, imply.
func (b *builder) resolveReferences() {
	tasks := b.Drafts(resources.Tasks)
	byNumber := map[string][]string{}
	for _, d := range tasks {
		if n := plainNumber(d.ID); n != "" {
			byNumber[n] = append(byNumber[n], d.ID)
		}
	}
	known := func(id string) string {
		if others := byNumber[plainNumber(id)]; len(others) == 1 && b.Find(resources.Tasks, id) == nil {
			return others[0]
		}
		return id
	}
	for _, d := range tasks {
		if parent := parentOf(d); *parent != "" {
			*parent = known(*parent)
		}
		d.Refer(known)
	}
	for _, s := range b.subtasks {
		for _, id := range s.ids {
			if d := b.Find(resources.Tasks, known(idIn(id))); d != nil && d != s.parent && *parentOf(d) == "" {
				*parentOf(d) = s.parent.ID
			}
		}
	}
	for _, d := range tasks {
		at := strings.LastIndexByte(d.ID, '.')
		if at > 0 && *parentOf(d) == "" && number().MatchString(d.ID) && b.Find(resources.Tasks, d.ID[:at]) != nil {
			*parentOf(d) = d.ID[:at]
			b.Report.Note(&b.Report.Changed, "number that continues another one, without a parent: a part of that", d.ID)
		}
	}
}

// parentOf returns a pointer to the parent of a task draft.
func parentOf(d *migrate.Draft) *string { return &migrate.Spec[resources.TaskSpec](d).Parent }

// plainNumber returns the number of an ID without leading zeros.
func plainNumber(id string) string {
	parts := strings.Split(number().FindString(id), ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	return strings.Join(parts, ".")
}
