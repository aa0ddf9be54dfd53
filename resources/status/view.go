package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// View provides the input of status computations: the last valid version of every object,
// and the evidence in checkpoint logs. The controller's cache, a Snapshot (commands) and
// the hook's by-name reader implement it. Objects from a View are shared and must not be
// modified.
type View interface {
	Decisions
	Comments
	// Task returns the last valid version of a task.
	Task(name string) (*resources.Task, bool)
	// Plan returns the last valid version of a plan.
	Plan(name string) (*resources.WorkPlan, bool)
	// Exists reports whether an object with that key exists, including unreadable objects.
	Exists(key resources.Key) bool
	// Archived reports whether the object is in .idumb/archive.
	Archived(key resources.Key) bool
	// Evidence returns the summary of the checkpoint log of a task or a comment.
	Evidence(task string) *Evidence
	// PlanCounts returns the number of a plan's tasks by phase, including abandoned tasks.
	// See TasksDone. The result must not be modified.
	PlanCounts(plan string) map[string]int
	// Circle returns the cycle of Precedence that contains key, in order, starting with its
	// smallest key. It returns nil if key is not in a cycle.
	Circle(key resources.Key) []resources.Key
	// Trajectory returns the content of trajectory.json, or nil if the file does not exist.
	Trajectory() *resources.Trajectory
	// Settings returns the configuration with defaults applied.
	Settings() *resources.ConfigSpec
	// Now returns the time of the computation.
	Now() time.Time
}

// WideView is a View with access to entire kinds. The status of plans, mems, anchors and
// the trajectory requires it. The hook reads by name and only implements View.
type WideView interface {
	View
	Artifacts
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
	// PlanReady returns the ready tasks of a plan with a priority rank, sorted by name.
	PlanReady(plan string, rank int) []ReadyTask
	// TasksInState returns the names of all tasks with that spec.state, sorted.
	TasksInState(state string) []string
	// PlansInState returns the names of all plans with that spec.state, sorted.
	PlansInState(state string) []string
	// Superseders returns the mems with that spec.supersedes, sorted by name.
	Superseders(mem string) []*resources.Mem
	// Dependents returns the objects of the same kind that name a task or plan in
	// spec.dependsOn or spec.temporalGate.after, sorted by name.
	Dependents(key resources.Key) []resources.Key
	// Delegations returns the delegations of a task, sorted by name.
	Delegations(task string) []*resources.Delegation
	// Triggers returns all triggers, sorted by name.
	Triggers() []*resources.Trigger
	// Session returns the record of a session of this machine.
	Session(name string) (*resources.Session, bool)
	// Delegates returns the sessions under a delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// Mem returns the last valid version of a mem, or nil if it does not exist.
	Mem(name string) *resources.Mem
	// Anchor returns the last valid version of an anchor, or nil if it does not exist.
	Anchor(name string) *resources.Anchor
	// Topic returns the mems with that spec.topicKey, normalized by memory.NormalTopic, sorted by
	// name.
	Topic(key string) []*resources.Mem
	// WorkDays returns the days with project activity. The result must not be modified.
	WorkDays() WorkDays
	// SourceSection describes a section of a repository file (see package source).
	SourceSection(path, section string) resources.Part
	// SourceMoved returns the new path of a missing file, or of a missing section. It uses
	// git's renames. Otherwise it returns the only other file that contains the cited text
	// with that checksum. It returns "" if the new path is unknown.
	SourceMoved(path, section, sha256 string) string
	// SourceDocument reads a Markdown file of the repository (see package source).
	SourceDocument(path string) resources.Document
	// SourceStack returns the packages in the repository's manifests, as of the last scan
	// (see Stacks).
	SourceStack() resources.Stack
	// SourceFile returns the modification time and the SHA-256 in hex of a file, and
	// whether it exists. The path is relative to the repository's root.
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
}

// Artifacts looks up artifacts, the objects that describe planning documents.
type Artifacts interface {
	// Artifact returns the last valid version of an artifact.
	Artifact(name string) (*resources.Artifact, bool)
	// ArtifactsNaming returns the artifacts with a reference to an object in their spec,
	// sorted by name.
	ArtifactsNaming(key resources.Key) []*resources.Artifact
	// ArtifactsAt returns the artifacts with that spec.path, sorted by name.
	ArtifactsAt(path string) []*resources.Artifact
}

// TasksDone reports whether all tasks except abandoned ones are completed and at least one
// is. counts is a result of View.PlanCounts.
func TasksDone(counts map[string]int) bool {
	live := 0
	for phase, n := range counts {
		if phase != resources.TaskAbandoned {
			live += n
		}
	}
	return live > 0 && counts[resources.TaskCompleted] == live
}

// Evidence summarizes a task's checkpoint log for the evaluation of evidence.
type Evidence struct {
	Count    int                    // number of checkpoints
	Failed   int                    // number of checkpoints that prove no work: of commands that failed and wrote no file
	Last     []resources.Checkpoint // newest checkpoints, at most five, oldest first
	Files    []string               // written files, sorted, without duplicates
	Commands []Command              // command lines, sorted, without duplicates
	Comment  CommentLog             // summary of a comment's log; empty for other objects
	Oldest   time.Time              // time of the oldest checkpoint
	Newest   time.Time              // time of the newest checkpoint
}

// Command is a command line in a checkpoint log, as CommandWords returns it, with the result of
// its newest run that has a known exit code.
type Command struct {
	Line              string
	Succeeded, Failed bool
	Time              time.Time // time of that run; zero if no exit code is known
}
