package backlog

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Format is the name of the format in commands, labels and annotations.
const Format = "backlog"

// Convert is a migrate.Converter for the files of a folder, by their paths from it.
func Convert(in migrate.Input) migrate.Outcome {
	b := &builder{Builder: migrate.NewBuilder(Format, "Backlog.md", in)}
	if !slices.ContainsFunc(in.Files, isBacklog) {
		b.Foreign("there is no Markdown file in it that begins with the id or the title and the status of a task, and no folder of tasks")
	}
	files := slices.Clone(in.Files)
	slices.SortFunc(files, func(a, c migrate.File) int { return strings.Compare(a.Path, c.Path) })
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

// isBacklog tells a file of Backlog.md from other Markdown: by its folder, or by what stands before its text.
func isBacklog(f migrate.File) bool {
	if !isMarkdown(f.Path) {
		return false
	}
	for folder := range strings.SplitSeq(path.Dir(f.Path), "/") {
		if slices.Contains([]string{"tasks", "drafts", "completed", "milestones", "decisions"}, folder) {
			return true
		}
	}
	head := parse(f.Data).head
	_, identified := head.At("id")
	_, titled := head.At("title")
	_, stated := head.At("status")
	return identified || titled && stated
}

func isMarkdown(file string) bool {
	ending := strings.ToLower(path.Ext(file))
	return ending == ".md" || ending == ".markdown"
}

// stem is a file's name without its ending.
func stem(file string) string {
	if isMarkdown(file) {
		file = strings.TrimSuffix(file, path.Ext(file))
	}
	return path.Base(file)
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
	{"", (*builder).other},
}

// kindOf is the folder that decides what a file is: the last one of its path that means something.
func kindOf(file string) string {
	if !isMarkdown(file) || strings.EqualFold(path.Base(file), "readme.md") {
		return ""
	}
	folders := strings.Split(path.Dir(file), "/")
	for i := len(folders) - 1; i >= 0; i-- {
		switch folders[i] {
		case "milestones", "decisions", "drafts", "completed":
			return folders[i]
		case "archive":
			return "archive"
		case "tasks":
			if i > 0 && folders[i-1] == "archive" {
				return "archive"
			}
			return "tasks"
		case "docs":
			return ""
		}
	}
	if decisionFile().MatchString(path.Base(file)) { // given alone, or its folder
		return "decisions"
	}
	return "tasks"
}

// decisionFile matches what Backlog.md calls the file of a decision.
var decisionFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:decision)-[0-9]+( -|\.(?i:md|markdown)$)`)
})

// Wanted reports whether Convert has a rule for a file.
func Wanted(file string) bool {
	return kindOf(file) != "" || path.Base(file) == "config.yml" || isMarkdown(file) && !strings.Contains(file, "docs/")
}

// bodyField is the field of a record that holds all of a file's text, so that two files are told apart, and
// all of one is kept of which nothing can be made.
const bodyField = "\x00body"

// read takes a file apart; the text's sections are fields of the record.
func (b *builder) read(f migrate.File) (*migrate.Record, map[string]string) {
	d := parse(f.Data)
	if d.damage != "" {
		b.Whole(f, d.damage)
	}
	d.head.Fields = append(d.head.Fields, migrate.Field{Name: bodyField, Value: migrate.Text(d.body)})
	r := migrate.NewRecord("", d.head)
	r.Take(bodyField)
	return r, split(d.body)
}

// fileID is the id in a file's name, "back-7 - Title.md".
func fileID(file string) string {
	id, _, found := strings.Cut(stem(file), " - ")
	if !found {
		return ""
	}
	return id
}

func (b *builder) milestone(f migrate.File) {
	r, parts := b.read(f)
	id := r.Text("id")
	if id == "" {
		id = fileID(f.Path)
	}
	plan := b.Find(resources.WorkPlans, id)
	if plan == nil {
		plan = b.MakePlan(id, id)
	}
	plan.From(f)
	spec := plan.Object.SpecPointer().(*resources.WorkPlanSpec)
	if title := r.Text("title", "name"); title != "" {
		spec.Title = title
	}
	plan.Created(r.Time("created_date", "created", "date"))
	for _, name := range sorted(parts) {
		plan.Annotate(name, parts[name])
	}
	for _, field := range r.Rest() {
		plan.Keep(field.Name, field.Value)
	}
}

// plan is the plan of a milestone, by its id or its title, which tasks may name though nothing describes it.
func (b *builder) plan(name string) *migrate.Draft {
	if d := b.Find(resources.WorkPlans, name); d != nil {
		return d
	}
	for _, d := range b.Drafts(resources.WorkPlans) {
		if strings.EqualFold(d.Object.SpecPointer().(*resources.WorkPlanSpec).Title, name) {
			return d
		}
	}
	return b.MakePlan(name, name)
}

func (b *builder) task(f migrate.File) {
	r, parts := b.read(f)
	id := strings.ToUpper(r.Text("id"))
	if id == "" {
		id = strings.ToUpper(fileID(f.Path))
	}
	plan := ""
	if milestone := strings.TrimSpace(r.Text("milestone")); milestone != "" {
		plan = b.plan(milestone).ID
	}
	title := r.Text("title")
	if title == "" {
		_, title, _ = strings.Cut(stem(f.Path), " - ")
	}
	expected := r.Has("acceptanceCriteria", "acceptance", "expectedOutput", "successCriteria")
	d := b.TaskNamed(f, r, id, plan, strings.ToUpper(r.Text("parent_task_id", "parent", "parentId")))
	if d == nil {
		return
	}
	if ids := r.Refs("subtasks"); len(ids) > 0 {
		r.Keep("subtasks")
		b.subtasks = append(b.subtasks, subtasks{d, ids})
	}
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	if title != "" {
		spec.Title = title
	}
	d.Refer(idIn)
	b.texts(d, spec, parts, expected)
	b.people(spec, r)
	b.labels(d, r)
	b.folder(f, d, spec)
}

// idIn is the id in a text that may be a file's name, "task-1 - Title".
func idIn(text string) string {
	id, _, _ := strings.Cut(strings.TrimSuffix(text, ".md"), " - ")
	return strings.ToUpper(strings.TrimSpace(id))
}

// texts puts the sections of a task's text where they belong. said: what stands before the text says what is expected.
func (b *builder) texts(d *migrate.Draft, spec *resources.TaskSpec, parts map[string]string, said bool) {
	expected := "description"
	switch {
	case parts["acceptance"] != "":
		expected = "acceptance"
	case said:
		expected = ""
	}
	if expected != "" && spec.ExpectedOutput != d.ID && spec.ExpectedOutput != spec.Title {
		d.Annotate("expected", spec.ExpectedOutput)
	}
	switch text := criteria(parts[expected]); {
	case expected == "":
	case text != "":
		spec.ExpectedOutput = text
	default:
		spec.ExpectedOutput = spec.Title
	}
	for _, name := range sorted(parts) {
		if name == expected {
			continue
		}
		if list, ok := comments(parts[name]); ok && name == "comments" {
			d.Keep(name, list)
			continue
		}
		d.Annotate(name, parts[name])
	}
	if summary := parts["final_summary"]; summary != "" && spec.State == resources.TaskCompleted {
		spec.Result = &resources.TaskResult{Evidence: summary}
	}
}

// people takes the one who does it: Backlog.md has a list of them.
func (b *builder) people(spec *resources.TaskSpec, r *migrate.Record) {
	v, ok := r.Peek("assignee", "assignees")
	if !ok || v.Type != migrate.List || len(v.Items) < 2 {
		return
	}
	spec.AssignedTo = v.Items[0].Plain()
}

// labels takes labels that can be some here as well; all of them stay as an annotation.
func (b *builder) labels(d *migrate.Draft, r *migrate.Record) {
	for _, label := range r.Texts("labels") {
		if migrate.IsLabelValue(label) && label != "" {
			d.Label(label, "")
		}
	}
	r.Keep("labels")
}

// folder notes where a task stood, where that says more than its status.
func (b *builder) folder(f migrate.File, d *migrate.Draft, spec *resources.TaskSpec) {
	switch kind := kindOf(f.Path); kind {
	case "drafts":
		spec.PlanAhead = spec.State == resources.TaskPlanned
		d.Annotate("folder", kind)
	case "archive":
		d.Annotate("folder", kind)
		if spec.State != resources.TaskCompleted {
			spec.State, spec.PlanAhead, spec.Reason = resources.TaskAbandoned, false, "archived in Backlog.md"
		}
	case "completed":
		if spec.State != resources.TaskCompleted {
			d.Annotate("folder", kind)
		}
	}
}

// decision makes a mem of a decision.
func (b *builder) decision(f migrate.File) {
	r, parts := b.read(f)
	id := r.Text("id")
	if id == "" {
		id = fileID(f.Path)
	}
	d := b.Add(resources.Mems, f, r, id)
	if d == nil {
		return
	}
	spec := d.Object.SpecPointer().(*resources.MemSpec)
	*spec = resources.MemSpec{Title: r.Text("title"), Type: "decision", Shelf: "decisions"}
	for _, name := range sorted(parts) {
		spec.Content = strings.TrimSpace(spec.Content + "\n\n" + parts[name])
	}
	if spec.Content == "" {
		spec.Content = spec.Title
	}
	d.Created(r.Time("date", "created_date"))
}

func (b *builder) other(f migrate.File) {
	b.Keep(f)
	b.Report().Note(&b.Report().Left, "files that are no task, milestone or decision", f.Path)
}

// number is the end of an id that tells it from others, whatever the prefix: 355.02 of BACK-355.02 and of task-355.02.
var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9]+(\.[0-9]+)*$`)
})

// aliases finds what is named by an older prefix: projects that changed it kept old references.
func (b *builder) aliases() {
	byNumber := map[string]string{}
	for _, d := range b.Drafts(resources.Tasks) {
		if n := plainNumber(d.ID); n != "" {
			if _, twice := byNumber[n]; twice {
				byNumber[n] = ""
				continue
			}
			byNumber[n] = d.ID
		}
	}
	known := func(id string) string {
		if other := byNumber[plainNumber(id)]; other != "" && b.Find(resources.Tasks, id) == nil {
			return other
		}
		return id
	}
	for _, d := range b.Drafts(resources.Tasks) {
		spec := d.Object.SpecPointer().(*resources.TaskSpec)
		if spec.Parent != "" {
			spec.Parent = known(spec.Parent)
		}
		d.Refer(known)
	}
	b.parents(known)
}

// parents gives tasks without one the parent that names them, or the one that their number continues: 7 for 7.2.
func (b *builder) parents(known func(string) string) {
	for _, s := range b.subtasks {
		for _, id := range s.ids {
			if d := b.Find(resources.Tasks, known(idIn(id))); d != nil && d != s.parent && parentOf(d) == "" {
				d.Object.SpecPointer().(*resources.TaskSpec).Parent = s.parent.ID
			}
		}
	}
	for _, d := range b.Drafts(resources.Tasks) {
		at := strings.LastIndexByte(d.ID, '.')
		if at > 0 && parentOf(d) == "" && number().MatchString(d.ID) && b.Find(resources.Tasks, d.ID[:at]) != nil {
			d.Object.SpecPointer().(*resources.TaskSpec).Parent = d.ID[:at]
			b.Report().Note(&b.Report().Changed, "number that continues another one, without a parent: a part of that", d.ID)
		}
	}
}

func parentOf(d *migrate.Draft) string { return d.Object.SpecPointer().(*resources.TaskSpec).Parent }

// plainNumber is the number of an id without leading zeros.
func plainNumber(id string) string {
	parts := strings.Split(number().FindString(id), ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
	}
	return strings.Join(parts, ".")
}
