// Package reconcilers holds what the controller does: one loop for each concern,
// listed once in All. Each is a pure function (in package resources, shared with the
// commands and the hook) and the few lines here that say when it has to be computed
// again, and write the difference.
//
// What a status is computed from decides what has to be looked at when something
// changes. That mapping, in each loop's keys function, is kept narrow: the change
// of one task touches that task, the tasks that wait for it and its plan, however
// many tasks there are.
package reconcilers

import (
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// All returns the table of reconcilers for one manager. Call it once for each: the
// loops keep what they have seen between them. packs is who packs the context, and repo where
// those write that make objects; without one, for a store that is no folder, they are left out.
func All(packs *Packs, repo mutate.Repo) []controller.Registration {
	table := []controller.Registration{
		phaseLoop(packs),
		taskLoop(),
		planLoop(),
		chainLoop(),
		anchorLoop(),
		memLoop(),
		sessionLoop(),
		trajectoryLoop(),
		observeLoop(),
		contextLoop(packs),
	}
	if repo.Store == nil {
		return table
	}
	repo.Who.As = admission.Controller
	return append(table, queueLoop(repo), derivedLoop(repo), exportsLoop(repo))
}

// Ranks of the loops: phases of tasks first, by which others find what is ready.
const (
	statuses = 1 // who writes statuses; whoever sums up others comes after them
	// afterStatuses is who sums up objects, and makes objects of it, when the statuses of all
	// that is there are settled.
	afterStatuses = statuses + 3
)

// writing is a repository's store for a loop that writes objects. What it wrote is in the
// cache before a loop of a higher rank, or the same one, runs again.
func writing(repo mutate.Repo, c controller.Client) mutate.Repo {
	repo.Wrote = func(key resources.Key, _ []byte) { c.Recheck(key) }
	return repo
}
