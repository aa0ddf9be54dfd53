package admission

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Words that bypass a chain rule. For idumb commands they are flags. For other commands
// they must be in a comment, because such a flag may have another meaning: git push #
// --force
const (
	forceWord     = "--force"
	emergencyWord = "--emergency"
	bypassWord    = "--bypass-chain" // same as --emergency
)

// Bypass is a chain rule that a call bypassed.
type Bypass struct {
	Rule    string // rule name
	Level   string
	Word    string // bypassing word
	Command string
}

// chainRules checks the prerequisites of a step.
func chainRules(e *evaluation) *Reason {
	for lack := range e.unmet {
		if lack.step.run == nil && e.onlyRequired() || e.fails(lack) {
			continue // a rule about a writing tool, or a command that answers NotFound
		}
		reason := e.chainReason(lack)
		if lack.rule.Spec.Level != resources.Warn {
			return reason
		}
		if e.advice == "" {
			e.advice = reason.What + " " + strings.Join(reason.Why, " ") + " " + reason.UseInstead
		}
	}
	return nil
}

// ChainWarnings returns warnings about chain rules that a call does not satisfy, for calls
// of persons, which are not denied. Each has one or two sentences, strictest rules first.
// In mode off it returns nil.
func ChainWarnings(call Call, view View) (warnings []string) {
	if view.Settings().Mode == ModeOff {
		return nil
	}
	call.Person = true
	e := &evaluation{call: call, view: view}
	for lack := range e.unmet {
		if !e.fails(lack) {
			warning := e.asksFor(lack) + " " + lack.reason()
			if lack.rule.Spec.Level != resources.Warn {
				warning += " It denies agents only."
			}
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// fails reports whether the idumb command of an unmet requirement fails in any case, because
// none of the objects that it names exists. An earlier command of the call may create them.
func (e *evaluation) fails(l lack) bool {
	if l.step.run == nil || l.step.ends != "" || e.call.writes() {
		return false
	}
	for _, r := range e.call.runs() {
		if d, own := ownCommandOf(r.Words); !slices.Equal(r.Words, l.step.run.Words) && !r.ReadOnly && !(own && d.onlyReads()) {
			return false
		}
	}
	d, own := ownCommandOf(l.step.run.Words)
	kinds, names := d.requiredObjects()
	return own && len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(kinds, func(kind string) bool {
			key := resources.Key{Kind: kind, Name: name}
			return e.holds(kind, name, "") || e.view.Exists(key) || e.view.Archived(key)
		})
	})
}

// lack is an unmet requirement of a step.
type lack struct {
	rule *resources.ChainRule
	step subject
	want resources.ChainRequirement
}

// unmet yields the unmet requirements of a call, strictest rules first. Reading and handing
// work back have no requirements. Tools of idumb are judged by their commands.
func (e *evaluation) unmet(yield func(lack) bool) {
	if e.call.Action == Read || e.call.Action == Governance && len(e.call.Runs) == 0 {
		return
	}
	for _, r := range e.rulesFor() {
		about := e.subjects(r)
		if where := r.Spec.When.Where; len(about) > 0 && !e.appliesIn(where) {
			continue
		}
		for _, s := range about { // check each, so that none hides another
			if want, lacks := e.holdAgainst(r, s); lacks && !yield(lack{r, s, want}) {
				return
			}
		}
	}
}

// hardness lists the levels of chain rules, strictest first.
var hardness = [...]string{resources.HardBlock, resources.SoftBlock, resources.Warn}

// rulesFor returns the rules that may match the call, strictest first.
func (e *evaluation) rulesFor() []*resources.ChainRule {
	// A matching rule must contain one of these words: the names of programs, unless all of them
	// only read, and toolsWord.
	var words []string
	if e.call.Action != Shell && e.call.Action != Governance {
		words = []string{toolsWord}
	}
	for _, r := range e.call.runs() {
		if program := program(r); program != "" && !onlyLooks(r) && !slices.Contains(words, program) {
			words = append(words, program)
		}
	}
	if e.call.Action == Shell && (len(words) > 0 || e.call.writes()) {
		words = append(words, toolsWord)
	}
	if len(words) == 0 {
		return nil
	}
	level := func(r *resources.ChainRule) int { return slices.Index(hardness[:], r.Spec.Level) }
	rules := slices.DeleteFunc(slices.Clone(e.view.ChainRules(words...)), func(r *resources.ChainRule) bool { return r.Spec.Disabled })
	slices.SortStableFunc(rules, func(a, b *resources.ChainRule) int { return level(a) - level(b) })
	return rules
}

// toolsWord is part of all rules about tools.
const toolsWord = "tools"

// program returns the first word of a command, with one name for idumb.
func program(r command.Run) string {
	if len(r.Words) == 0 {
		return ""
	}
	if command.IsIdumb(r.Words[0]) {
		return "idumb"
	}
	return path.Base(r.Words[0])
}

// holdAgainst returns the unmet requirement of a rule. It reports none if a word bypasses
// the rule.
func (e *evaluation) holdAgainst(r *resources.ChainRule, s subject) (want resources.ChainRequirement, lacks bool) {
	missing := slices.IndexFunc(r.Spec.Requires, func(want resources.ChainRequirement) bool { return !e.isThere(want, s.names) })
	if missing < 0 {
		return want, false
	}
	if word := e.wordPast(r, s.run); word != "" {
		e.bypasses = append(e.bypasses, Bypass{r.Metadata.Name, r.Spec.Level, word, clean(s.text())})
		return want, false
	}
	return r.Spec.Requires[missing], true
}

// wordPast returns the word by which a command bypasses a rule, or "".
func (e *evaluation) wordPast(r *resources.ChainRule, run *command.Run) string {
	if run == nil {
		run = &command.Run{}
	}
	words := flagsIn(run.Words)
	if _, own := ownCommandOf(run.Words); !own {
		_, comment, _ := strings.Cut(e.call.Command, " # ")
		words = strings.Fields(comment)
	}
	for _, word := range words {
		if word == emergencyWord || word == bypassWord || word == forceWord && r.Spec.Level == resources.SoftBlock {
			return word
		}
	}
	return ""
}

// isThere reports whether a requirement is met. names are the names in the command.
func (e *evaluation) isThere(want resources.ChainRequirement, names []string) bool {
	if len(want.Files) > 0 {
		return slices.ContainsFunc(want.Files, e.view.HasFile)
	}
	plural, name, ok := want.Target()
	switch {
	case !ok:
		return true // reported by validation
	case name == resources.AnyNamed:
		return e.allHold(plural, names, want.Condition)
	case name == resources.PlanNamed:
		// the plans of all tasks that a command names, or any plan if it names none
		var plans []string
		for _, name := range names {
			if t, ok := e.view.Task(name); ok {
				plans = append(plans, t.Spec.WorkPlan)
			}
		}
		lacks := func(plan string) bool { return !e.holds(resources.WorkPlans, plan, want.Condition) }
		if len(plans) > 0 {
			return !slices.ContainsFunc(plans, lacks)
		}
		return e.isThere(resources.ChainRequirement{Resource: resources.WorkPlans, Condition: want.Condition}, nil)
	case name != "":
		return e.holds(plural, name, want.Condition)
	case plural == resources.WorkPlans && want.Condition == phaseIs+resources.PlanActive:
		return len(e.view.ActivePlans()) > 0
	}
	return slices.ContainsFunc(e.view.Names(plural), func(name string) bool { return e.holds(plural, name, want.Condition) })
}

// allHold reports whether a condition is met by all objects of a kind that a command names.
// Words that name no object may be values of flags; if no word names one, the condition is
// not met. A plan has a checkpoint if one of its tasks has one or was completed with evidence.
func (e *evaluation) allHold(plural string, names []string, condition string) bool {
	kind, noted, before := plural, 0, len(names)
	if plural == resources.CheckpointsKind {
		kind = resources.Tasks
		has := func(task string) bool {
			t, ok := e.view.Task(task)
			return e.holds(plural, task, condition) || ok && t.Spec.Result != nil && t.Spec.Result.Evidence != ""
		}
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.ContainsFunc(e.view.PlanTasks(name), has) })
		noted = before - len(names)
	}
	there := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !e.holds(kind, name, "") })
	return len(there)+noted > 0 && !slices.ContainsFunc(there, func(name string) bool { return !e.holds(plural, name, condition) })
}

// planOf returns the plan of the first task that a step names, or "".
func (e *evaluation) planOf(s subject) string {
	for _, name := range s.names {
		if t, ok := e.view.Task(name); ok && t.Spec.WorkPlan != "" {
			return t.Spec.WorkPlan
		}
	}
	return ""
}

// phaseIs is the prefix of conditions on the phase.
const phaseIs = "phase="

// holds reports whether an object meets a condition.
func (e *evaluation) holds(plural, name, condition string) bool {
	switch plural {
	case resources.CheckpointsKind:
		return e.view.Recorded(name)
	case resources.Tasks:
		t, ok := e.view.Task(name)
		return ok && (condition == "" || conditionHolds(e.status(t).Phase, e.status(t).Conditions, condition))
	case resources.WorkPlans:
		p, ok := e.view.Plan(name)
		return ok && (condition == "" || conditionHolds(e.planPhase(p), nil, condition))
	}
	return e.view.Exists(resources.Key{Kind: plural, Name: name})
}

// conditionHolds reports whether an object with this phase and these conditions meets a
// requirement: "phase=A|B", "TYPE=STATUS" or "TYPE", which means TYPE=True. A missing condition
// counts as False.
func conditionHolds(phase string, conditions []resources.Condition, want string) bool {
	if want, ok := strings.CutPrefix(want, phaseIs); ok {
		return slices.Contains(strings.Split(want, "|"), phase)
	}
	name, status, given := strings.Cut(want, "=")
	if !given {
		status = string(resources.True)
	}
	c := resources.FindCondition(conditions, name)
	return c != nil && string(c.Status) == status || c == nil && status == string(resources.False)
}

// chainReason returns the denial for an unmet requirement.
func (e *evaluation) chainReason(l lack) *Reason {
	what := triedText(e.call)
	if l.step.ends != "" {
		what += ", which completes its plan,"
	} else if l.step.run != nil {
		what = "You tried to run " + quote(l.step.text())
	}
	reason := &Reason{
		What:       what + " but " + e.asksFor(l),
		Why:        []string{l.reason()},
		UseInstead: e.chainInstead(l),
		Evidence:   []string{"chainrules/" + l.rule.Metadata.Name + " spec.level = " + l.rule.Spec.Level, "missing: " + e.requirementName(l.want, l.step)},
	}
	if l.rule.Spec.Level == resources.SoftBlock && l.step.run != nil && l.step.ends == "" {
		reason.Otherwise = "If it cannot wait, repeat it with " + forced(l.step.run.Words) + ", which is recorded."
	}
	return reason
}

// asksFor describes the requirement of a rule.
func (e *evaluation) asksFor(l lack) string {
	return "rule " + quote(l.rule.Metadata.Name) + " requires " + e.requirementName(l.want, l.step) + " first."
}

// reason returns the reason that the rule gives.
func (l lack) reason() string {
	return cmp.Or(clean(l.rule.Spec.Because), "Each step of the chain depends on the previous step.")
}

// chainInstead returns the step given by the rule, for the objects of this command. If the
// rule needs a plan and no plan exists, the step is to create one.
func (e *evaluation) chainInstead(l lack) string {
	r, s := l.rule, l.step
	if s.ends != "" {
		return "Run `" + s.ends + "`: the task ends, and its plan waits until the rule is met."
	}
	text := r.Spec.Instead
	if strings.Contains(text, resources.PlanNamed) {
		plan := e.planOf(s)
		if plan == "" {
			return e.planWork()
		}
		if p, ok := e.view.Plan(plan); ok && planOver(p) {
			why := "Plan " + quote(plan) + " is " + resources.PlanState(p)
			if abandoned(p) {
				why += ", and only a user reopens it"
			}
			return why + ". " + e.planWork()
		}
		text = strings.ReplaceAll(text, resources.PlanNamed, clean(plan))
	}
	if text == "" && len(l.want.Files) == 1 && !strings.ContainsAny(l.want.Files[0], "*?[{") {
		return "Write " + clean(l.want.Files[0]) + ", then repeat the call."
	}
	if text == "" {
		return "Meet the rule, then repeat the call; `idumb describe chainrule " + r.Metadata.Name + "` shows the rule."
	}
	return strings.ReplaceAll(text, resources.AnyNamed, s.object())
}

// appliesIn reports whether a rule applies in this repository: one of the files of spec.when.where
// exists, or the rule names none.
func (e *evaluation) appliesIn(where []string) bool {
	return len(where) == 0 || slices.ContainsFunc(where, e.view.HasFile)
}

// isRequired reports whether a path is a file that meets a chain rule which is not met. It may be
// created without a task and under any task, because the rule may deny each other step until it exists.
func (e *evaluation) isRequired(p Path) bool {
	requires := func(r *resources.ChainRule) bool {
		return !r.Spec.Disabled && e.appliesIn(r.Spec.When.Where) && slices.ContainsFunc(r.Spec.Requires, func(want resources.ChainRequirement) bool {
			return slices.ContainsFunc(want.Files, func(glob string) bool { return resources.MatchGlob(glob, p.Repo) }) && !slices.ContainsFunc(want.Files, e.view.HasFile)
		})
	}
	return p.Repo != "" && p.Tree == "" && !p.Below &&
		slices.ContainsFunc(e.view.ChainRules(p.Repo, "*"), requires) && (e.call.Untrusted == nil || !e.call.Untrusted())
}

// onlyRequired reports whether the call writes only files for which isRequired is true.
func (e *evaluation) onlyRequired() bool {
	written := slices.DeleteFunc(slices.Clone(e.call.Paths), func(p Path) bool { return p.Unchanged || openToAll(p) })
	return e.call.writes() && len(written) > 0 && !slices.ContainsFunc(written, func(p Path) bool { return !e.isRequired(p) })
}

// forced returns the word by which a command bypasses a soft rule.
func forced(words []string) string {
	if _, own := ownCommandOf(words); own {
		return forceWord
	}
	return `" # ` + forceWord + `" behind it`
}

// requirementName describes the files or the object that a chain rule requires.
func (e *evaluation) requirementName(want resources.ChainRequirement, s subject) string {
	if len(want.Files) > 0 {
		return orList(want.Files)
	}
	text := want.Resource
	if kind, named := strings.CutSuffix(text, "/"+resources.PlanNamed); named {
		if text = kind; e.planOf(s) != "" {
			text += "/" + e.planOf(s)
		}
	}
	text = quote(strings.ReplaceAll(text, resources.AnyNamed, s.object()))
	if want.Condition != "" {
		text += " with " + clean(want.Condition)
	}
	return text
}
