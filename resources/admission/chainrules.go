package admission

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// Words with which a command goes past a chain rule. To a command of idumb they are
// flags; behind any other they stand in a comment, since it may have such a flag of its
// own: git push # --force
const (
	forceWord     = "--force"
	emergencyWord = "--emergency"
	bypassWord    = "--bypass-chain" // the same as --emergency
)

// Bypass is a chain rule that a call went past.
type Bypass struct {
	Rule    string // its name
	Level   string
	Word    string // that let it pass
	Command string
}

// chainRules: what has to be there before something is done.
func chainRules(e *evaluation) *Reason {
	for lack := range e.unmet {
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

// ChainWarnings says which chain rules a call leaves behind that no rule may keep from it, since a
// person makes it: a sentence or two for each, the hardest first. In mode off there are none.
func ChainWarnings(call Call, view View) (warnings []string) {
	if view.Settings().Mode == ModeOff {
		return nil
	}
	call.Person = true
	e := &evaluation{call: call, view: view}
	for lack := range e.unmet {
		warnings = append(warnings, lack.rule.Spec.Level+" "+e.asksFor(lack)+" "+lack.why())
	}
	return warnings
}

// lack is what a step lacks of what a rule requires.
type lack struct {
	rule *resources.ChainRule
	step subject
	want resources.ChainRequirement
}

// unmet yields what a call lacks of what chain rules require, of the hardest first. Reading is about nothing, nor is what hands work back; idumb's own tools are judged by
// their commands.
func (e *evaluation) unmet(yield func(lack) bool) {
	if e.call.Action == Read || e.call.Action == Governance && len(e.call.Runs) == 0 {
		return
	}
	for _, r := range e.rulesFor() {
		about := e.subjects(r)
		if where := r.Spec.When.Where; len(about) > 0 && len(where) > 0 && !slices.ContainsFunc(where, e.view.HasFile) {
			continue
		}
		for _, s := range about { // each, so that none hides behind another
			if want, lacks := e.holdAgainst(r, s); lacks && !yield(lack{r, s, want}) {
				return
			}
		}
	}
}

// hardness are the levels of chain rules by what they do: those that block come first.
var hardness = [...]string{resources.HardBlock, resources.SoftBlock, resources.Warn}

// rulesFor lists the rules that may speak of the call, the hardest first.
func (e *evaluation) rulesFor() []*resources.ChainRule {
	words := e.chainWords()
	if len(words) == 0 {
		return nil
	}
	level := func(r *resources.ChainRule) int { return slices.Index(hardness[:], r.Spec.Level) }
	rules := slices.DeleteFunc(slices.Clone(e.view.ChainRules(words...)), func(r *resources.ChainRule) bool { return r.Spec.Disabled })
	slices.SortStableFunc(rules, func(a, b *resources.ChainRule) int { return level(a) - level(b) })
	return rules
}

// toolsWord stands in every rule about tools.
const toolsWord = "tools"

// chainWords are words of which a rule about the call must hold one: the programs that
// it runs, unless all of it only looks, and that it is about tools.
func (e *evaluation) chainWords() []string {
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
	return words
}

// program is the first word of a command, idumb by its one name.
func program(r command.Run) string {
	if len(r.Words) == 0 {
		return ""
	}
	if command.IsIdumb(r.Words[0]) {
		return "idumb"
	}
	return path.Base(r.Words[0])
}

// holdAgainst says what a step lacks of what a rule requires: nothing where a word lets it past.
func (e *evaluation) holdAgainst(r *resources.ChainRule, s subject) (want resources.ChainRequirement, lacks bool) {
	missing := slices.IndexFunc(r.Spec.Requires, func(want resources.ChainRequirement) bool { return !e.isThere(want, s.names) })
	if missing < 0 {
		return want, false
	}
	if word := e.wordPast(r, s.run); word != "" {
		e.past = append(e.past, Bypass{r.Metadata.Name, r.Spec.Level, word, clean(s.shown())})
		return want, false
	}
	return r.Spec.Requires[missing], true
}

// wordPast is the word that lets a command past a rule, "" if it has none.
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

// isThere reports whether there is what a rule requires; names are those that a command names.
func (e *evaluation) isThere(want resources.ChainRequirement, names []string) bool {
	if len(want.Files) > 0 {
		return slices.ContainsFunc(want.Files, e.view.HasFile)
	}
	plural, name, ok := want.Wanted()
	switch {
	case !ok:
		return true // validation says what is wrong with it
	case name == resources.AnyNamed:
		return e.allHold(plural, names, want.Condition)
	case name == resources.PlanNamed:
		return e.plansHold(names, want.Condition)
	case name != "":
		return e.holds(plural, name, want.Condition)
	case plural == resources.WorkPlans && want.Condition == phaseIs+resources.PlanActive:
		return len(e.view.ActivePlans()) > 0
	}
	return slices.ContainsFunc(e.view.Names(plural), func(name string) bool { return e.holds(plural, name, want.Condition) })
}

// allHold reports whether a condition holds of each object of the kind that a command
// names. Words that name none may be values of its flags; if all of them do, there is none
// of which it could hold. A plan has a checkpoint if one of its tasks has.
func (e *evaluation) allHold(plural string, names []string, condition string) bool {
	kind, noted, before := plural, 0, len(names)
	if plural == resources.CheckpointsKind {
		kind = resources.Tasks
		has := func(task string) bool { return e.holds(plural, task, condition) }
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.ContainsFunc(e.view.PlanTasks(name), has) })
		noted = before - len(names)
	}
	there := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !e.holds(kind, name, "") })
	return len(there)+noted > 0 && !slices.ContainsFunc(there, func(name string) bool { return !e.holds(plural, name, condition) })
}

// plansHold reports whether a condition holds of the plan of each task that a command
// names; of any plan, if it names no task that is there.
func (e *evaluation) plansHold(names []string, condition string) bool {
	var plans []string
	for _, name := range names {
		if t, ok := e.view.Task(name); ok {
			plans = append(plans, t.Spec.WorkPlan)
		}
	}
	lacks := func(plan string) bool { return !e.holds(resources.WorkPlans, plan, condition) }
	if len(plans) > 0 {
		return !slices.ContainsFunc(plans, lacks)
	}
	return e.isThere(resources.ChainRequirement{Resource: resources.WorkPlans, Condition: condition}, nil)
}

// planOf is the plan of the first task that a step names, "" if there is none.
func (e *evaluation) planOf(s subject) string {
	for _, name := range s.names {
		if t, ok := e.view.Task(name); ok && t.Spec.WorkPlan != "" {
			return t.Spec.WorkPlan
		}
	}
	return ""
}

// phaseIs begins a condition on the phase.
const phaseIs = "phase="

// holds reports whether there is an object of which a condition holds.
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

// chainReason says what is missing.
func (e *evaluation) chainReason(l lack) *Reason {
	what := tried(e.call)
	if l.step.ends != "" {
		what += ", which completes its plan,"
	} else if l.step.run != nil {
		what = "You tried to run " + quote(l.step.shown())
	}
	reason := &Reason{
		What:       what + " but " + e.asksFor(l),
		Why:        []string{l.why()},
		UseInstead: e.chainInstead(l.rule, l.step),
		Evidence:   []string{"chainrules/" + l.rule.Metadata.Name + " spec.level = " + l.rule.Spec.Level, "not there: " + e.wanted(l.want, l.step)},
	}
	if l.rule.Spec.Level == resources.SoftBlock && l.step.run != nil && l.step.ends == "" {
		reason.Otherwise = "If it has to be now, repeat it with " + forced(l.step.run.Words) + ": that is written down."
	}
	return reason
}

// asksFor says what a rule asks for.
func (e *evaluation) asksFor(l lack) string {
	return "rule " + quote(l.rule.Metadata.Name) + " asks for " + e.wanted(l.want, l.step) + " first."
}

// why is the reason that the rule gives.
func (l lack) why() string {
	return cmp.Or(clean(l.rule.Spec.Because), "Each step of the chain rests on the one before.")
}

// chainInstead is the step that a rule names, about the objects of this command. Where it
// is about a plan and there is none, that has to be made.
func (e *evaluation) chainInstead(r *resources.ChainRule, s subject) string {
	if s.ends != "" {
		return "Run `" + s.ends + "`: the task ends, and its plan waits for what the rule asks for."
	}
	text := r.Spec.Instead
	if strings.Contains(text, resources.PlanNamed) {
		plan := e.planOf(s)
		if plan == "" {
			return e.planWork()
		}
		text = strings.ReplaceAll(text, resources.PlanNamed, clean(plan))
	}
	if text == "" {
		return "See to it, then repeat the call; `idumb describe chainrule " + r.Metadata.Name + "` shows the rule."
	}
	return strings.ReplaceAll(text, resources.AnyNamed, s.object())
}

// forced is how a command says that it goes past a soft rule.
func forced(words []string) string {
	if _, own := ownCommandOf(words); own {
		return forceWord
	}
	return `" # ` + forceWord + `" behind it`
}

// wanted names what a requirement asks for.
func (e *evaluation) wanted(want resources.ChainRequirement, s subject) string {
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
