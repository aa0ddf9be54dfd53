package resources

// TrajectoryName is the name of the one Trajectory, .idumb/trajectory.json.
const TrajectoryName = "trajectory"

// Trajectory is the read-head: what the work is about right now.
type Trajectory = Resource[TrajectorySpec, TrajectoryStatus]

// TrajectorySpec says where the work stands and what it is about.
type TrajectorySpec struct {
	ActivePlan      string   `json:"activePlan,omitempty" idumb:"ref=workplans" doc:"The plan that the context is about."`
	ActivePhase     string   `json:"activePhase,omitempty" doc:"The stage of that plan."`
	ActiveTasks     []string `json:"activeTasks,omitempty" idumb:"ref=tasks" doc:"The tasks that the context is about."`
	Intent          string   `json:"intent,omitempty" doc:"What the person wants now, in a sentence."`
	IntentShiftedAt Time     `json:"intentShiftedAt,omitzero" doc:"When that last changed."`
}

// TrajectoryStatus is where the read-head really stands: the spec as far as it
// holds, and where it says nothing or names what is no longer live, what the
// tasks themselves say.
type TrajectoryStatus struct {
	Common
	ActivePlan  string   `json:"activePlan,omitempty" doc:"The plan that the context is about."`
	ActivePhase string   `json:"activePhase,omitempty" doc:"The stage of that plan."`
	ActiveTasks []string `json:"activeTasks,omitempty" doc:"All tasks whose phase is active, those of the spec first."`
	ActivePlans []string `json:"activePlans,omitempty" doc:"All plans whose phase is active, by name."`
}
