package resources

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Steps returns the open items. If the list has no items, it returns the steps
// of the plan.
func (l *TodoList) Steps() []Todo {
	if len(l.Items) > 0 {
		return l.Open()
	}
	var steps []Todo
	for line := range strings.Lines(l.Plan) {
		if text := planStep(line); text != "" && len(steps) < maxTodos {
			steps = append(steps, Todo{Text: clean(text), State: TodoPending})
		}
	}
	return steps
}

// planStep returns the text of a step of a plan in Markdown: an item of a list that is not indented. It returns "" for
// another line, and for a step that is done.
func planStep(line string) string {
	rest := strings.TrimLeft(line, "0123456789")
	marks := "-*+"
	if rest != line {
		marks = ".)"
	}
	if rest == "" || strings.IndexByte(marks, rest[0]) < 0 {
		return ""
	}
	text := strings.TrimLeft(rest[1:], " \t")
	if text == rest[1:] || strings.HasPrefix(strings.ToLower(text), "[x] ") {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(text, "[ ] "))
}

// TodoProject holds the facts about a project from which tasks of a to-do list are proposed.
type TodoProject struct {
	Pattern func(file string) string // the pattern of a named file or directory; "" if it is neither
	Test    string                   // command that runs the tests; may be empty
}

// NewTasks proposes a task of a plan for each step without a task, in order. A task gets the files that the step
// names as paths. It gets the test command as evidence if it names a file other than a document, or a test. current
// is the index of the task of the item in progress, or -1.
func (l *TodoList) NewTasks(plan string, project TodoProject) (steps []Todo, tasks []*Task, current int) {
	named, used := map[string]string{}, map[string]bool{}
	for _, t := range l.Items {
		if t.Task != "" {
			named[t.ID], used[t.Task] = t.Task, true
		}
	}
	steps, current = slices.DeleteFunc(l.Steps(), func(t Todo) bool { return t.Task != "" }), -1
	for i, step := range steps {
		first := plan + "-" + cmp.Or(NameOf(step.Text), "step")
		name := first
		for n := 2; used[name]; n++ {
			name = fmt.Sprintf("%s-%d", first, n)
		}
		named[step.ID], used[name] = name, true
		t := New[*Task](Tasks, name)
		t.Spec.WorkPlan, t.Spec.Title, t.Spec.ExpectedOutput = plan, step.Text, step.Text
		project.propose(&t.Spec, step.Text)
		tasks = append(tasks, t)
		if step.State == TodoActive && current < 0 {
			current = i
		}
	}
	for i, step := range steps {
		for _, id := range step.BlockedBy {
			on, spec := named[id], &tasks[i].Spec
			if on != "" && id != "" && on != tasks[i].Metadata.Name && !slices.Contains(spec.DependsOn, on) { // done items block nothing
				spec.DependsOn = append(spec.DependsOn, on)
			}
		}
	}
	return steps, tasks, current
}

// Adopt records that a plan and its tasks were made of steps of the list.
func (l *TodoList) Adopt(plan string, steps []Todo, tasks []*Task) {
	l.Adopted = plan
	for i, step := range steps {
		if j := slices.IndexFunc(l.Items, func(t Todo) bool { return t.Task == "" && t.ID == step.ID && t.Text == step.Text }); j >= 0 {
			l.Items[j].Task, l.Items[j].Followed = tasks[i].Metadata.Name, true
		}
	}
}

// namesTests reports whether a text contains a word about tests.
func namesTests(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.Contains([]string{"test", "tests", "testing", "tested"}, word)
	})
}

// propose adds the paths, the place and the evidence of a task for a text.
func (p TodoProject) propose(spec *TaskSpec, text string) {
	tests := namesTests(text)
	for file := range PathsIn(text) {
		pattern := p.Pattern(file)
		if pattern == "" || slices.Contains(spec.Paths, pattern) {
			continue
		}
		spec.Paths = append(spec.Paths, pattern)
		tests = tests || !slices.Contains([]string{".md", ".txt", ".rst"}, path.Ext(file))
		if line := lineAfter(text, file+":"); line > 0 && spec.Source == nil {
			spec.Source = &TaskSource{File: file, Line: line}
		}
	}
	if tests && p.Test != "" {
		spec.Evidence = []EvidenceItem{{Command: p.Test, Succeeds: true}}
	}
}

// lineAfter returns the number that follows the first occurrence of before in a
// text, or 0.
func lineAfter(text, before string) int {
	_, after, _ := strings.Cut(text, before)
	digits := after[:len(after)-len(strings.TrimLeft(after, "0123456789"))]
	n, _ := strconv.Atoi(digits)
	return n
}
