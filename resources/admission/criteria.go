package admission

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// planTasksView is a status.View with the tasks of plans.
type planTasksView interface {
	status.View
	PlanTasks(plan string) []string
}

// citedView is the data needed to find the objects and files that an evidence text names.
type citedView interface {
	planTasksView
	HasFile(glob string) bool
}

// unmetCriterion returns why a criterion that a plan change marks as met is not, and the next
// step. Both are empty if all are.
func unmetCriterion(was, next *resources.WorkPlan, v status.View) (why, step string) {
	step = "run `idumb complete workplan/" + next.Metadata.Name + " --met NUMBER --evidence \"...\"` with the evidence"
	files, known := v.(citedView)
	for _, c := range next.Spec.Met {
		switch {
		case slices.Contains(was.Spec.Met, c):
			continue
		case strings.TrimSpace(c.Evidence) == "" || !slices.Contains(next.Spec.Acceptance, c.Criterion):
			return "there is no evidence for " + quote(c.Criterion), step
		case !known || isUserMark(c):
			continue // judgeCriteria rejects the mark of a user
		}
		if why := uncited(c, next.Metadata.Name, files); why != "" {
			return why, "name a file that the criterion names or that belongs to a task of the plan, an object as task/NAME, or a command that a task of the plan ran and that succeeded the last time; idumb get checkpoints lists those"
		}
	}
	return "", ""
}

// uncited returns why a text is not evidence of a criterion. It is "" if the text names a file of the
// criterion or of the plan's tasks, an object, or a command whose newest run for a task of the plan
// succeeded. A command whose newest run failed is no evidence, whatever else the text names.
func uncited(c resources.Criterion, plan string, v citedView) string {
	newest := map[string]status.Command{}
	var tasks []*resources.Task
	for _, name := range v.PlanTasks(plan) {
		if t, found := v.Task(name); found {
			tasks = append(tasks, t)
		}
		if seen := v.Evidence(name); seen != nil {
			for _, c := range seen.Commands {
				if last, known := newest[c.Line]; !known || c.Time.After(last.Time) {
					newest[c.Line] = c
				}
			}
		}
	}
	succeeded := false
	for _, line := range slices.Sorted(maps.Keys(newest)) {
		if !namesCommand(c.Evidence, line) {
			continue
		}
		if newest[line].Failed {
			return "the last run of " + quote(line) + " failed"
		}
		succeeded = succeeded || newest[line].Succeeded
	}
	if succeeded || namesObject(c, tasks, v) {
		return ""
	}
	return "the evidence names no existing file, object or command of the plan"
}

// namesObject reports whether the evidence names an object, or a file of the criterion or the tasks.
func namesObject(c resources.Criterion, tasks []*resources.Task, v citedView) bool {
	demanded := slices.Collect(resources.PathsIn(c.Criterion))
	for word := range strings.FieldsSeq(c.Evidence) {
		word = strings.TrimRight(strings.Trim(word, "`'\"()[]<>,;:!?"), "`'\"()[]<>,;:.!?")
		if kind, name, found := strings.Cut(word, "/"); found {
			if k, known := resources.LookupKind(kind); known && v.Exists(resources.Key{Kind: k.Plural, Name: name}) {
				return true
			}
		}
		file, _, _ := strings.Cut(word, "#")
		file, _, _ = strings.Cut(file, ":")
		if file = path.Clean(file); strings.ContainsAny(file, `*?[{\`) || !v.HasFile(file) {
			continue
		}
		if slices.Contains(demanded, file) || slices.ContainsFunc(tasks, func(t *resources.Task) bool { return isFileOf(t, file, v) }) {
			return true
		}
	}
	return false
}

// isFileOf reports whether a file was written for a task, or the task names it.
func isFileOf(t *resources.Task, file string, v citedView) bool {
	if seen := v.Evidence(t.Metadata.Name); seen != nil && slices.Contains(seen.Files, file) {
		return true
	}
	if r := t.Spec.Result; r != nil && slices.Contains(r.FilesModified, file) {
		return true
	}
	matches := func(glob string) bool { return glob != "" && resources.MatchGlob(glob, file) }
	return slices.ContainsFunc(t.Spec.Paths, matches) ||
		slices.ContainsFunc(t.Spec.Evidence, func(item resources.EvidenceItem) bool { return matches(item.File) })
}

// afterCommand lists words that follow a command line in a sentence and are no argument of it.
const afterCommand = " pass passes passed passing succeed succeeds succeeded work works worked ok okay green exit exits exited end ends ended return returns returned " +
	"report reports reported print prints printed show shows showed run runs ran is are was were has had and with in on at for after before without again twice now all -> => - – — "

// namesCommand reports whether a text contains a command line, as status.CommandWords returns
// it, with exactly these arguments.
func namesCommand(text, line string) bool {
	for text = status.CommandWords(text); line != ""; {
		before, after, found := strings.Cut(text, line)
		if !found {
			return false
		}
		next, _, _ := strings.Cut(strings.TrimPrefix(after, " "), " ")
		ends := after == "" || strings.ContainsAny(after[:1], "`),;:!") || strings.HasPrefix(after, ". ") || after == "." ||
			after[0] == ' ' && (strings.HasPrefix(next, "(") || strings.Contains(afterCommand, " "+strings.Trim(next, ".,;:!")+" "))
		if ends && (before == "" || strings.ContainsAny(before[len(before)-1:], " `(:")) {
			return true
		}
		text = after
	}
	return false
}
