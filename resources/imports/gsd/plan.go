package gsd

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// plan is a PLAN.md with its SUMMARY.md, a todo, or a line in the roadmap.
type plan struct {
	phase         *phase
	stem          string // 06-01; empty for the only plan of a phase
	file, summary *migrate.File
	planned       *planned // roadmap line, or nil
	done          bool     // a completed todo
	draft         *migrate.Draft
	waits, blocks []string // references to dependencies and dependents
	wave          int
}

// begun reports whether a plan was written or done.
func (p *plan) begun() bool {
	return p.file != nil || p.summary != nil || p.planned != nil && p.planned.done
}

// id returns the ID of the plan. It adds the phase if the file name does not contain it.
func (p *plan) id() string {
	number, folder := p.phase.number, p.phase.folder
	switch full := fold(p.stem); {
	case folder == quick, folder == todos:
		return p.phase.stream.qualifiedID(strings.TrimSuffix(folder, "s") + "-" + p.stem)
	case p.stem == "":
		return p.phase.stream.qualifiedID(cmp.Or(number, folder))
	case number != "" && (full == fold(number) || strings.HasPrefix(full, fold(number)+"-")):
		return p.phase.stream.qualifiedID(p.stem)
	}
	return p.phase.stream.qualifiedID(cmp.Or(number, folder) + "-" + p.stem)
}

// is reports whether a reference names the plan: 06-01, 6-1, 06-01-PLAN.md.
func (p *plan) is(ref string) bool { return p.stem != "" && fold(ref) == fold(p.stem) }

// local returns the number of the plan in its phase.
func (p *plan) local() string {
	return strings.TrimPrefix(fold(p.stem), fold(p.phase.number)+"-")
}

// spec returns the spec of the plan's task.
func (p *plan) spec() *resources.TaskSpec { return migrate.Spec[resources.TaskSpec](p.draft) }

// reference matches the number of a plan or phase with optional words around it.
var reference = migrate.Pattern(`^(?:Plan |plan )?(?:Phase |phase )?(.*?)(?:-SUMMARY)?(?:-PLAN)?(?:\.md)?$`)

// plain removes directories, -PLAN.md, "Plan" and remarks in brackets from references.
func plain(refs []string) []string {
	var list []string
	for _, ref := range refs {
		ref = inWords().ReplaceAllString(path.Base(strings.TrimSpace(ref)), "")
		if m := reference().FindStringSubmatch(ref); m != nil && !nothing(strings.TrimSpace(m[1])) {
			list = append(list, strings.TrimSpace(m[1]))
		}
	}
	return list
}

// nothing reports whether a text means that there is nothing.
func nothing(text string) bool { return saysNothing().MatchString(strings.Trim(text, " .-–—")) }

var saysNothing = migrate.Pattern(`(?i)^(?:(?:none|nothing)(?: .*)?|n/a)?$`)

// document parses a file of a plan. A missing file is empty.
func (p *plan) document(f *migrate.File) (markdown.Document, *migrate.Record) {
	if f == nil {
		return markdown.Document{}, migrate.NewRecord(migrate.Value{Type: migrate.Object})
	}
	doc := markdown.Parse(f.Data)
	if doc.Damage != "" {
		p.phase.stream.Damage(*f, doc.Damage)
	}
	return doc, migrate.NewRecord(doc.Head)
}

// make creates the task of a plan, and mems for its decisions. It returns false for an
// identical record.
func (p *plan) make() bool {
	b := p.phase.stream
	doc, head := p.document(p.file)
	sum, after := p.document(p.summary)
	text, out := partsOf(doc.Body), outcomeOf(sum)
	p.waits, p.blocks = plain(head.Refs("depends_on", "dependencies")), plain(head.Refs("blocks"))
	p.wave, _ = strconv.Atoi(head.Text("wave"))
	head.Drop("phase", "plan")
	after.Drop("phase", "plan")
	files := head.Texts("files_modified", "files")
	title := p.title(head, text, doc, sum)
	p.draft = b.Task(p.source(), migrate.Made(
		"title", title, "status", p.status(head, after), "expectedOutput", cmp.Or(p.expected(doc, head), title),
		"description", p.description(head, text, files), "notes", out.text, "result", result(out, after),
		"created", cmp.Or(head.Text("created"), started(sum), after.Text("completed", "completed_at", "completed_date", "date")),
	), p.id(), p.phase.id, "")
	if p.draft == nil {
		return false
	}
	p.learnt(after)
	p.finish(head, after, files)
	return true
}

// source returns the file with the most information about a plan.
func (p *plan) source() migrate.File {
	switch {
	case p.file != nil:
		return *p.file
	case p.summary != nil:
		return *p.summary
	}
	return p.phase.file
}

// finish sets the source file, sets planAhead for a todo or a plan without a
// file, and reports unused fields.
func (p *plan) finish(head, after *migrate.Record, files []string) {
	spec := p.spec()
	for _, text := range files {
		if file, line := position(text); looksLikePath(file) {
			spec.Source = &resources.TaskSource{File: path.Clean(file), Line: line}
			break
		}
	}
	if open := !migrate.IsOver(spec.State); open && (p.file == nil || p.phase.folder == todos) {
		spec.PlanAhead = true // GSD plans before the work starts
	}
	p.draft.LeaveRest("", head)
	p.draft.LeaveRest("summary.", after)
	if r := &p.phase.stream.Report; p.summary == nil && p.file != nil && spec.State == resources.TaskCompleted {
		r.Note(&r.Changed, "ticked, without a SUMMARY.md: completed without evidence", p.draft.ID)
	}
}

// position splits a path and a line, src/bell.go:7.
func position(text string) (file string, line int) {
	file, number, _ := strings.Cut(text, ":")
	if line, err := strconv.Atoi(number); err == nil && line > 0 {
		return file, line
	}
	return text, 0
}

// looksLikePath reports whether a text has the form of the path of a repository file.
func looksLikePath(text string) bool {
	return !strings.HasSuffix(text, "/") && !strings.ContainsAny(text, " *?[]{}`\"") && strings.ContainsAny(text, "./") && resources.OutsideReason(path.Clean(text)) == ""
}

// status returns the word for the state of a plan: completed if there is a summary that
// does not state otherwise, or if the plan or its phase is checked off in the roadmap.
func (p *plan) status(head, after *migrate.Record) string {
	before, since := head.Text("status"), after.Text("status")
	switch {
	case p.summary != nil && !unfinished().MatchString(since):
		return resources.TaskCompleted
	case p.summary != nil:
		return since
	case migrate.IsOver(migrate.TaskState(before).State):
		return before
	case p.done, p.planned != nil && p.planned.done, p.phase.done():
		return resources.TaskCompleted
	}
	return before
}

// unfinished matches words in a summary for incomplete work.
var unfinished = migrate.Pattern(`(?i)^(?:partial|timeout|in.?progress|incomplete|failed|\w*blocked)`)

// summaryTitle matches the heading of a summary, "Phase 6 Plan 01: Launch Summary".
var summaryTitle = migrate.Pattern(`^(?:[^:]*:\s*)?(.*?)(?:\s+Summary)?$`)

// title returns the title of a plan from the best available source.
func (p *plan) title(head *migrate.Record, text parts, doc, sum markdown.Document) string {
	line, heading := "", ""
	if p.planned != nil {
		line = p.planned.text
	}
	for _, s := range sum.Sections() {
		if s.Level == 1 && heading == "" {
			heading = summaryTitle().FindStringSubmatch(s.Title)[1]
		}
	}
	title := cmp.Or(head.Text("title"), line, text.first, sentence(firstMatch(objective, doc.Body)), heading, text.paragraph)
	return cmp.Or(strings.TrimSpace(title), p.id())
}

// output matches the line of an objective with the result.
var output = migrate.Pattern(`(?m)^\**Output:?\**:?\s*(.+)$`)

// expected returns the expected output of a plan. It returns "" if only the title describes
// it.
func (p *plan) expected(doc markdown.Document, head *migrate.Record) string {
	if list := truths(head); len(list) > 0 {
		return "- " + strings.Join(list, "\n- ")
	}
	said := ""
	if p.planned != nil {
		said = p.planned.text
	}
	return cmp.Or(firstMatch(criteria, doc.Body), firstMatch(output, firstMatch(objective, doc.Body)), said)
}

// truths returns the conditions that must be true when a plan is done.
func truths(head *migrate.Record) []string {
	v, _ := head.Peek("must_haves")
	inner, _ := v.Lookup("truths")
	return textsOf(inner)
}

// description returns the text of a plan with the relevant fields of its front matter.
func (p *plan) description(head *migrate.Record, text parts, files []string) string {
	goal := ""
	if p.phase.entry != nil {
		goal = p.phase.entry.goal
	}
	return migrate.Markdown(
		migrate.Passage{Text: named("Goal of the phase: ", goal)}, migrate.Passage{Text: text.text}, migrate.Passage{Text: named("Files: ", strings.Join(files, ", "))},
		migrate.Passage{Heading: "Must be there", Text: mustHave(head)}, migrate.Passage{Heading: "Requirements", Text: p.required(head)},
	)
}

// named returns a text with a label before it, or "".
func named(name, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return name + strings.TrimSpace(text)
}

// mustHave lists the artifacts and links that the front matter of a plan
// requires. It marks the field as used.
func mustHave(head *migrate.Record) string {
	v, _ := head.Peek("must_haves")
	if v.Type == migrate.Object {
		head.Drop("must_haves")
	}
	var b strings.Builder
	line := func(parts ...string) {
		if text := strings.TrimRight(strings.Join(parts, ""), ": "); text != "" {
			b.WriteString("- " + text + "\n")
		}
	}
	artifacts, _ := v.Lookup("artifacts")
	for _, r := range migrate.Records(artifacts) {
		line(r.Text("path", "title", "value"), ": ", r.Text("provides"))
	}
	links, _ := v.Lookup("key_links")
	for _, r := range migrate.Records(links) {
		line(r.Text("from", "title", "value"), " uses ", r.Text("to"), ": ", r.Text("via"))
	}
	return b.String()
}

// required lists the requirements of a plan with their texts.
func (p *plan) required(head *migrate.Record) string {
	var b strings.Builder
	for _, id := range head.Texts("requirements", "requirements_addressed") {
		b.WriteString(strings.TrimRight("- "+id+": "+p.phase.stream.requirements[id], ": ") + "\n")
	}
	return b.String()
}

// startedAt matches the line of a summary with the start time.
var startedAt = migrate.Pattern(`\*\*Started:\*\*\s*(\S+)`)

// started returns the start time in a summary, or "". It serves as the creation time.
func started(sum markdown.Document) string {
	at := firstMatch(startedAt, sum.Body)
	if _, ok := migrate.ParseTime(migrate.Text(at)); !ok {
		return ""
	}
	return at
}

// result returns the result in the format of the mapper.
func result(out outcome, after *migrate.Record) migrate.Value {
	v, _ := after.Take("key-files")
	created, _ := v.Lookup("created")
	modified, _ := v.Lookup("modified")
	var files []string
	for _, text := range slices.Concat(textsOf(migrate.Value{Type: migrate.List, Items: v.Items}), textsOf(created), textsOf(modified)) {
		file, _, _ := strings.Cut(text, " ") // a description follows
		if file = strings.Trim(file, "`,:"); looksLikePath(file) {
			files = append(files, file)
		}
	}
	return migrate.Made("evidence", out.said, "testsRun", out.tests, "filesModified", resources.Distinct(files...)).Value
}

// lessons maps fields of a summary to types of mems.
var lessons = [...]struct{ name, sort string }{{"key-decisions", "decision"}, {"decisions", "decision"}, {"patterns-established", "pattern"}}

// learnt creates mems from the lessons in a summary, such as decisions.
func (p *plan) learnt(after *migrate.Record) {
	created := ""
	if t := p.draft.Meta().CreationTimestamp; !t.IsZero() {
		created = t.UTC().Format("2006-01-02T15:04:05Z")
	}
	for _, row := range lessons {
		v, _ := after.Take(row.name)
		for _, text := range textsOf(v) {
			if id := p.draft.ID; !nothing(text) {
				p.phase.stream.Mem(p.source(), migrate.Made("id", id+"-"+row.sort+"-"+migrate.DigestOf(text), "content", text, "type", row.sort, "originTask", id, "created", created))
			}
		}
	}
}
