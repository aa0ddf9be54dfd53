package speckit

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// phase is a part of a tasks.md, in the order of the file.
type phase struct {
	title string // "" for tasks that stand below no heading
	tasks []task
	prose []string // what is said of all of it
	// unnumbered are the lines of to-dos that are no tasks.
	unnumbered []int
}

// task is a line with what is indented below it.
type task struct {
	id, mark, text string
	parallel       bool
	story          string
	line           int
	more           []string
	waits          []string // ids of what comes before it
}

// taskLine matches "- [ ] T012 text", in bold or not, and tag what follows the id: [P], [US1].
var (
	taskLine = migrate.Pattern(`^\s*[-*+] \[(.)\] \**(T\d\w*(?:\.\d+)*)\**:?\**\s+(.*)$`)
	tag      = migrate.Pattern(`^\**\[(P|US\d+)\]\**:?\s*`)
)

// phasesOf takes a tasks.md apart; phases without tasks are left out.
func phasesOf(doc markdown.Document) []phase {
	var all []phase
	at := phase{}
	for _, s := range doc.Sections() {
		if s.Level == 1 || s.Level == 2 {
			all, at = append(all, at), phase{title: s.Title}
		}
		for i, line := range s.Lines {
			at.read(line, s.Line+1+i)
		}
	}
	return slices.DeleteFunc(append(all, at), func(p phase) bool { return len(p.tasks) == 0 })
}

// read takes a line of a phase for a task, for what belongs to the one before it, or for what is said of all.
func (p *phase) read(line string, number int) {
	text, last := strings.TrimSpace(line), len(p.tasks)-1
	if m := taskLine().FindStringSubmatch(line); m != nil {
		p.tasks = append(p.tasks, newTask(m[1], m[2], m[3], number))
		return
	}
	switch indented := line != strings.TrimLeft(line, " \t"); {
	case last >= 0 && (indented || text == "" && len(p.tasks[last].more) > 0):
		p.tasks[last].more = append(p.tasks[last].more, strings.TrimPrefix(line, "  "))
	case text != "" && text != "---":
		p.prose = append(p.prose, text)
		if strings.HasPrefix(text, "- [ ] ") {
			p.unnumbered = append(p.unnumbered, number)
		}
	}
}

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

// wide is how many parallel tasks at the end of a phase each task of the next one waits for. Of more than that the last one
// waits for the others, and the next phase for that, so that two phases of a thousand tasks are no million of dependencies.
const wide = 16

// order says what each task waits for, and returns the ids of those that wait for more than the file says.
func order(phases []phase) (changed []string) {
	var before []string // what the phase before ends with
	for _, p := range phases {
		barrier, open := before, []string(nil) // what those with [P] wait for, and those of them since
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

// said finds what a text says it depends on, and inPath a file with its folder.
var (
	said   = migrate.Pattern(`(?i)\b(?:depends on|dependencies\**:)\**\s*((?:T\d\w*(?:\s*,\s*|\s+and\s+)?)+)`)
	number = migrate.Pattern(`T\d\w*`)
	inPath = migrate.Pattern("(?:^|[\\s`(])((?:[\\w@.-]+/)+[\\w@.-]*\\w\\.[A-Za-z]\\w{0,9})(?:$|[\\s`),;:.])")
)

// record is a task as the common mapper reads it.
func (t *task) record(p phase) *migrate.Record {
	const most = 1500 // of what is said of a phase: each of its tasks repeats it
	more := strings.TrimRight(strings.Join(t.more, "\n"), "\n ")
	mark := strings.TrimSpace(t.mark)
	if strings.EqualFold(mark, "x") {
		mark = "completed"
	}
	r := migrate.Made("id", t.id, "title", t.text, "status", mark, "description", more, "notes", migrate.Beginning(strings.Join(p.prose, "\n"), most),
		"story", t.story, "path", pathIn(t.text), "dependsOn", append(slices.Clone(t.waits), saidIn(t.text+"\n"+more)...),
		"expectedOutput", t.text, "line", strconv.Itoa(t.line))
	r.Drop("line") // it tells two lines apart that say the same, and moves with each line before it
	return r
}

// saidIn are the ids that a text says the task depends on.
func saidIn(text string) []string {
	var ids []string
	for _, m := range said().FindAllStringSubmatch(text, -1) {
		ids = append(ids, number().FindAllString(m[1], -1)...)
	}
	return ids
}

// pathIn is the first path of a file in a text that is one of the repository; "" if there is none.
func pathIn(text string) string {
	for _, m := range inPath().FindAllStringSubmatch(text, -1) {
		if file := path.Clean(m[1]); resources.Outside(file) == "" {
			return file
		}
	}
	return ""
}
