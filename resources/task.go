package resources

import (
	"fmt"
	"slices"
	"strconv"
)

// Task is one piece of work, kind TaskNode.
type Task = Resource[TaskSpec, TaskStatus]

// TaskSpec contains the decisions and claims of users and agents about a task.
type TaskSpec struct {
	WorkPlan       string         `json:"workPlan" idumb:"required,ref=workplans" doc:"The plan that the task belongs to."`
	Phase          string         `json:"phase,omitempty" doc:"The stage of the plan, one of its spec.phases[].name."`
	Parent         string         `json:"parent,omitempty" idumb:"ref=tasks" doc:"The task that this one is a part of."`
	Title          string         `json:"title,omitempty" doc:"What the task is called. Default: its name."`
	Source         *TaskSource    `json:"source,omitempty" doc:"Where in the code it is to be done."`
	ExpectedOutput string         `json:"expectedOutput" idumb:"required" doc:"What there is when the task is done."`
	Description    string         `json:"description,omitempty" idumb:"max=65536" doc:"What is to be done, at length, in Markdown. An active task's stands in the context, cut where it is long."`
	Notes          string         `json:"notes,omitempty" idumb:"max=65536" doc:"How it is to be done and what came up, in Markdown: design, plan, test strategy. Told like the description."`
	State          string         `json:"state,omitempty" idumb:"enum=planned|active|review|completed|failed|abandoned" doc:"What is wanted or claimed. Default planned."`
	PlanAhead      bool           `json:"planAhead,omitempty" doc:"Visible in the plan, never proposed as next."`
	DelegatedBy    string         `json:"delegatedBy,omitempty" doc:"Who handed the task over."`
	AssignedTo     string         `json:"assignedTo,omitempty" doc:"The role, agent or person that does it."`
	AllowedTools   []string       `json:"allowedTools,omitempty" idumb:"set" doc:"If given, the only tools to use for it. Governance tools are always allowed."`
	DependsOn      []string       `json:"dependsOn,omitempty" idumb:"ref=tasks,set" doc:"Tasks that must be completed first."`
	Decisions      []string       `json:"decisions,omitempty" idumb:"ref=decisions,set" doc:"Decisions that it hangs on: while one of them is not resolved, the task is blocked."`
	TemporalGate   *TemporalGate  `json:"temporalGate,omitempty" doc:"A task that must be completed first, with the reason."`
	Evidence       []EvidenceItem `json:"evidence,omitempty" idumb:"set" doc:"What must be seen in the task's checkpoints before it counts as done."`
	FileLocks      []string       `json:"fileLocks,omitempty" idumb:"format=glob,set" doc:"Files that no other task may write while this one is open."`
	Paths          []string       `json:"paths,omitempty" idumb:"format=glob,set" doc:"If given, the only files that may be written for the task. Another one writes them only if it names them as well, while this one is blocked or somebody else holds it. A task without paths and fileLocks keeps no files from other tasks."`
	Priority       string         `json:"priority,omitempty" idumb:"enum=critical|high|medium|normal|low" doc:"How much it matters. Default normal."`
	StaleAfter     string         `json:"staleAfter,omitempty" idumb:"format=duration" doc:"An active task without a checkpoint for this long is stale. Default: config."`
	Result         *TaskResult    `json:"result,omitempty" doc:"What came out, as claimed by whoever did it."`
	Reason         string         `json:"reason,omitempty" doc:"Why the task failed or was abandoned the last time; kept when it is started again, until it is completed."`
}

// TaskSource is the code location of a task, in an editor's notation.
type TaskSource struct {
	File string `json:"file" idumb:"required,format=path" doc:"A file of the repository, from its root."`
	Line int    `json:"line,omitempty" idumb:"min=1" doc:"A line in that file."`
}

// String returns file:line without unset parts. It returns "" for nil.
func (s *TaskSource) String() string {
	switch {
	case s == nil:
		return ""
	case s.Line == 0:
		return s.File
	}
	return s.File + ":" + strconv.Itoa(s.Line)
}

// TemporalGate makes a task wait for another task, with a reason.
type TemporalGate struct {
	After  string `json:"after" idumb:"required,ref=tasks" doc:"The task that must be completed first."`
	Reason string `json:"reason,omitempty" doc:"Why, as told to whoever is held back."`
}

// EvidenceItem is a requirement on a task's checkpoints: a written file or a command.
// Exactly one of File and Command is set.
type EvidenceItem struct {
	File     string `json:"file,omitempty" idumb:"format=glob" doc:"A file that matches this pattern was written."`
	Command  string `json:"command,omitempty" doc:"A command that starts with these words was run."`
	Succeeds bool   `json:"succeeds,omitempty" doc:"The command ended with exit code 0."`
}

// TaskResult is the claimed result of a task.
type TaskResult struct {
	Evidence       string         `json:"evidence,omitempty" doc:"What shows that it is done."`
	FilesModified  []string       `json:"filesModified,omitempty" idumb:"set" doc:"Files that were written for it."`
	TestsRun       string         `json:"testsRun,omitempty" doc:"Which tests were run, with their outcome."`
	AnchorsCreated []string       `json:"anchorsCreated,omitempty" idumb:"ref=anchors,set" doc:"Anchors that came out of it."`
	Verified       []EvidenceItem `json:"verified,omitempty" idumb:"set" doc:"Evidence items that the complete command saw in the checkpoint log, which stays on this machine, so that other clones agree."`
}

// States of a task. With TaskBlocked they are also its phases.
const (
	TaskPlanned   = "planned"
	TaskBlocked   = "blocked" // phase only
	TaskActive    = "active"
	TaskReview    = "review"
	TaskCompleted = "completed"
	TaskFailed    = "failed"
	TaskAbandoned = "abandoned"
)

// PhaseInvalid is the phase of an object with an unreadable file.
const PhaseInvalid = "Invalid"

// TaskStatus is the observed state of a task.
type TaskStatus struct {
	Common
	Ready       bool            `json:"ready" doc:"Planned, and nothing has to come first."`
	BlockedBy   []string        `json:"blockedBy,omitempty" doc:"Tasks (by name), decisions (decision/name) and plans (workplan/name) that have to come first."`
	Checkpoints TaskCheckpoints `json:"checkpoints,omitzero" doc:"What was recorded while working on it."`
	Artifacts   []string        `json:"artifacts,omitempty" doc:"Files that its checkpoints say were written."`
	StartedAt   Time            `json:"startedAt,omitzero" doc:"When the controller saw the task become active."`
	CompletedAt Time            `json:"completedAt,omitzero" doc:"When the controller saw the task become completed."`
}

// TaskCheckpoints summarizes a task's checkpoint log.
type TaskCheckpoints struct {
	Count int          `json:"count" doc:"How many there are."`
	Last  []Checkpoint `json:"last,omitempty" doc:"The newest, oldest first, five at most."`
}

// String returns the item as text: `a written file "src/**"`, `command "go test" with exit
// code 0`.
func (e EvidenceItem) String() string {
	switch {
	case e.File != "":
		return fmt.Sprintf("a written file %q", e.File)
	case e.Succeeds:
		return fmt.Sprintf("command %q with exit code 0", e.Command)
	}
	return fmt.Sprintf("command %q", e.Command)
}

// ComesFirst returns the direct prerequisites of t without duplicates: spec.dependsOn in
// its order, then spec.temporalGate.after. The result may share memory with the spec.
func ComesFirst(t *Task) []string {
	s := &t.Spec
	if s.TemporalGate == nil || s.TemporalGate.After == "" || slices.Contains(s.DependsOn, s.TemporalGate.After) {
		return s.DependsOn
	}
	return append(slices.Clone(s.DependsOn), s.TemporalGate.After)
}
