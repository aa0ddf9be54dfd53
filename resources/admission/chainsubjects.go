package admission

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

// subject is a step that a rule matches: a command with the objects that it names, or a
// tool call without run.
type subject struct {
	run   *command.Run
	names []string
	ends  string // command that ends the task whose edited file completes the plan; empty for a command about the plan
}

// text returns the command of the step for messages.
func (s subject) text() string {
	if s.run == nil {
		return ""
	}
	return s.run.Shown()
}

// object returns the first named object for messages.
func (s subject) object() string {
	if len(s.names) == 0 {
		return "NAME"
	}
	return clean(s.names[0])
}

// subjects returns the parts of a call that a rule matches.
func (e *evaluation) subjects(r *resources.ChainRule) (about []subject) {
	when, level := r.Spec.When, r.Spec.Level
	commands := plainly(when.Commands)
	all := e.call.runs()
	for i := range all {
		r := &all[i]
		if slices.ContainsFunc(all[:i], func(before command.Run) bool { return slices.Equal(before.Words, r.Words) }) {
			continue // duplicate of the same line
		}
		d, own := ownCommandOf(r.Words)
		meant := own && d.startsWith(commands) || !own && startsWithAny(r.Words, commands)
		if meant && !onlyLooks(*r) && !isExempt(r.Words, d, when) {
			about = append(about, subject{run: r, names: d.names})
		}
		if level == resources.Warn {
			continue // ending the last task of a plan gives no warning about the plan
		}
		for _, end := range e.closes(all[:i], *r) {
			d := ownCommand{verb: "complete", kinds: []string{resources.WorkPlans}, names: []string{end.plan}}
			if d.startsWith(commands) && !isExempt(r.Words, d, when) {
				about = append(about, subject{r, d.names, end.step})
			}
		}
	}
	if len(about) == 0 && e.isTool(when) {
		about = []subject{{}}
	}
	return about
}

// ending is a plan that an edited file completes, and the command that ends its task
// instead.
type ending struct{ plan, step string }

// closes returns the plans that complete because the call edits the file of their last open
// task. before are the preceding commands of the call. idumb commands of agents do not
// complete a plan against a rule: they end the task, and the plan waits (Demands). Commands
// of users complete it.
func (e *evaluation) closes(before []command.Run, r command.Run) (ends []ending) {
	d, _ := ownCommandOf(r.Words)
	ended := e.endedByFile(d)
	if len(ended) == 0 {
		return nil
	}
	for _, r := range before {
		d, _ := ownCommandOf(r.Words)
		ended = append(ended, e.endedByFile(d)...)
	}
	left := map[string]int{}
	for i, name := range ended {
		t, ok := e.view.Task(name)
		if !ok || !status.LiveTask(t) || slices.Contains(ended[:i], name) {
			continue
		}
		plan := t.Spec.WorkPlan
		if _, counted := left[plan]; !counted {
			for phase, n := range e.view.PlanCounts(plan) {
				if phase != resources.TaskCompleted && phase != resources.TaskAbandoned {
					left[plan] += n
				}
			}
		}
		left[plan]--
		if p, ok := e.view.Plan(plan); ok && left[plan] == 0 && (d.verb == "complete" || e.view.PlanCounts(plan)[resources.TaskCompleted] > 0) && p.Spec.State == resources.PlanActive && len(status.OpenCriteria(p)) == 0 {
			step := "idumb complete " + clean(name) + " --evidence"
			if d.verb != "complete" {
				step = "idumb abandon " + clean(name) + " --reason"
			}
			ends = append(ends, ending{plan, step + " \"...\""})
		}
	}
	return ends
}

// Demands returns the missing requirements of chain rules for completing a plan, as
// criteria of the plan. The plan waits for them, while its last task ends. Rules of level
// WARN have no effect here. bypass are the words of the command that bypass rules. Each use
// is returned in the second result.
func Demands(plan string, bypass []string, view View) (criteria []string, past []Bypass) {
	if view.Settings().Mode == ModeOff {
		return nil, nil
	}
	run := command.RunOf(append([]string{"idumb", "complete", "workplan/" + plan}, bypass...)...)
	e := &evaluation{call: Call{Action: Shell, Command: run.Shown(), Runs: []command.Run{run}}, view: view}
	for lack := range e.unmet {
		if lack.rule.Spec.Level != resources.Warn {
			criteria = append(criteria, demanded+lack.rule.Metadata.Name+": "+cmp.Or(clean(lack.rule.Spec.Because), "a step comes first")+" Required: "+e.requirementName(lack.want, lack.step)+".")
		}
	}
	return criteria, e.bypasses
}

// demanded is the prefix of plan criteria from a chain rule.
const demanded = "chain rule "

// endedByFile returns the tasks that a command ends and whose files the call writes. For
// users it returns all ended tasks.
func (e *evaluation) endedByFile(d ownCommand) []string {
	if e.call.Person {
		return endedTasks(d)
	}
	return slices.DeleteFunc(endedTasks(d), func(name string) bool {
		return !slices.ContainsFunc(e.call.Planned, func(p Planned) bool { return p.Key == resources.Key{Kind: resources.Tasks, Name: name} })
	})
}

// endedTasks returns the tasks that a command completes or removes.
func endedTasks(d ownCommand) []string {
	if d.dry || d.namesKind(resources.WorkPlans) || !containsWord("complete abandon", d.verb) && !(containsWord("delete archive", d.verb) && d.namesKind(resources.Tasks)) {
		return nil
	}
	return slices.Clone(d.names)
}

// isTool reports whether the call uses one of a rule's tools on one of its files. Files
// written by a shell count too, because the action matters and not the name of the tool.
func (e *evaluation) isTool(when resources.ChainWhen) bool {
	shellWrites := e.call.Action == Shell && e.call.writes() && matchesTool("write", when.Tools)
	if e.call.Action == Governance || !shellWrites && !matchesTool(e.call.Tool, when.Tools) {
		return false
	}
	return len(when.Paths) == 0 || e.call.writes() && slices.ContainsFunc(e.call.Paths, func(p Path) bool {
		return p.Repo != "" && resources.MatchesAny(p.Repo, when.Paths)
	})
}

// isExempt reports whether a command contains a word or kind that the rule excludes.
func isExempt(words []string, d ownCommand, when resources.ChainWhen) bool {
	return slices.ContainsFunc(when.Unless, func(word string) bool {
		if kind, known := resources.LookupKind(word); known && d.namesKind(kind.Plural) {
			return true
		}
		return slices.Contains(flagsIn(words), word)
	})
}

// flagsIn returns the flags of a command without values. It leaves out idumb flags whose
// value is missing.
func flagsIn(words []string) (flags []string) {
	if len(words) == 0 || !command.IsIdumb(words[0]) {
		for _, w := range words {
			flag, _, _ := strings.Cut(w, "=")
			flags = append(flags, flag)
		}
		return flags
	}
	d, _ := ownCommandOf(words)
	for _, w := range WordsOf(Renamed(words[1:])) {
		if w.Flag != "" && (w.Value != "" || !TakesValue(d.verb, w.Flag)) {
			flags = append(flags, w.Flag)
		}
	}
	return flags
}

// onlyLooks reports whether a command changes nothing or hands work back. Rules never deny
// that.
func onlyLooks(r command.Run) bool {
	if d, own := ownCommandOf(r.Words); own {
		return d.alwaysOpen() || d.verb == "init"
	}
	return r.ReadOnly || len(r.Words) == 0
}
