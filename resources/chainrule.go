package resources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ChainRule says what has to be there before something is done.
type ChainRule = Resource[ChainRuleSpec, ChainRuleStatus]

// Levels of a chain rule.
const (
	HardBlock = "HARD_BLOCK" // denied; --emergency goes past it
	SoftBlock = "SOFT_BLOCK" // denied; --force or --emergency goes past it
	Warn      = "WARN"       // done, with a line of advice
)

// ChainRuleSpec is one link of a chain: when this is to be done, that must be there.
type ChainRuleSpec struct {
	Level    string             `json:"level" idumb:"required,enum=HARD_BLOCK|SOFT_BLOCK|WARN" doc:"HARD_BLOCK denies; SOFT_BLOCK denies unless the command says --force; WARN gives advice. --emergency goes past all of them. Every such step is an event."`
	When     ChainWhen          `json:"when,omitzero" doc:"What the rule is about."`
	Requires []ChainRequirement `json:"requires" idumb:"required" doc:"What must be there, all of it."`
	Because  string             `json:"because,omitempty" doc:"Why, a sentence for the agent."`
	Instead  string             `json:"instead,omitempty" doc:"One step that helps, as it is typed. @ stands for the first object that the command names, @plan for the plan of the first task."`
	Disabled bool               `json:"disabled,omitempty" doc:"The rule does not count."`
}

// ChainWhen says which calls a rule is about: any of its commands, or any of its tools.
// Commands that only look, and those that hand work back, are about nothing.
type ChainWhen struct {
	Commands []string `json:"commands,omitempty" doc:"First words of a command. Those of idumb count however they come: in a shell, or as a call of one of its tools."`
	Unless   []string `json:"unless,omitempty" doc:"Flags with which a command is not meant: --evidence; and kinds: workplan, if it names one."`
	Tools    []string `json:"tools,omitempty" doc:"Tools by name, as globs."`
	Paths    []string `json:"paths,omitempty" idumb:"format=glob" doc:"Of calls that write, only those of such files."`
	Where    []string `json:"where,omitempty" idumb:"format=glob" doc:"Only in a repository with one of these files or folders; none: in all."`
}

// ChainRequirement is one thing that must be there.
type ChainRequirement struct {
	Files     []string `json:"files,omitempty" idumb:"format=glob" doc:"Files or folders from the repository's root, one of which must be there."`
	Resource  string   `json:"resource,omitempty" doc:"An object that must be there: KIND/NAME, KIND/@ for each that the command names, workplan/@plan for the plan of each task that it names, or KIND for any one. checkpoint/@: something was recorded for the task."`
	Condition string   `json:"condition,omitempty" doc:"What must hold about it: phase=PHASE or phase=ONE|OTHER, or a condition of a task by its type (Ready, Ready=False)."`
}

// ChainRuleStatus is what holds about a chain rule.
type ChainRuleStatus struct {
	Common
}

// What stands in a requirement, and in the step that helps, for names in the command.
const (
	AnyNamed  = "@"     // the objects that it names
	PlanNamed = "@plan" // the plans of the tasks that it names
)

// Wanted takes the resource of a requirement apart: its kind, by plural, and the name,
// "" for any one. ok is false if it names no kind.
func (r ChainRequirement) Wanted() (plural, name string, ok bool) {
	word, name, _ := strings.Cut(r.Resource, "/")
	if word == "checkpoint" || word == CheckpointsKind {
		return CheckpointsKind, cmp.Or(name, AnyNamed), true
	}
	kind, ok := LookupKind(word)
	if !ok {
		return "", "", false
	}
	return kind.Plural, name, true
}

// checked are the kinds of which a rule may ask for a condition.
var checked = [...]string{Tasks, WorkPlans}

func (v *validator) chainRule(r *ChainRule) {
	if len(r.Spec.When.Commands) == 0 && len(r.Spec.When.Tools) == 0 {
		v.add(FieldError{Field: "spec.when", Detail: "Required value: commands or tools"})
	}
	for i, want := range r.Spec.Requires {
		at := fmt.Sprintf("spec.requires[%d]", i)
		plural, name, known := want.Wanted()
		switch {
		case (len(want.Files) > 0) == (want.Resource != ""):
			v.add(FieldError{Field: at, Detail: "Required value: files or resource, one of the two"})
		case want.Resource != "" && !known:
			v.add(invalid(at+".resource", want.Resource, "names no kind"))
		case name == PlanNamed && plural != WorkPlans:
			v.add(invalid(at+".resource", want.Resource, "only a workplan is the plan of a task"))
		case name != "" && name != AnyNamed && name != PlanNamed && CheckName(name) != nil:
			v.add(invalid(at+".resource", want.Resource, CheckName(name).Error()))
		case want.Condition != "" && !slices.Contains(checked[:], plural):
			v.add(Forbidden(at+".condition", "only tasks and plans have any"))
		}
	}
}
