package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// View is what statuses are computed from: the last good version of every
// object, and what the checkpoint logs say. The controller's cache, a Snapshot
// (commands) and the hook's by-name reader implement it, so that all of them
// reach the same answer. Objects that a View returns are shared and read-only.
type View interface {
	Decisions
	Comments
	// Task returns the last good version of a task.
	Task(name string) (*resources.Task, bool)
	// Plan returns the last good version of a plan.
	Plan(name string) (*resources.WorkPlan, bool)
	// Exists reports whether there is an object of that key, readable or not.
	Exists(key resources.Key) bool
	// Archived reports whether the object stands in .idumb/archive.
	Archived(key resources.Key) bool
	// Evidence returns what the task's checkpoint log amounts to.
	Evidence(task string) *Evidence
	// PlanCounts returns how many of a plan's tasks stand in each phase,
	// abandoned ones included; TasksDone reads it. Read-only.
	PlanCounts(plan string) map[string]int
	// Circle returns the tasks and plans of the cycle of Precedence that key stands in, in the
	// order of the cycle, starting with its smallest key; nil if it is in none.
	Circle(key resources.Key) []resources.Key
	// Trajectory returns what trajectory.json says of where the work stands; nil if there is none.
	Trajectory() *resources.Trajectory
	// Settings returns the configuration, defaults filled in.
	Settings() *resources.ConfigSpec
	// Now is the one clock of a computation.
	Now() time.Time
}

// WideView is a View that can also answer for whole kinds: what deriving plans,
// mems, anchors and the trajectory needs. The hook, which reads by name, has
// only the View.
type WideView interface {
	View
	Artifacts
	// PlanTasks returns the names of a plan's tasks, sorted.
	PlanTasks(plan string) []string
	// PlanReady returns the ready tasks of a plan whose priority has that rank, sorted by name.
	PlanReady(plan string, rank int) []ReadyTask
	// TasksInState returns the names of all tasks with that spec.state, sorted.
	TasksInState(state string) []string
	// PlansInState returns the names of all plans with that spec.state, sorted.
	PlansInState(state string) []string
	// Superseders returns the mems whose spec.supersedes names that mem, sorted by name.
	Superseders(mem string) []*resources.Mem
	// Dependents returns the objects of the same kind whose spec.dependsOn or
	// spec.temporalGate.after names that task or plan, sorted by name.
	Dependents(key resources.Key) []resources.Key
	// Delegations returns the delegations that hand over that task, sorted by name.
	Delegations(task string) []*resources.Delegation
	// Triggers returns all triggers, sorted by name.
	Triggers() []*resources.Trigger
	// Delegates returns the sessions that work under that delegation, sorted by name.
	Delegates(delegation string) []*resources.Session
	// Mem returns the last good version of a mem; nil if there is none.
	Mem(name string) *resources.Mem
	// Topic returns the mems with that spec.topicKey, as NormalTopic spells it, sorted by name.
	Topic(key string) []*resources.Mem
	// WorkDays are the days on which the project saw work. Read-only.
	WorkDays() WorkDays
	// SourceSection reports on a part of a file of the repository (see package source).
	SourceSection(path, section string) resources.Part
	// SourceMoved returns the file that stands in the place of one, or of a part of one, that
	// is not there any more: git says that it was renamed, or just one other file has what was
	// cited, with that sum. "" if nobody knows.
	SourceMoved(path, section, sha256 string) string
	// SourceDocument reads a Markdown file of the repository (see package source).
	SourceDocument(path string) resources.Document
	// SourceStack is what the map last saw in the repository's manifests (see Stacks).
	SourceStack() resources.Stack
	// SourceFile reports on an anchor's source file (from the repository's root):
	// its time of last change and sha256 in hex, and whether it exists.
	SourceFile(path string) (modTime time.Time, sha256 string, exists bool)
}

// Artifacts is what was said about documents.
type Artifacts interface {
	// Artifact returns the last good version of an artifact.
	Artifact(name string) (*resources.Artifact, bool)
	// ArtifactsNaming returns the artifacts that name that object anywhere in their spec, sorted
	// by name.
	ArtifactsNaming(key resources.Key) []*resources.Artifact
	// ArtifactsAt returns the artifacts that say something of that file, sorted by name.
	ArtifactsAt(path string) []*resources.Artifact
}

// TasksDone reports whether every task that is not abandoned is completed, and
// there is at least one; counts are those of View.PlanCounts.
func TasksDone(counts map[string]int) bool {
	live := 0
	for phase, n := range counts {
		if phase != resources.TaskAbandoned {
			live += n
		}
	}
	return live > 0 && counts[resources.TaskCompleted] == live
}

// Evidence is what a task's checkpoint log amounts to: everything that
// judging its evidence needs, without keeping every line.
type Evidence struct {
	Count    int                    // checkpoints in the log
	Last     []resources.Checkpoint // the newest, oldest first, five at most
	Files    []string               // every file written, sorted, each once
	Commands []Command              // every distinct command line, sorted
	Comment  CommentLog             // of the log of a comment; else empty
	Oldest   time.Time              // of the oldest checkpoint
	Newest   time.Time              // of the newest checkpoint
}

// Command is a command line that was seen in a checkpoint log, with whether it
// ever ended with exit code 0.
type Command struct {
	Line      string
	Succeeded bool
}
