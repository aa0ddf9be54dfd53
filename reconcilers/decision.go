package reconcilers

import (
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

func decisionKey(name string) resources.Key {
	return resources.Key{Kind: resources.Decisions, Name: name}
}

// decisionKeys returns the decisions whose status depends on a changed decision, the decisions that
// depend on a changed document or name an object that was created or deleted, and all decisions if
// the manifests' content changed. A change of a cited file arrives as a change of its decisions.
func decisionKeys(ch controller.Change, c controller.Client) []resources.Key {
	switch {
	case ch.Initial:
		return firstKeys(ch, resources.Decisions)
	case ch.Key.Kind == store.FilesKind:
		all := c.List(resources.Decisions)
		if len(all) == 0 || ch.Key.Name != store.StackFile && !slices.ContainsFunc(c.SourceStack().Files, func(f resources.StackFile) bool { return f.Path == ch.Key.Name }) {
			return nil
		}
		return all
	case ch.StatusOnly:
		return nil
	case ch.Key.Kind == resources.Artifacts:
		var keys []resources.Key
		for _, artifact := range afterArtifact(ch, c) {
			keys = append(keys, referring(c, artifact, resources.Decisions)...)
		}
		return append(keys, referring(c, ch.Key, resources.Decisions)...)
	case ch.Key.Kind == resources.Decisions:
		return dependentDecisions(ch, c)
	case existenceChanged(ch):
		return referring(c, ch.Key, resources.Decisions)
	}
	return nil
}

// dependentDecisions returns the changed decision, its dependents, the decision that it supersedes,
// and the dependents and predecessors of those.
func dependentDecisions(ch controller.Change, c controller.Client) []resources.Key {
	met := map[resources.Key]bool{}
	var keys []resources.Key
	add := func(key resources.Key) {
		if key.Name != "" && !met[key] {
			met[key] = true
			keys = append(keys, key)
		}
	}
	add(ch.Key)
	for _, o := range []resources.Object{ch.Old, ch.New} {
		add(decisionKey(supersededName(o)))
	}
	for i := 0; i < len(keys); i++ {
		for _, key := range c.Dependents(keys[i]) {
			add(key)
		}
		o, _ := c.Get(keys[i])
		add(decisionKey(supersededName(o)))
	}
	return keys
}

// supersededName returns the name of the decision that an object supersedes, empty if none.
func supersededName(o resources.Object) string {
	if d, ok := o.(*resources.Decision); ok {
		return d.Spec.Supersedes
	}
	return ""
}

// tasksAfterDecision returns the tasks that depend on a changed decision, or on a decision whose
// status depends on it.
func tasksAfterDecision(ch controller.Change, c controller.Client) []resources.Key {
	if ch.StatusOnly || !specChanged(ch) {
		return nil
	}
	var keys []resources.Key
	for _, key := range dependentDecisions(ch, c) {
		for _, task := range referring(c, key, resources.Tasks) {
			keys = appendParts(append(keys, task), task, c)
		}
	}
	return keys
}

// reconcileDecision writes the status of a decision: whether it is in effect, and what
// it supersedes.
func reconcileDecision(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	before := statusBefore[resources.DecisionStatus](seen)
	d := seen.Object.(*resources.Decision)
	watchManifests(c, d)
	status, _ := memory.DeriveDecision(d, newSnapshot(c))
	told := status
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, told.Phase, func(_, now string) event { return decisionNews(d, now, &told) })
	if before.Phase != "" {
		announceCondition(c, key, resources.Suspect, before.Conditions, told.Conditions, event{resources.Normal, "EvidenceBack", "its evidence is unchanged again"})
		announceCondition(c, key, resources.Contradicted, before.Conditions, told.Conditions, event{resources.Normal, "NotContradicted", "the map no longer contradicts it"})
		announceCondition(c, key, resources.UpstreamStale, before.Conditions, told.Conditions, event{resources.Normal, "UpstreamConfirmed", "its dependencies have not changed since the decision"})
	}
	return controller.Result{}, nil
}

// watchManifests subscribes to the files that can contradict a decision, also to those
// that do not yet do so.
func watchManifests(c controller.Client, d *resources.Decision) {
	if resources.DecisionState(d) != resources.DecisionAccepted || len(d.Spec.Uses)+len(d.Spec.Avoids) == 0 {
		return
	}
	for _, f := range c.SourceStack().Files {
		if len(d.Spec.Paths) == 0 || resources.MatchesAny(f.Path, d.Spec.Paths) {
			c.SourceFile(f.Path)
		}
	}
}

// decisionNews returns the event about the new phase of a decision.
func decisionNews(d *resources.Decision, phase string, status *resources.DecisionStatus) event {
	switch phase {
	case resources.DecisionResolved:
		return event{resources.Normal, "Resolved", "it is resolved: tasks that wait for it may start"}
	case resources.DecisionRejected:
		return event{resources.Normal, "Rejected", strings.TrimSuffix(resources.DecisionState(d)+": "+d.Spec.Reason, ": ")}
	case resources.DecisionSuperseded:
		return event{resources.Normal, "Superseded", status.SupersededBy + " replaced it"}
	}
	return event{resources.Warning, "Unresolved", messageOf(status.Conditions, resources.Blocked)}
}

// upstreamWalk limits the search for upstream tasks.
const upstreamWalk = 256

// plansUpstream returns the plans of the live tasks that block a task, directly or indirectly, if
// the change alters how many tasks they unblock. After upstreamWalk tasks it returns every plan,
// because reconciling all plans is cheaper than a longer search.
func plansUpstream(ch controller.Change, c controller.Client) []resources.Key {
	old, new := asTask(ch.Old), asTask(ch.New)
	if !specChanged(ch) || old != nil && new != nil && status.LiveTask(old) == status.LiveTask(new) && slices.Equal(resources.ComesFirst(old), resources.ComesFirst(new)) {
		return nil
	}
	seen, plans := map[string]bool{}, map[string]bool{}
	todo := append(blockersOf(old), blockersOf(new)...)
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t, ok := c.Task(name)
		if !ok || seen[name] || !status.LiveTask(t) {
			continue
		}
		if seen[name] = true; len(seen) > upstreamWalk {
			return c.List(resources.WorkPlans)
		}
		plans[t.Spec.WorkPlan] = true
		todo = append(todo, blockersOf(t)...)
	}
	keys := make([]resources.Key, 0, len(plans))
	for plan := range plans {
		keys = append(keys, planKey(plan))
	}
	return keys
}

// blockersOf returns the tasks that come before a task; nil for a nil task.
func blockersOf(t *resources.Task) []string {
	if t == nil {
		return nil
	}
	return slices.Clone(resources.ComesFirst(t))
}
