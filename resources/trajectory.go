package resources

// TrajectoryName is the name of the only Trajectory, .idumb/trajectory.json.
const TrajectoryName = "trajectory"

// Trajectory is the read-head: the current subject of the work.
type Trajectory = Resource[TrajectorySpec, TrajectoryStatus]

// TrajectorySpec names the current plan, tasks and intent.
type TrajectorySpec struct {
	ActivePlan      string   `json:"activePlan,omitempty" idumb:"ref=workplans" doc:"The plan that the context is about."`
	ActivePhase     string   `json:"activePhase,omitempty" doc:"The stage of that plan."`
	ActiveTasks     []string `json:"activeTasks,omitempty" idumb:"ref=tasks" doc:"The tasks that the context is about."`
	Intent          string   `json:"intent,omitempty" doc:"The current wish of the user, as a sentence."`
	IntentShiftedAt Time     `json:"intentShiftedAt,omitzero" doc:"When that last changed."`
}

// TrajectoryStatus is the effective read-head. It uses the spec where the named objects are
// live. Otherwise it is derived from the phases of plans and tasks.
type TrajectoryStatus struct {
	Common
	ActivePlan  string   `json:"activePlan,omitempty" doc:"The plan that the context is about."`
	ActivePhase string   `json:"activePhase,omitempty" doc:"The stage of that plan."`
	ActiveTasks []string `json:"activeTasks,omitempty" doc:"All active tasks, tasks of the spec first."`
	ActivePlans []string `json:"activePlans,omitempty" doc:"All plans whose phase is active, by name."`
}
