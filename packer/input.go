package packer

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Observed is an object with its derived status. The object is shared and read-only; its Status
// field is ignored.
type Observed[S, T any] struct {
	Object *resources.Resource[S, T]
	Status T
}

// The kinds of a pack, each with its derived status.
type (
	Task       = Observed[resources.TaskSpec, resources.TaskStatus]
	Plan       = Observed[resources.WorkPlanSpec, resources.WorkPlanStatus]
	Mem        = Observed[resources.MemSpec, resources.MemStatus]
	Anchor     = Observed[resources.AnchorSpec, resources.AnchorStatus]
	Delegation = Observed[resources.DelegationSpec, resources.DelegationStatus]
	Artifact   = Observed[resources.ArtifactSpec, resources.ArtifactStatus]
)

// Input is the complete input of a pack. The order of its slices has no meaning, and it may contain
// objects that do not enter a pack (stale, abandoned, of another plan). Objects must not change
// while Build runs.
type Input struct {
	// Day is the date of the pack. Only year, month and day in UTC are used, so that a pack without
	// other changes changes once a day at most.
	Day time.Time
	// Limit is the host's limit in characters (UTF-16 code units, never fewer than code points); 0
	// means none. A value below MinLimit counts as MinLimit.
	Limit int
	// Config holds language, budget and project facts, with defaults.
	Config *resources.ConfigSpec
	// Role is the reader's role; nil adds no rules of a role.
	Role *resources.Role
	// Session is the reader's session; nil for the repository's pack.
	Session *resources.Session
	// Figures are the figures of Session.
	Figures status.Figures
	// Triggers lists the triggers that fired in Session.
	Triggers []*resources.Trigger
	// Project describes the project: lines from the repository's files.
	Project []string
	// Code lists the map's entries of files that the active tasks name, most important first.
	Code []resources.CodeFile
	// NamesOnly reduces Code to names, paths and counts, because other texts may have been written
	// by anyone.
	NamesOnly bool
	// Unseen is a message that plans of the team are not visible in this clone, with the next step;
	// empty if all are visible.
	Unseen string
	// Intent is the user's current intent (trajectory.spec.intent).
	Intent string
	// IntentSince is when the intent last changed (trajectory.spec.intentShiftedAt); zero if
	// unknown.
	IntentSince time.Time
	// ActivePhase is the current stage of the plan.
	ActivePhase string
	// Plan is the active plan, nil if none. Its Status.Next lists the next tasks.
	Plan *Plan
	// Plans lists the dependencies of Plan, for their titles and phases. It may be
	// empty.
	Plans []Plan
	// Active names the tasks that the pack covers.
	Active []string
	// Back lists failed tasks that the reader worked on, and its task if that was abandoned.
	Back []*resources.Task
	// Others maps a task that the reader may not work on to a short note on who may.
	Others map[string]string
	// HandTo maps a task of Plan.Status.Next that the reader may not start to the role it hands it
	// over to.
	HandTo map[string]string
	// StartsNone is set if the reader's role may not start tasks.
	StartsNone bool
	// Tasks contains the active tasks and may contain any others. Their dependencies and dependents
	// form the chain, Plan.Status.Next and planAhead tasks are listed, and the conditions
	// ChainBroken, Orphaned and Stale become warnings.
	Tasks []Task
	// Delegations may belong to any task. Those of active tasks and the one of Session are shown.
	Delegations []Delegation
	// Artifacts lists the documents of the active tasks and of Plan.
	Artifacts []Artifact
	// Comments lists the comments that bind an agent on the active tasks, oldest first.
	Comments []Remark
	// Anchors lists the anchors of the repository.
	Anchors []Anchor
	// Mems lists the mems of the repository, false paths included.
	Mems []Mem
	// Terse leaves Pack.Entries empty.
	Terse bool
	// Previous maps the mems and anchors of the reader's last pack to their places, as PreviousIn
	// reads it. They have 1.5 times their score, so that entries do not alternate, and keep their
	// order before new ones. Building a pack again with its own content gives the same pack.
	Previous map[string]int
	// Problems lists invalid files; they become warnings.
	Problems []resources.Problem

	stock *Stock // Reader.Stock; its mems and anchors are used
}

// sessionName returns the name of Session, empty if nil.
func (in *Input) sessionName() string {
	if in.Session == nil {
		return ""
	}
	return in.Session.Metadata.Name
}
