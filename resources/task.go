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
	WorkPlan       string         `json:"workPlan" idumb:"flag=plan,required,ref=workplans" doc:"The plan of the task."`
	Phase          string         `json:"phase,omitempty" idumb:"flag=phase" doc:"The stage of the plan, one of its spec.phases[].name."`
	Parent         string         `json:"parent,omitempty" idumb:"flag=parent,ref=tasks" doc:"The parent task."`
	Title          string         `json:"title,omitempty" idumb:"flag=title" doc:"The title. Default: the name."`
	Source         *TaskSource    `json:"source,omitempty" doc:"The place in the code."`
	ExpectedOutput string         `json:"expectedOutput" idumb:"flag=expect,required" doc:"The expected result."`
	Description    string         `json:"description,omitempty" idumb:"flag=description,max=65536" doc:"The description, in Markdown. The description of an active task is in the context, cut if it is long."`
	Notes          string         `json:"notes,omitempty" idumb:"flag=notes,max=65536" doc:"Notes on design, plan and findings, in Markdown. They are in the context like the description."`
	State          string         `json:"state,omitempty" idumb:"flag=state,enum=planned|active|review|completed|failed|abandoned" doc:"The requested or claimed state. Default planned."`
	PlanAhead      bool           `json:"planAhead,omitempty" idumb:"flag=ahead" doc:"Postpone the task: visible, but not listed by idumb next."`
	DelegatedBy    string         `json:"delegatedBy,omitempty" idumb:"flag=from" doc:"The role, agent or user that assigns the task."`
	AssignedTo     string         `json:"assignedTo,omitempty" idumb:"flag=assign" doc:"The role, agent or user that works on the task."`
	AllowedTools   []string       `json:"allowedTools,omitempty" idumb:"flag=tools,set" doc:"The only tools allowed for the task. Governance tools are always allowed."`
	DependsOn      []string       `json:"dependsOn,omitempty" idumb:"flag=depends-on,ref=tasks,set" doc:"Tasks that this task depends on."`
	Decisions      []string       `json:"decisions,omitempty" idumb:"ref=decisions,set" doc:"Decisions that it hangs on: while one of them is not resolved, the task is blocked."`
	TemporalGate   *TemporalGate  `json:"temporalGate,omitempty" doc:"A task that must be completed first, with the reason."`
	Evidence       []EvidenceItem `json:"evidence,omitempty" idumb:"set" doc:"The evidence that the task's checkpoints must contain before it counts as done."`
	FileLocks      []string       `json:"fileLocks,omitempty" idumb:"flag=locks*,format=glob,set" doc:"A file pattern that no other task may write while this task is open."`
	Paths          []string       `json:"paths,omitempty" idumb:"flag=paths*,format=glob,set" doc:"A file pattern; only matching files may be written for the task. Another task may write them only if it names them too, and only while this task is blocked or held elsewhere. A task without paths and fileLocks reserves no files."`
	Priority       string         `json:"priority,omitempty" idumb:"flag=priority,enum=critical|high|medium|normal|low" doc:"The priority. Default normal."`
	StaleAfter     string         `json:"staleAfter,omitempty" idumb:"flag=stale-after,format=duration" doc:"The time without a checkpoint after which the task is stale, such as 4h. Default: config."`
	Result         *TaskResult    `json:"result,omitempty" doc:"The result as claimed by its author."`
	Reason         string         `json:"reason,omitempty" doc:"Why the task failed or was abandoned the last time; kept when it is started again, until it is completed."`
}

// TaskSource is the code location of a task, in an editor's notation.
type TaskSource struct {
	File string `json:"file" idumb:"flag=file,required,format=path" doc:"The location of the work: a file of the repository, from its root."`
	Line int    `json:"line,omitempty" idumb:"flag=line,min=1" doc:"A line in that file."`
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
	After  string `json:"after" idumb:"flag=after,required,ref=tasks" doc:"A task that must be completed first."`
	Reason string `json:"reason,omitempty" idumb:"flag=reason" doc:"The reason for the gate, shown to users and agents that wait."`
}

// EvidenceItem is a requirement on a task's checkpoints: a written file or a command.
// Exactly one of File and Command is set.
type EvidenceItem struct {
	File     string `json:"file,omitempty" idumb:"flag=evidence-file*,format=glob" doc:"A file that matches this pattern was written."`
	Command  string `json:"command,omitempty" idumb:"flag=evidence-command*" doc:"A command that starts with these words was run; if exactly this line was run, only its runs count."`
	Succeeds bool   `json:"succeeds,omitempty" doc:"The newest run of the command ended with exit code 0."`
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
	Checkpoints TaskCheckpoints `json:"checkpoints,omitzero" doc:"The records of the work on it."`
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
