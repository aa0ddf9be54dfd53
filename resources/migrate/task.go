package migrate

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Task reads a record as a task of a plan with a parent. The three IDs may be empty. It
// returns nil for an identical record.
func (b *Builder) Task(f File, r *Record, id, plan, parent string) *Draft {
	d := b.Add(resources.Tasks, f, r, id)
	if d == nil {
		return nil
	}
	title := r.Text(strings.Fields(titleNames)...)
	spec := Spec[resources.TaskSpec](d)
	*spec = resources.TaskSpec{WorkPlan: plan, Parent: parent, Title: firstLine(or(title, d.ID))}
	b.Map(d)
	d.expect(title)
	word := b.state(d)
	b.locks(d)
	d.Blocks = r.Refs(strings.Fields(comesAfter)...)
	gate := r.Inner("temporalGate")
	if after := gate.Text("after", "afterTaskId", "taskId"); after != "" {
		spec.TemporalGate = &resources.TemporalGate{After: after, Reason: gate.Text("reason")}
	}
	d.result()
	if Fold(word) == "blocked" && (len(spec.DependsOn) > 0 || spec.TemporalGate != nil) {
		spec.PlanAhead = false // its dependencies are known
	}
	return d
}

// expect sets the expected output: the field itself, the criteria, the description if there
// are separate details, or the title. It also sets the description and the notes.
func (d *Draft) expect(title string) {
	spec, r := Spec[resources.TaskSpec](d), d.Record
	spec.ExpectedOutput = r.Text("expectedOutput")
	if spec.ExpectedOutput == "" {
		list, text := criteria(r)
		if spec.ExpectedOutput = strings.TrimSpace(text); len(list) > 0 {
			spec.ExpectedOutput = "- " + strings.Join(list, "\n- ")
		}
	}
	description, details := strings.TrimSpace(r.Text("description")), strings.TrimSpace(r.Text("details"))
	if spec.ExpectedOutput == "" && details != "" {
		spec.ExpectedOutput, description = description, ""
	}
	spec.Description = Markdown(Passage{"", description}, Passage{"", details})
	var notes []Passage
	for _, row := range noteRows {
		notes = append(notes, Passage{row.heading, r.Text(strings.Fields(row.names)...)})
	}
	spec.Notes = Markdown(notes...)
	if spec.ExpectedOutput == "" {
		spec.ExpectedOutput = or(title, d.ID)
	} else if spec.Title != strings.TrimSpace(title) {
		d.Annotate("title", title)
	}
}

// noteRows lists the fields that become sections of a task's notes, with their headings.
var noteRows = [...]struct{ names, heading string }{
	{"design", "Design"}, {"plan implementationPlan", "Plan"}, {"testStrategy", "Test strategy"}, {"notes implementationNotes", NotesHeading},
}

// NotesHeading is the heading of the notes section. It is omitted if there are no other
// sections.
const NotesHeading = "Notes"

// Passage is a part of a text with a heading, which may be empty.
type Passage struct{ Heading, Text string }

// Markdown joins the passages that are not blank. It omits the heading NotesHeading of a
// single passage.
func Markdown(passages ...Passage) string {
	passages = slices.DeleteFunc(passages, func(p Passage) bool { return strings.TrimSpace(p.Text) == "" })
	var parts []string
	for _, p := range passages {
		text := strings.TrimSpace(p.Text)
		if p.Heading != "" && (p.Heading != NotesHeading || len(passages) > 1) {
			text = "## " + p.Heading + "\n\n" + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n")
}

// state sets the state of a task, with the reason or the evidence that it
// requires, and reports an unknown word. It returns the source's word.
func (b *Builder) state(d *Draft) (word string) {
	spec := Spec[resources.TaskSpec](d)
	word = d.Record.Text(strings.Fields(statusNames)...)
	s := TaskState(word)
	spec.State, spec.PlanAhead = s.State, s.PlanAhead
	switch {
	case !s.IsKnown:
		b.Report.Note(&b.Report.Odd, "unknown status "+word+": planned, never proposed", d.ID)
	case s.PlanAhead && Fold(word) != "blocked":
		b.Report.Note(&b.Report.Changed, "status "+word+": planned, never proposed", d.ID)
	}
	switch s.State {
	case resources.TaskFailed, resources.TaskAbandoned:
		spec.Reason = or(d.Record.Text("reason", "closeReason"), word+" in "+b.title)
	case resources.TaskCompleted:
		spec.Result = &resources.TaskResult{Evidence: "marked " + word + " in " + b.title + ", no evidence given"}
	}
	return word
}

// priority returns the priority of a record, or "". It reports an unknown word
// of a task.
func (b *Builder) priority(d *Draft) string {
	word := d.Record.Text("priority")
	ours := Priority(word)
	if ours == "" && word != "" && d.Object.Key().Kind == resources.Tasks {
		b.Report.Note(&b.Report.Odd, "unknown priority "+word+": normal", d.ID)
	}
	return ours
}

// locks sets the file locks of a task. It reports invalid patterns and paths
// outside the repository.
func (b *Builder) locks(d *Draft) {
	spec := Spec[resources.TaskSpec](d)
	for _, glob := range d.Record.Texts("fileLocks") {
		if resources.OutsideReason(glob) == "" && resources.CheckGlob(glob) == nil {
			spec.FileLocks = append(spec.FileLocks, glob)
			continue
		}
		b.Report.Note(&b.Report.Odd, "a file lock that is no path of the repository: left out", d.ID)
	}
}

// result reads the result of a task.
func (d *Draft) result() {
	spec, r := Spec[resources.TaskSpec](d), d.Record
	inner := r.Inner("result")
	out := resources.TaskResult{
		Evidence: or(r.Text("evidence"), inner.Text("evidence")), FilesModified: append(inner.Texts("filesModified"), r.Texts("artifacts")...),
		TestsRun: inner.Text("testsRun"), AnchorsCreated: inner.Texts("anchorsCreated"),
	}
	if out.Evidence == "" && out.TestsRun == "" && len(out.FilesModified) == 0 && len(out.AnchorsCreated) == 0 {
		return
	}
	if spec.Result != nil {
		out.Evidence = or(out.Evidence, spec.Result.Evidence)
	}
	spec.Result = &out
}
