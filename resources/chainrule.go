package resources

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ChainRule requires files, objects or conditions before a command or tool call.
type ChainRule = Resource[ChainRuleSpec, ChainRuleStatus]

// Levels of a chain rule.
const (
	HardBlock = "HARD_BLOCK" // denied; --emergency bypasses it
	SoftBlock = "SOFT_BLOCK" // denied; --force or --emergency bypasses it
	Warn      = "WARN"       // allowed, with one line of advice
)

// ChainRuleSpec is one link of a chain: the calls that it applies to, and their
// requirements.
type ChainRuleSpec struct {
	Level    string             `json:"level" idumb:"required,enum=HARD_BLOCK|SOFT_BLOCK|WARN" doc:"HARD_BLOCK denies; SOFT_BLOCK denies unless the command has --force; WARN gives advice. --emergency bypasses all levels. Every bypass is an event."`
	When     ChainWhen          `json:"when,omitzero" doc:"The calls that the rule applies to."`
	Requires []ChainRequirement `json:"requires" idumb:"required" doc:"The requirements. All of them must be met."`
	Because  string             `json:"because,omitempty" doc:"Why, a sentence for the agent."`
	Instead  string             `json:"instead,omitempty" doc:"A command that helps. @ is replaced by the first object of the denied command, @plan by the plan of the first task."`
	Disabled bool               `json:"disabled,omitempty" doc:"The rule does not count."`
}

// ChainWhen selects the calls that a rule applies to: any of its commands, or any of its
// tools. Read-only commands and commands that hand work back are never selected.
type ChainWhen struct {
	Commands []string `json:"commands,omitempty" doc:"First words of a command. Commands of idumb match in a shell and as a tool call."`
	Unless   []string `json:"unless,omitempty" doc:"Flags with which a command is not meant: --evidence; and kinds: workplan, if it names one."`
	Tools    []string `json:"tools,omitempty" doc:"Tools by name, as globs."`
	Paths    []string `json:"paths,omitempty" idumb:"format=glob" doc:"Restricts the rule to writes of matching files."`
	Where    []string `json:"where,omitempty" idumb:"format=glob" doc:"Only in a repository with one of these files or folders; none: in all."`
}

// ChainRequirement is one requirement of a rule: one of some files exists, or an object exists, in a
// certain state if Condition is set.
type ChainRequirement struct {
	Files     []string `json:"files,omitempty" idumb:"format=glob" doc:"Files or folders relative to the repository's root. At least one must exist."`
	Resource  string   `json:"resource,omitempty" doc:"An object that must be there: KIND/NAME, KIND/@ for each that the command names, workplan/@plan for the plan of each task that it names, or KIND for any one. checkpoint/@: something was recorded for the task."`
	Condition string   `json:"condition,omitempty" doc:"The required state: phase=PHASE or phase=ONE|OTHER, or a condition of a task by its type (Ready, Ready=False)."`
}

// ChainRuleStatus is the observed state of a chain rule.
type ChainRuleStatus struct {
	Common
}

// Placeholders for names in the command. They are valid in requirements and in
// spec.instead.
const (
	AnyNamed  = "@"     // the objects that the command names
	PlanNamed = "@plan" // the plans of the tasks that the command names
)

// Target splits the resource of a requirement into a kind's plural and a name. The name is
// empty if any object of the kind satisfies the requirement. ok is false if the resource
// names no kind.
func (r ChainRequirement) Target() (plural, name string, ok bool) {
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

// checked lists the kinds for which a rule may require a condition.
var checked = [...]string{Tasks, WorkPlans}

// chainRule checks the matched steps and the requirements of a chain rule.
func (v *validator) chainRule(r *ChainRule) {
	if len(r.Spec.When.Commands) == 0 && len(r.Spec.When.Tools) == 0 {
		v.add(FieldError{Field: "spec.when", Detail: "Required value: commands or tools"})
	}
	for i, want := range r.Spec.Requires {
		at := fmt.Sprintf("spec.requires[%d]", i)
		switch plural, name, known := want.Target(); {
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
