package speckit

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// phase is a section of a tasks.md, in file order.
type phase struct {
	title string // empty for tasks before the first heading
	tasks []task
	prose []string // text that applies to the entire phase
	// unnumbered contains the lines of to-dos that are not tasks.
	unnumbered []int
}

// task is a task line of a tasks.md with the indented text below it.
type task struct {
	id, mark, text string
	parallel       bool
	story          string
	line           int
	details        []string
	waits          []string // IDs of its prerequisites
}

// taskLine matches "- [ ] T012 text", optionally in bold. tag matches the tags after the
// ID: [P], [US1].
var (
	taskLine = migrate.Pattern(`^\s*[-*+] \[(.)\] \**(T\d\w*(?:\.\d+)*)\**:?\**\s+(.*)$`)
	tag      = migrate.Pattern(`^\**\[(P|US\d+)\]\**:?\s*`)
)

// parseLine adds a line of a phase: a task, text of the previous task, or text of the phase.
func (p *phase) parseLine(line string, number int) {
	text, last := strings.TrimSpace(line), len(p.tasks)-1
	if m := taskLine().FindStringSubmatch(line); m != nil {
		p.tasks = append(p.tasks, newTask(m[1], m[2], m[3], number))
		return
	}
	switch indented := line != strings.TrimLeft(line, " \t"); {
	case last >= 0 && (indented || text == "" && len(p.tasks[last].details) > 0):
		p.tasks[last].details = append(p.tasks[last].details, strings.TrimPrefix(line, "  "))
	case text != "" && text != "---":
		p.prose = append(p.prose, text)
		if strings.HasPrefix(text, "- [ ] ") {
			p.unnumbered = append(p.unnumbered, number)
		}
	}
}

// newTask parses a task line. Its tags [P] and [US1] are removed from the text.
func newTask(mark, id, text string, line int) task {
	t := task{id: id, mark: mark, line: line}
	for m := tag().FindStringSubmatch(text); m != nil; m = tag().FindStringSubmatch(text) {
		if text = text[len(m[0]):]; m[1] == "P" {
			t.parallel = true
		} else {
			t.story = m[1]
		}
	}
	t.text = strings.TrimSpace(text)
	return t
}

// wide limits the parallel tasks at the end of a phase for which each task of the next
// phase waits. With more tasks, the last one waits for the rest and the next phase waits
// for the last one. Otherwise two phases with a thousand tasks each would have a million
// dependencies.
const wide = 16

// order sets the dependencies of each task, and returns the IDs of tasks with additional
// dependencies.
func order(phases []phase) (changed []string) {
	var before []string // last tasks of the previous phase
	for _, p := range phases {
		barrier, open := before, []string(nil) // dependencies of tasks with [P], and such tasks since then
		for i := range p.tasks {
			t := &p.tasks[i]
			switch {
			case t.parallel:
				t.waits, open = barrier, append(open, t.id)
				continue
			case len(open) > 0:
				t.waits = open
			default:
				t.waits = barrier
			}
			barrier, open = []string{t.id}, nil
		}
		if len(open) > wide {
			last := &p.tasks[len(p.tasks)-1]
			last.waits, open, changed = open[:len(open)-1], []string{last.id}, append(changed, last.id)
		}
		if before = open; len(before) == 0 {
			before = barrier
		}
	}
	return changed
}

// dependencies matches explicit dependencies in a text. inPath matches a path with a directory.
var (
	dependencies = migrate.Pattern(`(?i)\b(?:depends on|dependencies\**:)\**\s*((?:T\d\w*(?:\s*,\s*|\s+and\s+)?)+)`)
	number       = migrate.Pattern(`T\d\w*`)
	inPath       = migrate.Pattern("(?:^|[\\s`(])((?:[\\w@.-]+/)+[\\w@.-]*\\w\\.[A-Za-z]\\w{0,9})(?:$|[\\s`),;:.])")
)

// record returns a task in the format of the mapper.
func (t *task) record(p phase) *migrate.Record {
	const most = 1500 // limit of the phase text, because each of its tasks repeats it
	more := strings.TrimRight(strings.Join(t.details, "\n"), "\n ")
	mark := strings.TrimSpace(t.mark)
	if strings.EqualFold(mark, "x") {
		mark = "completed"
	}
	r := migrate.Made("id", t.id, "title", t.text, "status", mark, "description", more, "notes", migrate.Beginning(strings.Join(p.prose, "\n"), most),
		"story", t.story, "path", pathIn(t.text), "dependsOn", append(slices.Clone(t.waits), saidIn(t.text+"\n"+more)...),
		"expectedOutput", t.text, "line", strconv.Itoa(t.line))
	r.Drop("line") // it distinguishes identical lines, and changes when lines are inserted before it
	return r
}

// saidIn returns the IDs of explicit dependencies in a text.
func saidIn(text string) []string {
	var ids []string
	for _, m := range dependencies().FindAllStringSubmatch(text, -1) {
		ids = append(ids, number().FindAllString(m[1], -1)...)
	}
	return ids
}

// pathIn returns the first path of a repository file in a text, or "".
func pathIn(text string) string {
	for _, m := range inPath().FindAllStringSubmatch(text, -1) {
		if file := path.Clean(m[1]); resources.OutsideReason(file) == "" {
			return file
		}
	}
	return ""
}
