package reconcilers

import (
	"context"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

func decisionKey(name string) resources.Key {
	return resources.Key{Kind: resources.Decisions, Name: name}
}

// decisionKeys: all decisions that see a decision that changed; those that depend on a document, or name
// an object that came or went; and all, where what manifests name is another. A change of a file that is
// cited comes as one of its decisions.
func decisionKeys(ch controller.Change, c controller.Client) []resources.Key {
	switch {
	case ch.First:
		return itself(ch, resources.Decisions)
	case ch.Key.Kind == store.FilesKind:
		return decisionsOn(ch.Key.Name, c)
	case ch.StatusOnly:
		return nil
	case ch.Key.Kind == resources.Artifacts:
		return decisionsAfterArtifact(ch, c)
	case ch.Key.Kind == resources.Decisions:
		return decisionsSeeing(ch, c)
	case appeared(ch):
		return referring(c, ch.Key, resources.Decisions)
	}
	return nil
}

// decisionsOn are all, where a file changed in which they may find what speaks against them.
func decisionsOn(file string, c controller.Client) []resources.Key {
	all := c.List(resources.Decisions)
	if len(all) == 0 || file != store.StackFile && !slices.ContainsFunc(c.SourceStack().Files, func(f resources.StackFile) bool { return f.Path == file }) {
		return nil
	}
	return all
}

// decisionsAfterArtifact are those that depend on a document that changed, or on one that was derived
// from it.
func decisionsAfterArtifact(ch controller.Change, c controller.Client) []resources.Key {
	var keys []resources.Key
	for _, artifact := range afterArtifact(ch, c) {
		keys = append(keys, referring(c, artifact, resources.Decisions)...)
	}
	return append(keys, referring(c, ch.Key, resources.Decisions)...)
}

// decisionsSeeing are the decision that changed, those that depend on it or that it takes the place
// of, and whatever depends on these, or was replaced before them.
func decisionsSeeing(ch controller.Change, c controller.Client) []resources.Key {
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
		add(decisionKey(supersededBy(o)))
	}
	for i := 0; i < len(keys); i++ {
		for _, key := range c.Dependents(keys[i]) {
			add(key)
		}
		o, _ := c.Get(keys[i])
		add(decisionKey(supersededBy(o)))
	}
	return keys
}

// supersededBy is the decision that an object takes the place of; "" for none.
func supersededBy(o resources.Object) string {
	if d, ok := o.(*resources.Decision); ok {
		return d.Spec.Supersedes
	}
	return ""
}

// tasksAfterDecision are the tasks that hang on a decision which changed, or on one that sees it.
func tasksAfterDecision(ch controller.Change, c controller.Client) []resources.Key {
	if ch.StatusOnly || !respecified(ch) {
		return nil
	}
	var keys []resources.Key
	for _, key := range decisionsSeeing(ch, c) {
		for _, task := range referring(c, key, resources.Tasks) {
			keys = appendParts(append(keys, task), task, c)
		}
	}
	return keys
}

// reconcileDecision keeps the statuses of decisions: whether they hold, and in whose place.
func reconcileDecision(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := settle(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	before := statusBefore[resources.DecisionStatus](seen)
	d := seen.Object.(*resources.Decision)
	watchManifests(c, d)
	status, _ := memory.DeriveDecision(d, at(c))
	told := status
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, told.Phase, func(_, now string) news { return decisionNews(d, now, &told) })
	if before.Phase != "" {
		turned(c, key, resources.Suspect, before.Conditions, told.Conditions, news{resources.Normal, "EvidenceBack", "what it cites is as it was"})
		turned(c, key, resources.Contradicted, before.Conditions, told.Conditions, news{resources.Normal, "NotContradicted", "the map shows nothing against it any more"})
		turned(c, key, resources.UpstreamStale, before.Conditions, told.Conditions, news{resources.Normal, "UpstreamConfirmed", "what it depends on is as it was decided on"})
	}
	return controller.Result{}, nil
}

// watchManifests has changes of what a decision is held against told from then on, those of files too that show
// nothing against it yet: whoever keeps the map looks at them again.
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

// decisionNews says in a sentence what a new phase means.
func decisionNews(d *resources.Decision, phase string, status *resources.DecisionStatus) news {
	switch phase {
	case resources.DecisionResolved:
		return news{resources.Normal, "Resolved", "it holds: what waits for it may go on"}
	case resources.DecisionRejected:
		return news{resources.Normal, "Rejected", strings.TrimSuffix(resources.DecisionState(d)+": "+d.Spec.Reason, ": ")}
	case resources.DecisionSuperseded:
		return news{resources.Normal, "Superseded", status.SupersededBy + " took its place"}
	}
	return news{resources.Warning, "Unresolved", messageOf(status.Conditions, resources.Blocked)}
}
