package packer

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// Observed is an object with the status that was derived for it. The object
// itself is shared and read-only; its own Status field is not looked at.
type Observed[S, T any] struct {
	Object *resources.Resource[S, T]
	Status T
}

// The kinds of objects that a pack is made of, each with its derived status.
type (
	Task       = Observed[resources.TaskSpec, resources.TaskStatus]
	Plan       = Observed[resources.WorkPlanSpec, resources.WorkPlanStatus]
	Mem        = Observed[resources.MemSpec, resources.MemStatus]
	Anchor     = Observed[resources.AnchorSpec, resources.AnchorStatus]
	Delegation = Observed[resources.DelegationSpec, resources.DelegationStatus]
	Artifact   = Observed[resources.ArtifactSpec, resources.ArtifactStatus]
)

// Input is everything that a pack is computed from. The order of its slices
// carries no meaning, and objects that do not belong into a pack (stale,
// abandoned, of another plan) may be in it: Build decides. Objects must not
// change while Build runs.
type Input struct {
	// Day is the date that the pack is for. Only year, month and day in UTC are
	// looked at, so that a pack changes once a day at most by itself.
	Day time.Time
	// Limit is the host's own limit in characters (UTF-16 code units, which are
	// never fewer than code points); 0: none. Less than MinLimit counts as MinLimit.
	Limit int
	// Config holds language, budget and project facts, defaults filled in.
	Config *resources.ConfigSpec
	// Role is the role that the reader acts in; nil: no rules of a role.
	Role *resources.Role
	// Session is the session that the pack is for; nil for the repository's own.
	Session *resources.Session
	// Figures are those of Session.
	Figures status.Figures
	// Triggers are those that are set off in Session.
	Triggers []*resources.Trigger
	// Project is what the project is, as its map says: lines from the repository's files.
	Project []string
	// Code is what is known of files of code that the active tasks name, what matters most first.
	Code []resources.CodeFile
	// NamesOnly leaves of Code out what anybody may have written there but names, paths and counts.
	NamesOnly bool
	// Unseen says that plans of the team are not visible in this clone, and what to do about it; empty if all are.
	Unseen string
	// Intent is what the person wants now (trajectory.spec.intent).
	Intent string
	// IntentSince is when that last changed (trajectory.spec.intentShiftedAt); zero: unknown.
	IntentSince time.Time
	// ActivePhase is the stage of the plan that the work stands in.
	ActivePhase string
	// Plan is the active plan; nil: none. Its Status.Next is what is shown as next.
	Plan *Plan
	// Plans are other plans that Plan depends on or that wait for it, for their
	// titles and phases. May be empty.
	Plans []Plan
	// Active names the tasks that the pack is about.
	Active []string
	// Back are failed tasks that the reader worked on, and its own that was abandoned.
	Back []*resources.Task
	// Others says in few words whose tasks are that are not the reader's, by name.
	Others map[string]string
	// HandTo says to which roles the reader hands the tasks of Plan.Status.Next over that it may not start, by name.
	HandTo map[string]string
	// StartsNone says that the reader's role may not start tasks.
	StartsNone bool
	// Tasks must hold the active tasks, and may hold any others: what they wait
	// for and what waits for them makes the chain, Plan.Status.Next and planAhead
	// tasks are listed, conditions ChainBroken, Orphaned and Stale become warnings.
	Tasks []Task
	// Delegations of any task; those of active tasks are shown, and the one that
	// Session works under.
	Delegations []Delegation
	// Artifacts are the documents of the active tasks and of Plan.
	Artifacts []Artifact
	// Comments are those that bind whoever works on the active tasks, the oldest first.
	Comments []Remark
	// Anchors of the repository.
	Anchors []Anchor
	// Mems of the repository, false paths among them.
	Mems []Mem
	// Terse leaves Pack.Entries out: nobody asks for the reasons.
	Terse bool
	// Previous has the places of what the reader's last pack had, as PreviousIn reads it: these
	// mems and anchors count half as much again, so that they do not come and go, and
	// stand in that order before new ones. A pack that is made again with what it holds is
	// the same.
	Previous map[string]int
	// Problems are files that cannot be read; they are listed as warnings.
	Problems []resources.Problem

	stock *Stock // Reader.Stock; its mems and anchors are those that count
}

// sessionName is the name of Session, "" if there is none.
func (in *Input) sessionName() string {
	if in.Session == nil {
		return ""
	}
	return in.Session.Metadata.Name
}
