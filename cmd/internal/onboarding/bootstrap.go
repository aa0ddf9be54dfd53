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

// bootstrap drafts the plan, unless it exists, with the completed task of the scan and the delegation
// that hands its result to the coordinator. A draft does not bind agents: the user activates it.
func (p *Plan) bootstrap(f ScanResult, known Existing, b bootstrapFacts) {
	key := resources.Key{Kind: resources.WorkPlans, Name: bootstrapPlan}
	if known.Exists(key) {
		return
	}
	plan := resources.New[*resources.WorkPlan](resources.WorkPlans, bootstrapPlan)
	plan.Spec.Title, plan.Spec.State, plan.Spec.Category, plan.Spec.OwnedBy = "Take over this repository", resources.PlanDraft, "governance", coordinator
	p.Steps = append(p.Steps, Step{Action: "plan", Subject: bootstrapPlan, Reason: "draft plan of the work that a scan cannot do", Object: plan})
	scan := taskOf(taskTemplate{name: "scan", title: "Scan the repository", output: "The documents, technologies, commands and shared files are known"})
	scan.Spec.State = resources.TaskCompleted
	scan.Spec.Result = &resources.TaskResult{Evidence: fmt.Sprintf("idumb onboard found %d documents, %d technologies, %d commands, %d shared files",
		len(f.Documents), len(f.Technologies), len(f.Commands), len(f.Shared))}
	p.task(scan, known)
	for _, e := range taskTemplates(f, b) {
		p.task(taskOf(e), known)
	}
	handOver := resources.New[*resources.Delegation](resources.Delegations, bootstrapPlan)
	handOver.Spec = resources.DelegationSpec{Task: scan.Metadata.Name, From: "onboard", To: coordinator, State: "done",
		ExpectedOutput: "the " + coordinator + " owns plan " + bootstrapPlan + " once a user activates it"}
	if !known.Exists(handOver.Key()) {
		p.Steps = append(p.Steps, Step{Action: "delegate", Subject: bootstrapPlan, Reason: "hands the result of the scan over to the " + coordinator, Object: handOver})
	}
}

// task adds the step that creates a task, unless the task exists.
func (p *Plan) task(t *resources.Task, known Existing) {
	if !known.Exists(t.Key()) {
		p.Steps = append(p.Steps, Step{Action: "task", Subject: t.Metadata.Name, Reason: t.Spec.Title, Object: t})
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
