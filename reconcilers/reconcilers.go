// Package reconcilers implements the controller's reconcilers, which All lists.
// Each is a pure function from package resources, shared with the commands and
// the hook, and a few lines that decide when to compute it again, write the
// difference and emit events.
//
// Each reconciler has a keys function, which maps a change to the objects whose status depends on
// it. The mapping is narrow: a change of one task requeues the task, its dependents and its plan,
// independent of the total number of tasks.
package reconcilers

import (
	"context"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// All returns the reconcilers of one manager. Each manager needs its own, because reconcilers keep
// state. packs builds the context. repo is used by the reconcilers that write objects; if its store
// is nil (the store is not a folder), they are left out.
func All(packs *Packs, repo mutate.Repo) []controller.Registration {
	phases, tasks, told, head := &taskPhases{packs: packs}, &planWatch{}, &orphanReports{}, &readHead{repo: repo}
	pack := func(c controller.Client) controller.Reconciler { packs.client = c; return adapt(packs.reconcile)(c) }
	table := []controller.Registration{
		{Name: "phase", Keys: phases.keys, New: adapt(phases.reconcile)},
		{Name: "task", Rank: statuses, Keys: tasks.taskKeys, New: adapt(tasks.reconcileTask)},
		{Name: "plan", Rank: statuses + 1, Keys: planKeys, New: adapt(reconcilePlan)}, // a plan's status summarizes its tasks
		{Name: "chain", Rank: statuses, Keys: chainKeys, New: adapt(told.reconcile)},
		{Name: "anchor", Rank: statuses, Keys: anchorKeys, New: adapt(reconcileAnchor)},
		{Name: "mem", Rank: statuses, Keys: memKeys, New: adapt(reconcileMem)},
		{Name: "decision", Rank: statuses, Keys: decisionKeys, New: adapt(reconcileDecision)},
		{Name: "artifact", Rank: statuses, Keys: artifactKeys, New: adapt(reconcileArtifact)},
		{Name: "comment", Rank: statuses, Keys: commentKeys, New: adapt(reconcileComment)},
		{Name: "session", Rank: statuses, Keys: sessionKeys, New: adapt(reconcileSession)},
		{Name: "trajectory", Rank: statuses + 2, Keys: trajectoryKeys, New: adapt(head.reconcile)}, // summarizes plans and tasks
		{Name: "observe", Rank: statuses, Keys: observeKeys, New: adapt(reconcileObserved)},
		{Name: "context", Rank: statuses, Idle: true, Coalesce: packDelay, Keys: packs.keys, New: pack}, // derives statuses itself, but needs phases to find tasks
	}
	if repo.Store == nil {
		return table
	}
	repo.Author.Kind = admission.Controller
	over := func(make func(mutate.Repo, controller.Client) controller.Reconciler) func(controller.Client) controller.Reconciler {
		return func(c controller.Client) controller.Reconciler { return make(repo, c) }
	}
	return append(table,
		controller.Registration{Name: "queue", Background: true, Coalesce: queueDelay, Keys: commandQueueKeys, New: over(newDrainer)},
		controller.Registration{Name: "origins", Background: true, Coalesce: derivedDelay, Keys: originKeys, New: over(newOriginFinder)},
		controller.Registration{Name: "derived", Rank: afterStatuses, Background: true, Coalesce: derivedDelay, Keys: derivedKeys, New: over(newDeriver)},
		controller.Registration{Name: "exports", Rank: afterStatuses, Background: true, Keys: exportsKeys, New: over(newExporter)})
}

// adapt adapts a function to a constructor of a reconciler.
func adapt(reconcile func(context.Context, controller.Client, resources.Key) (controller.Result, error)) func(controller.Client) controller.Reconciler {
	return func(c controller.Client) controller.Reconciler {
		return controller.Func(func(ctx context.Context, key resources.Key) (controller.Result, error) { return reconcile(ctx, c, key) })
	}
}

// Ranks of the reconcilers. The phases of tasks have rank 0, because others use them to find ready
// tasks.
const (
	statuses = 1 // writers of statuses; one that summarizes others has a higher rank
	// afterStatuses is the rank of reconcilers that create objects, after all statuses are written.
	afterStatuses = statuses + 3
)

// writeThrough returns the repository for a reconciler that writes objects. A written object is in the
// cache before a reconciler of the same or a higher rank runs again.
func writeThrough(repo mutate.Repo, c controller.Client) mutate.Repo {
	repo.OnWrite = func(key resources.Key, _ []byte) { c.Recheck(key) }
	return repo
}
