package migrate

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Fields of tasks and plans, by the names that tools give them.
var (
	idFields     = []string{"id", "uuid", "taskId", "task_id", "key"}
	titleFields  = []string{"title", "name", "summary", "text", "content"}
	statusFields = []string{"status", "state"}
)

// Task reads a record as a task of a plan, by id, below a parent, by id; both may be "".
// nil: the record was there already.
func (b *Builder) Task(f File, r *Record, plan, parent string) *Draft {
	return b.TaskNamed(f, r, r.Text(idFields...), plan, parent)
}

// TaskNamed is Task for a record that is known under another id than it says.
func (b *Builder) TaskNamed(f File, r *Record, id, plan, parent string) *Draft {
	d := b.Add(resources.Tasks, f, r, id)
	if d == nil {
		return nil
	}
	title := r.Text(titleFields...)
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	*spec = resources.TaskSpec{WorkPlan: plan, Parent: parent, Title: firstLine(or(title, d.ID))}
	b.expect(d, r, title)
	b.state(d, r)
	b.priority(d, r)
	spec.AssignedTo = r.Text("assignedTo", "assigned_to", "assignee", "owner")
	spec.DelegatedBy = r.Text("delegatedBy", "delegated_by")
	spec.DependsOn = r.Refs(dependencyFields...)
	d.Blocks = r.Refs(blockingFields...)
	spec.AllowedTools = r.Texts("allowedTools", "allowed_tools")
	b.locks(d, r)
	b.gate(d, r)
	b.result(d, r)
	if Fold(peekText(r, statusFields...)) == "blocked" && (len(spec.DependsOn) > 0 || spec.TemporalGate != nil) {
		spec.PlanAhead = false // it says what it waits for
	}
	d.Created(r.Time("createdAt", "created_at", "created", "created_date"))
	return d
}

// acceptanceFields are the names of lists of criteria.
var acceptanceFields = []string{"acceptance", "acceptanceCriteria", "acceptance_criteria", "successCriteria"}

// expect says what there is when the task is done: what it says it expects, its criteria, its description
// or its title. A description that is something else stays as an annotation.
func (b *Builder) expect(d *Draft, r *Record, title string) {
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	spec.ExpectedOutput = r.Text("expectedOutput", "expected_output")
	if spec.ExpectedOutput == "" {
		list, text := criteria(r)
		if spec.ExpectedOutput = strings.TrimSpace(text); len(list) > 0 {
			spec.ExpectedOutput = "- " + strings.Join(list, "\n- ")
		}
	}
	if spec.ExpectedOutput == "" {
		spec.ExpectedOutput = strings.TrimSpace(r.Text("description", "details"))
	}
	if spec.ExpectedOutput == "" {
		spec.ExpectedOutput = or(title, d.ID)
	} else if spec.Title != strings.TrimSpace(title) {
		d.Annotate("title", title)
	}
}

// criteria takes a list of criteria; nil if there is none, or if it is one text, which is returned as it is.
func criteria(r *Record) (list []string, text string) {
	if v, ok := r.Peek(acceptanceFields...); ok && v.Type == String {
		return nil, r.Text(acceptanceFields...)
	}
	return r.Texts(acceptanceFields...), ""
}

// Bullets returns the lines of a list of criteria, without their bullets.
func Bullets(text string) []string {
	var list []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, bullet := range []string{"- [ ] ", "- [x] ", "- [X] ", "- ", "* "} {
			if rest, ok := strings.CutPrefix(line, bullet); ok {
				line = strings.TrimSpace(rest)
				break
			}
		}
		if line != "" {
			list = append(list, line)
		}
	}
	if len(list) == 0 {
		return []string{allDone}
	}
	return list
}

// state sets what is wanted of a task; a word that says more than ours stays.
func (b *Builder) state(d *Draft, r *Record) {
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	word := r.Text(statusFields...)
	s := TaskState(word)
	spec.State, spec.PlanAhead = s.State, s.Ahead
	if word == "" {
		return
	}
	if word != s.State {
		d.Annotate("status", word)
	}
	switch {
	case !s.Known:
		b.report.Note(&b.report.Odd, "unknown status "+word+": planned, never proposed", d.ID)
	case s.Ahead && Fold(word) != "blocked":
		b.report.Note(&b.report.Changed, "status "+word+": planned, never proposed", d.ID)
	}
	switch s.State {
	case resources.TaskFailed, resources.TaskAbandoned:
		spec.Reason = or(r.Text("reason", "close_reason", "closeReason"), word+" in "+b.title)
	case resources.TaskCompleted, resources.TaskReview:
		if s.State == resources.TaskCompleted {
			spec.Result = &resources.TaskResult{Evidence: "marked " + word + " in " + b.title + ", no evidence given"}
		}
	}
}

// priority sets a task's priority; a word that says something else stays.
func (b *Builder) priority(d *Draft, r *Record) {
	word := r.Text("priority")
	if word == "" {
		return
	}
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	if spec.Priority = Priority(word); spec.Priority != word {
		d.Annotate("priority", word)
	}
	if spec.Priority == "" {
		b.report.Note(&b.report.Odd, "unknown priority "+word+": normal", d.ID)
	}
}

// locks sets the files that a task keeps for itself; a pattern that is none stays as an annotation.
func (b *Builder) locks(d *Draft, r *Record) {
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	for _, glob := range r.Texts("fileLocks", "file_locks") {
		probe := newObject(resources.Tasks)
		probe.Head().Metadata.Name = "probe"
		*probe.SpecPointer().(*resources.TaskSpec) = resources.TaskSpec{WorkPlan: "probe", ExpectedOutput: "probe", FileLocks: []string{glob}}
		if len(resources.Validate(probe)) == 0 {
			spec.FileLocks = append(spec.FileLocks, glob)
			continue
		}
		r.Keep("fileLocks", "file_locks")
		b.report.Note(&b.report.Odd, "a file lock that is no path of the repository: left out", d.ID)
	}
}

// gate reads what has to come first, with a reason.
func (b *Builder) gate(d *Draft, r *Record) {
	g := r.Inner("temporalGate")
	if g == nil {
		return
	}
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	if after := g.Text("after", "afterTaskId", "after_task_id", "taskId"); after != "" {
		spec.TemporalGate = &resources.TemporalGate{After: after, Reason: g.Text("reason")}
	}
	d.Rest("temporalGate", g)
}

// result reads what came out of a task.
func (b *Builder) result(d *Draft, r *Record) {
	spec := d.Object.SpecPointer().(*resources.TaskSpec)
	var out resources.TaskResult
	if inner := r.Inner("result"); inner != nil {
		out.Evidence = inner.Text("evidence")
		out.FilesModified = inner.Texts("filesModified")
		out.TestsRun = inner.Text("testsRun")
		out.AnchorsCreated = inner.Texts("anchorsCreated")
		d.Rest("result", inner)
	}
	out.Evidence = or(r.Text("evidence"), out.Evidence)
	out.FilesModified = append(out.FilesModified, r.Texts("artifacts")...)
	switch {
	case out.Evidence == "" && out.TestsRun == "" && len(out.FilesModified) == 0 && len(out.AnchorsCreated) == 0:
	case spec.Result == nil:
		spec.Result = &out
	default:
		out.Evidence = or(out.Evidence, spec.Result.Evidence)
		spec.Result = &out
	}
}

// Rest keeps what is left of a part of a record.
func (d *Draft) Rest(name string, r *Record) {
	for _, f := range r.Rest() {
		d.extra = append(d.extra, Field{name + "." + f.Name, f.Value})
	}
}

// Plan reads a record as a plan. nil: the record was there already.
func (b *Builder) Plan(f File, r *Record) *Draft {
	d := b.Add(resources.WorkPlans, f, r, r.Text(idFields...))
	if d == nil {
		return nil
	}
	title := or(r.Text(titleFields...), d.ID)
	spec := d.Object.SpecPointer().(*resources.WorkPlanSpec)
	list, text := criteria(r)
	if len(list) == 0 {
		list = Bullets(text)
	}
	*spec = resources.WorkPlanSpec{Title: firstLine(title), Acceptance: list, OwnedBy: r.Text("ownedBy", "owned_by", "owner")}
	if spec.Title != title {
		d.Annotate("title", title)
	}
	word := r.Text(statusFields...)
	state, known := PlanState(word)
	spec.State = state
	if word != "" && word != state {
		d.Annotate("status", word)
	}
	if !known {
		b.report.Note(&b.report.Odd, "unknown status "+word+" of a plan: "+state, d.ID)
	}
	spec.Category = b.enum(d, r, resources.WorkPlans, "category")
	spec.GovernanceLevel = b.enum(d, r, resources.WorkPlans, "governanceLevel")
	spec.DependsOn = r.Refs(dependencyFields...)
	d.Created(r.Time("createdAt", "created_at", "created", "created_date"))
	return d
}

// enum takes a field whose words are ours as well; another word stays.
func (b *Builder) enum(d *Draft, r *Record, kind, field string) string {
	v, ok := r.Peek(field)
	if !ok || v.Type != String {
		return ""
	}
	k, _ := resources.KindOf(kind)
	for _, word := range enumOf(k, field) {
		if Fold(word) == Fold(v.Text) {
			r.Take(field)
			if word != v.Text {
				r.Keep(field)
			}
			return word
		}
	}
	b.report.Note(&b.report.Odd, "unknown "+field+" "+v.Text+": left out", d.ID)
	return ""
}

// enumOf returns the words that a field of a kind's spec may hold.
func enumOf(k *resources.Kind, field string) []string {
	f, ok := k.LookupField("spec." + field)
	if !ok {
		return nil
	}
	return f.Enum
}
