package resources

// WorkPlan is a goal with acceptance criteria. Tasks belong to a plan.
type WorkPlan = Resource[WorkPlanSpec, WorkPlanStatus]

// WorkPlanSpec contains the decisions of users about a plan.
type WorkPlanSpec struct {
	Title           string      `json:"title" idumb:"flag=title,required" doc:"The title."`
	Acceptance      []string    `json:"acceptance,omitempty" idumb:"flag=accept*" doc:"An acceptance criterion. Without criteria the plan is complete when its tasks are."`
	Met             []Criterion `json:"met,omitempty" idumb:"set" doc:"Which of these were shown to hold; idumb complete workplan/NAME --met writes it."`
	Category        string      `json:"category,omitempty" idumb:"flag=category,enum=development|research|governance|maintenance|spec-kit|ad-hoc" doc:"The kind of work; routes delegation."`
	GovernanceLevel string      `json:"governanceLevel,omitempty" idumb:"flag=governance,enum=strict|balanced|minimal" doc:"The strictness of governance."`
	State           string      `json:"state,omitempty" idumb:"flag=state,enum=draft|active|completed|archived|abandoned" doc:"The requested or claimed state. Default draft."`
	DependsOn       []string    `json:"dependsOn,omitempty" idumb:"flag=depends-on,ref=workplans,set" doc:"Plans that this plan depends on."`
	OwnedBy         string      `json:"ownedBy,omitempty" idumb:"flag=assign" doc:"The role or agent responsible for the plan."`
	StaleAfter      string      `json:"staleAfter,omitempty" idumb:"format=duration" doc:"An active plan without work for this time is stale. Default: config."`
	SOTDocument     string      `json:"sotDocument,omitempty" idumb:"flag=document,format=path" doc:"The source document, a file of the repository. If the two differ, the document counts."`
	Phases          []PlanPhase `json:"phases,omitempty" doc:"Named stages that group the plan's tasks."`
}

// Criterion records that an acceptance criterion was met. It refers to the criterion by its
// text: a reworded criterion must be verified again.
type Criterion struct {
	Criterion string `json:"criterion" idumb:"required" doc:"The criterion, as in spec.acceptance."`
	Evidence  string `json:"evidence" idumb:"required" doc:"What shows it."`
	By        string `json:"by,omitempty" doc:"The session of the agent who recorded it; empty for a user."`
	At        Time   `json:"at,omitzero" doc:"When."`
}

// PlanPhase is one stage of a plan.
type PlanPhase struct {
	Name  string `json:"name" idumb:"flag=phases,required" doc:"The stages of the plan, in order."`
	Title string `json:"title,omitempty" doc:"The title for people."`
	Order int    `json:"order,omitempty" doc:"Stages are listed by this number, then by name."`
}

// States of a plan. With PlanBlocked and PlanReview they are also its phases.
const (
	PlanDraft     = "draft"
	PlanActive    = "active"
	PlanBlocked   = "blocked" // phase only: active, but a plan in dependsOn is not completed
	PlanReview    = "review"  // phase only: active, all tasks are done, but a criterion is not verified
	PlanCompleted = "completed"
	PlanArchived  = "archived"
	PlanAbandoned = "abandoned"
)

// WorkPlanStatus is the observed state of a plan.
type WorkPlanStatus struct {
	Common
	Progress  PlanProgress `json:"progress,omitzero" doc:"How many tasks there are, by phase."`
	Next      []string     `json:"next,omitempty" doc:"Ready tasks, best first, ten at most."`
	BlockedBy []string     `json:"blockedBy,omitempty" doc:"Plans that must be completed first."`
	PurgedAt  Time         `json:"purgedAt,omitzero" doc:"When an abandoned plan left the context for good."`
}

// PlanProgress counts a plan's tasks.
type PlanProgress struct {
	Total   int            `json:"total" doc:"All tasks of the plan, abandoned ones left out."`
	ByPhase map[string]int `json:"byPhase,omitempty" doc:"Tasks by status.phase."`
}
