package backlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Convert is a migrate.Converter for the files of a folder, by their paths from it.
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
	b.aliases()
	return b.Finish()
}

type builder struct {
	*migrate.Builder
	subtasks []subtasks // what tasks name as parts of them
}

// subtasks are the ids of what a task names as parts of it.
type subtasks struct {
	parent *migrate.Draft
	ids    []string
}

// readers is the table of folders, in the order in which they are read.
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

// leaf is a file that was taken apart: what stands before its text, and the parts of the text.
type leaf struct {
	*migrate.Record
	parts map[string]string
	plain bool   // nothing stands before its text
	first string // its first heading, that of a section aside; "" for none
}

// read takes a file apart.
func (b *builder) read(f migrate.File) leaf {
	d := markdown.Parse(f.Data)
	switch {
	case d.Plain:
		b.Damage(f, "it has no YAML before its text")
	case d.Damage != "":
		b.Damage(f, d.Damage)
	case d.Remarks:
		b.Damage(f, "there are remarks in what stands before its text")
	}
	// A field that nobody asks for holds all of the text, so that two files are told apart.
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

// named is what a leaf says of itself, or what the first or the last part of its file's name does, "back-7 - Title.md". Where
// nothing stands before its text it is called after its file, and by its first heading.
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

func (b *builder) milestone(f migrate.File) {
	p := b.read(f)
	id := p.named("id", f)
	plan := b.Find(resources.WorkPlans, id)
	if plan == nil {
		plan = b.MakePlan(id, id)
	}
	plan.From(f)
	spec := migrate.Spec[resources.WorkPlanSpec](plan)
	spec.Title = cmp.Or(p.Text("title", "name"), spec.Title)
	plan.Created(p.Time("created_date", "created", "date"))
	for _, part := range inOrder(p.parts) {
		plan.Annotate(part.Heading, part.Text)
	}
	plan.LeaveRest("", p.Record)
}

// plan is the plan of a milestone, by its id or its title, which tasks may name though nothing describes it.
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

func (b *builder) task(f migrate.File) {
	p := b.read(f)
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
	if people, _ := p.Peek("assignee", "assignees"); len(people.Items) > 1 { // Backlog.md has a list of those who do it
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
	folder(f, d, spec)
	if p.plain && spec.State == resources.TaskPlanned {
		spec.PlanAhead = true
		b.Report.Note(&b.Report.Changed, "no YAML before its text: visible, never proposed", d.ID)
	}
}

// idIn is the id in a text that may be a file's name, "task-1 - Title".
func idIn(text string) string {
	id, _, _ := strings.Cut(strings.TrimSuffix(text, ".md"), " - ")
	return strings.ToUpper(strings.TrimSpace(id))
}

// texts puts the sections of a task's text where they belong. said: what stands before the text says what is expected.
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

// folder notes where a task stood, where that says more than its status.
func folder(f migrate.File, d *migrate.Draft, spec *resources.TaskSpec) {
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
}

// decision makes a mem of a decision.
func (b *builder) decision(f migrate.File) {
	p := b.read(f)
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

// number is the end of an id that tells it from others, whatever the prefix: 355.02 of BACK-355.02 and of task-355.02.
var number = migrate.Pattern(`[0-9]+(\.[0-9]+)*$`)

// aliases finds what is named by an older prefix: projects that changed it kept old references.
func (b *builder) aliases() {
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

func parentOf(d *migrate.Draft) *string { return &migrate.Spec[resources.TaskSpec](d).Parent }

// plainNumber is the number of an id without leading zeros.
func plainNumber(id string) string {
	parts := strings.Split(number().FindString(id), ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	return strings.Join(parts, ".")
}
