package admission

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/shell"
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

// chainRules: what has to be there before something is done. Reading is about nothing,
// nor is what hands work back; idumb's own tools are judged by their commands.
func chainRules(j *judgement) *Reason {
	if j.call.Action == Read || j.call.Action == Governance && len(j.call.Commands) == 0 {
		return nil
	}
	for _, r := range j.rulesFor() {
		if reason := j.chainRule(r); reason != nil {
			return reason
		}
	}
	return nil
}

// rulesFor lists the rules that may speak of the call, the hardest first.
func (j *judgement) rulesFor() []*resources.ChainRule {
	words := j.chainWords()
	if len(words) == 0 {
		return nil
	}
	var rules []*resources.ChainRule
	for _, word := range words {
		for _, r := range j.view.ChainRules(word) {
			if !r.Spec.Disabled && !slices.Contains(rules, r) {
				rules = append(rules, r)
			}
		}
	}
	slices.SortStableFunc(rules, func(a, b *resources.ChainRule) int { return rank(a) - rank(b) })
	return rules
}

// toolsWord stands in every rule about tools.
const toolsWord = "tools"

// chainWords are words of which a rule about the call must hold one: the programs that
// it runs, unless all of it only looks, and that it is about tools.
func (j *judgement) chainWords() []string {
	if j.call.Action != Shell && j.call.Action != Governance {
		return []string{toolsWord}
	}
	var words []string
	for _, command := range j.call.Commands {
		if program := program(command); program != "" && !onlyLooks(command) && !slices.Contains(words, program) {
			words = append(words, program)
		}
	}
	if j.call.Action == Shell && len(words) > 0 {
		words = append(words, toolsWord)
	}
	return words
}

// program is the first word of a command, idumb by its one name.
func program(command string) string {
	fields := strings.Fields(command)
	if len(fields) == 0 {
		return ""
	}
	if shell.IsIdumb(fields[0]) {
		return "idumb"
	}
	return path.Base(fields[0])
}

func rank(r *resources.ChainRule) int {
	return slices.Index([]string{resources.HardBlock, resources.SoftBlock, resources.Warn}, r.Spec.Level)
}

// chainRule holds a call against one rule.
func (j *judgement) chainRule(r *resources.ChainRule) *Reason {
	command, names, about := j.isAbout(r)
	if !about || !j.isWhere(r) {
		return nil
	}
	want, missing := j.missing(r, names)
	if !missing {
		return nil
	}
	if word := j.wordPast(r, command); word != "" {
		j.past = append(j.past, Bypass{r.Metadata.Name, r.Spec.Level, word, clean(command)})
		return nil
	}
	reason := j.chainReason(r, command, want, first(names))
	if r.Spec.Level == resources.Warn {
		if j.advice == "" {
			j.advice = reason.What + " " + strings.Join(reason.Why, " ") + " " + reason.UseInstead
		}
		return nil
	}
	return reason
}

// isAbout reports whether a rule is about the call: about which of its commands, with
// the names in it, "" for the call of a tool.
func (j *judgement) isAbout(r *resources.ChainRule) (command string, names []string, about bool) {
	when := r.Spec.When
	for _, command := range j.call.Commands {
		if onlyLooks(command) || slices.ContainsFunc(strings.Fields(command), unless(when)) {
			continue
		}
		plain := command
		d, own := deedIn(command)
		if own {
			plain, names = d.plain(), d.names
		}
		if startsWithAny(plain, plainly(when.Commands)) {
			return command, names, true
		}
	}
	if j.call.Action == Governance || !matchesTool(j.call.Tool, when.Tools) {
		return "", nil, false
	}
	return "", nil, len(when.Paths) == 0 || j.call.writes() && slices.ContainsFunc(j.call.Paths, func(p Path) bool {
		return p.Repo != "" && matchesPath(p.Repo, when.Paths)
	})
}

// unless returns what tells the words with which a command is not meant.
func unless(when resources.ChainWhen) func(string) bool {
	return func(word string) bool {
		flag, _, _ := strings.Cut(word, "=")
		return slices.Contains(when.Unless, flag)
	}
}

func (j *judgement) isWhere(r *resources.ChainRule) bool {
	return len(r.Spec.When.Where) == 0 || slices.ContainsFunc(r.Spec.When.Where, j.view.HasFile)
}

// onlyLooks reports whether a command changes nothing, or hands work back: no rule
// keeps an agent from that.
func onlyLooks(command string) bool {
	if d, own := deedIn(command); own {
		return d.alwaysOpen() || d.verb == "init"
	}
	words := strings.Fields(command)
	if len(words) > 1 && words[0] == "git" {
		words = words[1:]
	}
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "ls", "cat", "head", "tail", "wc", "grep", "rg", "pwd", "cd", "echo", "true", "test", "stat", "file", "which",
		"status", "log", "diff", "show", "blame":
		return true
	}
	return false
}

// wordPast is the word that lets a command past a rule, "" if it has none.
func (j *judgement) wordPast(r *resources.ChainRule, command string) string {
	words := strings.Fields(command)
	if _, own := deedIn(command); !own {
		_, comment, _ := strings.Cut(j.call.Command, " # ")
		words = strings.Fields(comment)
	}
	for _, word := range words {
		if word == emergencyWord || word == bypassWord || word == forceWord && r.Spec.Level == resources.SoftBlock {
			return word
		}
	}
	return ""
}

// missing returns the first thing that a rule requires and that is not there.
func (j *judgement) missing(r *resources.ChainRule, names []string) (resources.ChainRequirement, bool) {
	for _, want := range r.Spec.Requires {
		if !j.isThere(want, names) {
			return want, true
		}
	}
	return resources.ChainRequirement{}, false
}

func (j *judgement) isThere(want resources.ChainRequirement, names []string) bool {
	if len(want.Files) > 0 {
		return slices.ContainsFunc(want.Files, j.view.HasFile)
	}
	plural, name, ok := want.Wanted()
	switch {
	case !ok:
		return true // validation says what is wrong with it
	case name == resources.AnyNamed:
		return slices.ContainsFunc(names, func(name string) bool { return j.holds(plural, name, want.Condition) })
	case name != "":
		return j.holds(plural, name, want.Condition)
	case plural == resources.WorkPlans && want.Condition == phaseIs+resources.PlanActive:
		return len(j.view.ActivePlans()) > 0
	}
	return slices.ContainsFunc(j.view.Names(plural), func(name string) bool { return j.holds(plural, name, want.Condition) })
}

// phaseIs begins a condition on the phase.
const phaseIs = "phase="

// holds reports whether there is an object of which a condition holds.
func (j *judgement) holds(plural, name, condition string) bool {
	switch plural {
	case resources.CheckpointsKind:
		return j.view.Recorded(name)
	case resources.Tasks:
		t, ok := j.view.Task(name)
		return ok && (condition == "" || conditionHolds(j.status(t).Phase, j.status(t).Conditions, condition))
	case resources.WorkPlans:
		p, ok := j.view.Plan(name)
		return ok && (condition == "" || conditionHolds(j.planPhase(p), nil, condition))
	}
	return j.view.Exists(resources.Key{Kind: plural, Name: name})
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
func (j *judgement) chainReason(r *resources.ChainRule, command string, want resources.ChainRequirement, object string) *Reason {
	name := r.Metadata.Name
	what := tried(j.call)
	if command != "" {
		what = "You tried to run " + quote(command)
	}
	reason := &Reason{
		What:       what + " but rule " + quote(name) + " asks for " + wanted(want, object) + " first.",
		UseInstead: strings.ReplaceAll(r.Spec.Instead, resources.AnyNamed, object),
		Evidence:   []string{"chainrules/" + name + " spec.level = " + r.Spec.Level, "not there: " + wanted(want, object)},
	}
	if r.Spec.Because != "" {
		reason.Why = []string{clean(r.Spec.Because)}
	} else {
		reason.Why = []string{"Each step of the chain rests on the one before."}
	}
	if reason.UseInstead == "" {
		reason.UseInstead = "See to it, then repeat the call; `idumb describe chainrule " + name + "` shows the rule."
	}
	if r.Spec.Level == resources.SoftBlock && command != "" {
		reason.UseInstead += " If it has to be now, repeat it with " + j.forced(command) + ": that is written down."
	}
	return reason
}

// forced is how a command says that it goes past a soft rule.
func (j *judgement) forced(command string) string {
	if _, own := deedIn(command); own {
		return forceWord
	}
	return `" # ` + forceWord + `" behind it`
}

// wanted names what a requirement asks for.
func wanted(want resources.ChainRequirement, object string) string {
	if len(want.Files) > 0 {
		return orList(want.Files)
	}
	text := quote(strings.ReplaceAll(want.Resource, resources.AnyNamed, object))
	if want.Condition != "" {
		text += " with " + clean(want.Condition)
	}
	return text
}

func first(names []string) string {
	if len(names) == 0 {
		return "NAME"
	}
	return clean(names[0])
}
