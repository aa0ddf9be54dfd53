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

// plan is a PLAN.md with its SUMMARY.md, a todo, or a line of the roadmap alone.
type plan struct {
	phase         *phase
	stem          string // 06-01; "" for the only one of a phase
	file, summary *migrate.File
	said          *planned // by the roadmap; nil if it says nothing
	over          bool     // a todo that is done
	draft         *migrate.Draft
	waits, blocks []string // what it refers to
	wave          int
}

// begun reports whether somebody wrote a plan, or did it.
func (p *plan) begun() bool { return p.file != nil || p.summary != nil || p.said != nil && p.said.done }

// id is what GSD calls the plan, with its phase where the file's name does not say it.
func (p *plan) id() string {
	number, folder := p.phase.number, p.phase.folder
	switch full := fold(p.stem); {
	case folder == quick, folder == todos:
		return p.phase.stream.within(strings.TrimSuffix(folder, "s") + "-" + p.stem)
	case p.stem == "":
		return p.phase.stream.within(cmp.Or(number, folder))
	case number != "" && (full == fold(number) || strings.HasPrefix(full, fold(number)+"-")):
		return p.phase.stream.within(p.stem)
	}
	return p.phase.stream.within(cmp.Or(number, folder) + "-" + p.stem)
}

// is reports whether a reference names the plan: 06-01, 6-1, 06-01-PLAN.md.
func (p *plan) is(ref string) bool { return p.stem != "" && fold(ref) == fold(p.stem) }

// local is the number of the plan in its phase.
func (p *plan) local() string {
	return strings.TrimPrefix(fold(p.stem), fold(p.phase.number)+"-")
}

// spec is what the plan's task says.
func (p *plan) spec() *resources.TaskSpec { return migrate.Spec[resources.TaskSpec](p.draft) }

// reference is around the number of a plan or a phase what only says that it is one.
var reference = migrate.Pattern(`^(?:Plan |plan )?(?:Phase |phase )?(.*?)(?:-SUMMARY)?(?:-PLAN)?(?:\.md)?$`)

// plain are references without what only says that they are some: a folder, -PLAN.md, "Plan", a remark in brackets.
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

// nothing reports texts that say that there is nothing.
func nothing(text string) bool { return saysNothing().MatchString(strings.Trim(text, " .-–—")) }

var saysNothing = migrate.Pattern(`(?i)^(?:(?:none|nothing)(?: .*)?|n/a)?$`)

// document reads a file of a plan; one that is not there is empty.
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

// make makes the task of a plan, and mems of what was decided in it. false: it was there already.
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

// source is the file that says most of a plan.
func (p *plan) source() migrate.File {
	switch {
	case p.file != nil:
		return *p.file
	case p.summary != nil:
		return *p.summary
	}
	return p.phase.file
}

// finish says where to look, and keeps what nobody asked for.
func (p *plan) finish(head, after *migrate.Record, files []string) {
	spec := p.spec()
	for _, text := range files {
		if file, line := position(text); isFile(file) {
			spec.Source = &resources.TaskSource{File: path.Clean(file), Line: line}
			break
		}
	}
	if open := !migrate.IsOver(spec.State); open && (p.file == nil || p.phase.folder == todos) {
		spec.PlanAhead = true // GSD plans it before anybody does it
	}
	p.draft.LeaveRest("", head)
	p.draft.LeaveRest("summary.", after)
	if r := &p.phase.stream.Report; p.summary == nil && p.file != nil && spec.State == resources.TaskCompleted {
		r.Note(&r.Changed, "ticked, without a SUMMARY.md: completed, with nothing that shows it", p.draft.ID)
	}
}

// position takes a line off a path, src/bell.go:7.
func position(text string) (file string, line int) {
	file, number, _ := strings.Cut(text, ":")
	if line, err := strconv.Atoi(number); err == nil && line > 0 {
		return file, line
	}
	return text, 0
}

// isFile reports whether a text is the path of a file of the repository.
func isFile(text string) bool {
	return !strings.HasSuffix(text, "/") && !strings.ContainsAny(text, " *?[]{}`\"") && strings.ContainsAny(text, "./") && resources.Outside(path.Clean(text)) == ""
}

// status is the word for what a plan is in: completed where there is a summary that says nothing else, or where the roadmap
// ticks it or its phase.
func (p *plan) status(head, after *migrate.Record) string {
	before, since := head.Text("status"), after.Text("status")
	switch {
	case p.summary != nil && !unfinished().MatchString(since):
		return resources.TaskCompleted
	case p.summary != nil:
		return since
	case migrate.IsOver(migrate.TaskState(before).State):
		return before
	case p.over, p.said != nil && p.said.done, p.phase.done():
		return resources.TaskCompleted
	}
	return before
}

// unfinished are words of a summary for something that did not come to its end.
var unfinished = migrate.Pattern(`(?i)^(?:partial|timeout|in.?progress|incomplete|failed|\w*blocked)`)

// summaryTitle is the heading of a summary, "Phase 6 Plan 01: Launch Summary".
var summaryTitle = migrate.Pattern(`^(?:[^:]*:\s*)?(.*?)(?:\s+Summary)?$`)

// title is what a plan is called, by the first that says it.
func (p *plan) title(head *migrate.Record, text parts, doc, sum markdown.Document) string {
	line, heading := "", ""
	if p.said != nil {
		line = p.said.text
	}
	for _, s := range sum.Sections() {
		if s.Level == 1 && heading == "" {
			heading = summaryTitle().FindStringSubmatch(s.Title)[1]
		}
	}
	title := cmp.Or(head.Text("title"), line, text.first, sentence(between(objective, doc.Body)), heading, text.paragraph)
	return cmp.Or(strings.TrimSpace(title), p.id())
}

// output is the line of an objective that says what there will be.
var output = migrate.Pattern(`(?m)^\**Output:?\**:?\s*(.+)$`)

// expected is what there is when a plan is done; "" where only its title says it.
func (p *plan) expected(doc markdown.Document, head *migrate.Record) string {
	if list := truths(head); len(list) > 0 {
		return "- " + strings.Join(list, "\n- ")
	}
	said := ""
	if p.said != nil {
		said = p.said.text
	}
	return cmp.Or(between(criteria, doc.Body), between(output, between(objective, doc.Body)), said)
}

// truths are what must be true when a plan is done.
func truths(head *migrate.Record) []string {
	v, _ := head.Peek("must_haves")
	inner, _ := v.At("truths")
	return textsOf(inner)
}

// description is the text of a plan, with what its YAML says for whoever does it.
func (p *plan) description(head *migrate.Record, text parts, files []string) string {
	goal := ""
	if p.phase.said != nil {
		goal = p.phase.said.goal
	}
	return migrate.Markdown(
		migrate.Passage{Text: named("Goal of the phase: ", goal)}, migrate.Passage{Text: text.text}, migrate.Passage{Text: named("Files: ", strings.Join(files, ", "))},
		migrate.Passage{Heading: "Must be there", Text: mustHave(head)}, migrate.Passage{Heading: "Requirements", Text: p.required(head)},
	)
}

// named is a text with what it is before it; "" for none.
func named(name, text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return name + strings.TrimSpace(text)
}

// mustHave lists what must be there, and what must be connected.
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
	artifacts, _ := v.At("artifacts")
	for _, r := range migrate.Records(artifacts) {
		line(r.Text("path", "title", "value"), ": ", r.Text("provides"))
	}
	links, _ := v.At("key_links")
	for _, r := range migrate.Records(links) {
		line(r.Text("from", "title", "value"), " uses ", r.Text("to"), ": ", r.Text("via"))
	}
	return b.String()
}

// required lists the requirements of a plan, with what they say.
func (p *plan) required(head *migrate.Record) string {
	var b strings.Builder
	for _, id := range head.Texts("requirements", "requirements_addressed") {
		b.WriteString(strings.TrimRight("- "+id+": "+p.phase.stream.requirements[id], ": ") + "\n")
	}
	return b.String()
}

// startedAt is the line of a summary that says when somebody began.
var startedAt = migrate.Pattern(`\*\*Started:\*\*\s*(\S+)`)

// started is when a plan was begun: it was there by then. "" if its summary does not say it.
func started(sum markdown.Document) string {
	at := between(startedAt, sum.Body)
	if _, ok := migrate.ParseTime(migrate.Text(at)); !ok {
		return ""
	}
	return at
}

// result is what came out, as the mapper reads it.
func result(out outcome, after *migrate.Record) migrate.Value {
	v, _ := after.Take("key-files")
	created, _ := v.At("created")
	modified, _ := v.At("modified")
	var files []string
	for _, text := range slices.Concat(textsOf(migrate.Value{Type: migrate.List, Items: v.Items}), textsOf(created), textsOf(modified)) {
		file, _, _ := strings.Cut(text, " ") // what it is follows
		if file = strings.Trim(file, "`,:"); isFile(file) {
			files = append(files, file)
		}
	}
	return migrate.Made("evidence", out.said, "testsRun", out.tests, "filesModified", resources.Distinct(files...)).Value
}

// lessons is the table of what a summary says was learnt.
var lessons = [...]struct{ name, sort string }{{"key-decisions", "decision"}, {"decisions", "decision"}, {"patterns-established", "pattern"}}

// learnt makes mems of what was learnt.
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
