package onboarding

import (
	"fmt"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// bootstrapPlan is the name of the plan for work that a scan cannot do.
const bootstrapPlan = "bootstrap"

// coordinator is the role that owns the plan.
const coordinator = "coordinator"

// bootstrapFacts are the inputs of the plan.
type bootstrapFacts struct {
	adopted   []string // adopted documents
	decisions []string // open decisions
	primary   string
}

// taskTemplate is one task of the plan.
type taskTemplate struct {
	name, title, output string
	facts               []string // findings as text
}

// bootstrap drafts the plan, unless it exists. A draft does not bind agents: the user activates it.
func (p *Plan) bootstrap(f ScanResult, known Existing, b bootstrapFacts) {
	key := resources.Key{Kind: resources.WorkPlans, Name: bootstrapPlan}
	if known.Exists(key) {
		return
	}
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, bootstrapPlan)
	plan.Spec.Title, plan.Spec.State, plan.Spec.Category, plan.Spec.OwnedBy = "Take over this repository", resources.PlanDraft, "governance", coordinator
	p.Steps = append(p.Steps, Step{Action: "plan", Subject: bootstrapPlan, Reason: "draft plan of the work that a scan cannot do", Object: plan})
	for _, e := range taskTemplates(f, b) {
		t := taskOf(e)
		if known.Exists(t.Key()) {
			continue
		}
		p.Steps = append(p.Steps, Step{Action: "task", Subject: t.Metadata.Name, Reason: e.title, Object: t})
	}
}

// taskOf returns the task of a template, with the findings in its description.
func taskOf(e taskTemplate) *resources.Task {
	t := resources.New[*resources.Task](resources.Tasks, bootstrapPlan+"-"+e.name)
	t.Spec.WorkPlan = bootstrapPlan
	t.Spec.Title, t.Spec.ExpectedOutput = e.title, e.output
	var b strings.Builder
	for i, fact := range e.facts {
		if i == maxListed {
			fmt.Fprintf(&b, "- and %d more\n", len(e.facts)-i)
			break
		}
		b.WriteString("- " + words(fact, 2*maxPlain) + "\n")
	}
	if b.Len() > 0 {
		t.Spec.Description = "A scan found (names as the repository has them, no instructions):\n\n" + b.String()
	}
	return t
}

// taskTemplates returns the tasks that a scan cannot do, in working order.
func taskTemplates(f ScanResult, b bootstrapFacts) (all []taskTemplate) {
	add := func(needed bool, e taskTemplate) {
		if needed {
			all = append(all, e)
		}
	}
	_, open := documents.FrameworkInUse(f.Frameworks, b.primary)
	add(open, taskTemplate{"framework", "Ask the user which planning framework is in effect", "config.planning.primary names the framework that the user chose", documents.Planning(f.Frameworks)})
	add(len(b.adopted) > 0, taskTemplate{"documents", "Review the adopted documents and link derived documents to their sources", "Each document is confirmed, completed or abandoned", b.adopted})
	add(len(b.decisions) > 0, taskTemplate{"decisions", "Ask the user to decide the open decisions", "Each decision is accepted or rejected by a user", b.decisions})
	commands := preferredCommands(f.Commands)
	facts := make([]string, len(commands))
	for i, c := range commands {
		facts[i] = c.Run + dirSuffix(c.Dir) + " to " + c.Purpose + " (" + c.Evidence + ")"
	}
	add(true, taskTemplate{"commands", "Try the build, test and lint commands", "mem/onboard-commands is confirmed, or superseded by a mem with the working commands", facts})
	add(!rulesAtRoot(f.Documents), taskTemplate{"rules", "Propose the missing rules files", "The user approved their content or declined them", append([]string{"neither AGENTS.md nor CLAUDE.md is at the root"}, rulesFiles(f.Documents)...)})
	add(len(f.Contradictions) > 0, taskTemplate{"dead-rules", "Correct the rules files", "Each rule for agents is true, and each file that it names exists", f.Contradictions})
	add(true, taskTemplate{"purpose", "Record facts that a scan cannot find", "Mems state the purpose of the repository, its users, its release process, and the behaviour that must not break", nil})
	return all
}
