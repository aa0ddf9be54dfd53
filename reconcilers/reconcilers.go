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
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// All returns the table of reconcilers for one manager. Call it once for each: the
// loops keep what they have seen between them. packs is who packs the context, and repo where
// those write that make objects; without one, for a store that is no folder, they are left out.
func All(packs *Packs, repo mutate.Repo) []controller.Registration {
	phases, tasks, told, head := &taskPhases{packs: packs}, &planWatch{}, &orphansTold{}, &readHead{repo: repo}
	pack := func(c controller.Client) controller.Reconciler { packs.client = c; return on(packs.reconcile)(c) }
	table := []controller.Registration{
		{Name: "phase", Keys: phases.keys, New: on(phases.reconcile)},
		{Name: "task", Rank: statuses, Keys: tasks.taskKeys, New: on(tasks.reconcileTask)},
		{Name: "plan", Rank: statuses + 1, Keys: planKeys, New: on(reconcilePlan)}, // a plan sums up its tasks
		{Name: "chain", Rank: statuses, Keys: chainKeys, New: on(told.reconcile)},
		{Name: "anchor", Rank: statuses, Keys: anchorKeys, New: on(reconcileAnchor)},
		{Name: "mem", Rank: statuses, Keys: memKeys, New: on(reconcileMem)},
		{Name: "decision", Rank: statuses, Keys: decisionKeys, New: on(reconcileDecision)},
		{Name: "artifact", Rank: statuses, Keys: artifactKeys, New: on(reconcileArtifact)},
		{Name: "comment", Rank: statuses, Keys: commentKeys, New: on(reconcileComment)},
		{Name: "session", Rank: statuses, Keys: sessionKeys, New: on(reconcileSession)},
		{Name: "trajectory", Rank: statuses + 2, Keys: trajectoryKeys, New: on(head.reconcile)}, // it sums up plans and tasks
		{Name: "observe", Rank: statuses, Keys: observeKeys, New: on(reconcileObserved)},
		{Name: "context", Rank: statuses, Idle: true, Coalesce: packAfter, Keys: packs.keys, New: pack}, // it derives what it tells of, and needs phases to find that
	}
	if repo.Store == nil {
		return table
	}
	repo.Who.As = admission.Controller
	over := func(make func(mutate.Repo, controller.Client) controller.Reconciler) func(controller.Client) controller.Reconciler {
		return func(c controller.Client) controller.Reconciler { return make(repo, c) }
	}
	return append(table,
		controller.Registration{Name: "queue", Background: true, Coalesce: queueAfter, Keys: queueKeys, New: over(newDrainer)},
		controller.Registration{Name: "origins", Background: true, Coalesce: derivedAfter, Keys: originKeys, New: over(newOriginFinder)},
		controller.Registration{Name: "derived", Rank: afterStatuses, Background: true, Coalesce: derivedAfter, Keys: derivedKeys, New: over(newDeriver)},
		controller.Registration{Name: "exports", Rank: afterStatuses, Background: true, Keys: exportsKeys, New: over(newExporter)})
}

// on makes a reconciler of a function.
func on(reconcile func(context.Context, controller.Client, resources.Key) (controller.Result, error)) func(controller.Client) controller.Reconciler {
	return func(c controller.Client) controller.Reconciler {
		return controller.Func(func(ctx context.Context, key resources.Key) (controller.Result, error) { return reconcile(ctx, c, key) })
	}
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
