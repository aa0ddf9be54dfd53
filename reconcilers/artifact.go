package reconcilers

import (
	"context"
	"fmt"
	"slices"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// artifactKeys returns the artifact itself, every artifact derived from it directly or indirectly,
// and the artifacts that it supersedes, covers or shares its file with. For a checkpoint it returns
// the artifacts that cover the task or its plan; for a created or deleted object, the artifacts
// that name it; for a file, the artifacts that link to it. A change of an artifact's file arrives
// as a change of the artifact.
func artifactKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.Artifacts)
	}
	switch {
	case ch.Key.Kind == store.FilesKind:
		var keys []resources.Key
		for _, key := range c.List(resources.Artifacts) {
			if a, ok := c.Artifact(key.Name); ok {
				if _, links := slices.BinarySearch(c.SourceDocument(a.Spec.Path).Links, ch.Key.Name); links {
					keys = append(keys, key)
				}
			}
		}
		return keys
	case ch.Key.Kind == resources.CheckpointsKind:
		covered := []resources.Key{taskKey(ch.Key.Name)}
		if task, ok := c.Task(ch.Key.Name); ok {
			covered = append(covered, planKey(task.Spec.WorkPlan))
		}
		return artifactsCovering(c, covered...)
	case ch.Key.Kind == resources.Artifacts && (!ch.StatusOnly || phaseChanged(ch)):
		return afterArtifact(ch, c)
	case !ch.StatusOnly && existenceChanged(ch):
		return referring(c, ch.Key, resources.Artifacts)
	}
	return nil
}

// afterArtifact returns the artifacts whose status depends on a changed
// artifact, and this artifact itself unless only its status changed.
func afterArtifact(ch controller.Change, c controller.Client) []resources.Key {
	keys := artifactsAfter(ch.Key, c)
	if ch.StatusOnly {
		return keys[1:]
	}
	for _, o := range []resources.Object{ch.Old, ch.New} {
		a, ok := o.(*resources.Artifact)
		if !ok {
			continue
		}
		if old := a.Spec.Supersedes; old != "" { // artifacts derived from a superseded one are stale
			keys = append(keys, artifactsAfter(resources.Key{Kind: resources.Artifacts, Name: old}, c)...)
		}
		for _, covered := range resources.CoveredKeys(a) {
			if covered.Kind == resources.Artifacts {
				keys = append(keys, covered)
			}
		}
		for _, other := range c.ArtifactsAt(a.Spec.Path) {
			keys = append(keys, other.Key())
		}
	}
	return keys
}

// artifactsAfter returns an artifact and every artifact that refers to it directly or indirectly.
func artifactsAfter(key resources.Key, c controller.Client) []resources.Key {
	keys, met := []resources.Key{key}, map[resources.Key]bool{key: true}
	for i := 0; i < len(keys); i++ {
		for _, next := range referring(c, keys[i], resources.Artifacts) {
			if !met[next] {
				met[next], keys = true, append(keys, next)
			}
		}
	}
	return keys
}

// artifactsCovering returns the artifacts that cover one of the objects. It scans all artifacts, because a
// store has few artifacts and a plan is named by many tasks.
func artifactsCovering(c controller.Client, covered ...resources.Key) []resources.Key {
	return slices.DeleteFunc(c.List(resources.Artifacts), func(key resources.Key) bool {
		a, ok := c.Artifact(key.Name)
		return !ok || !slices.ContainsFunc(resources.CoveredKeys(a), func(k resources.Key) bool { return slices.Contains(covered, k) })
	})
}

// reconcileArtifact writes the status of an artifact: its sections, and whether it still follows
// from its sources.
func reconcileArtifact(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	now := missingDocuments{newSnapshot(c)}
	before := statusBefore[resources.ArtifactStatus](seen)
	derived, next := status.DeriveArtifact(seen.Object.(*resources.Artifact), now)
	told := derived
	if err := c.WriteStatus(ctx, seen, &derived); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, told.Phase, func(_, now string) event { return artifactNews(now, &told) })
	if before.Phase != "" {
		announceCondition(c, key, resources.ChainBroken, before.Conditions, told.Conditions, event{resources.Normal, "ChainMended", "it no longer derives from an abandoned artifact"})
	}
	return now.requeueAt(next), nil
}

// missingDocuments adds to a document the time since when it is missing. The
// time is kept in the status of the artifacts of that file.
type missingDocuments struct{ snapshot }

// SourceDocument returns a document, with GoneSince set if the file is missing.
func (g missingDocuments) SourceDocument(path string) resources.Document {
	d := g.Client.SourceDocument(path)
	if d.Exists {
		return d
	}
	for _, a := range g.ArtifactsAt(path) {
		since := statusBefore[resources.ArtifactStatus](g.Revision(a.Key())).GoneSince
		d.GoneSince = resources.Earliest(d.GoneSince, since.Time)
	}
	return d
}

// artifactNews returns the event about the new phase of an artifact.
func artifactNews(phase string, s *resources.ArtifactStatus) event {
	switch phase {
	case resources.StalePhase:
		return event{resources.Warning, resources.Stale, messageOf(s.Conditions, resources.Stale)}
	case resources.SuspectPhase:
		return event{resources.Warning, "Suspect", messageOf(s.Conditions, resources.Suspect)}
	case resources.ArtifactMissing:
		return event{resources.Warning, "Missing", messageOf(s.Conditions, resources.Suspect) + "; it leaves the context"}
	case resources.Superseded:
		if s.Head != "" {
			return event{resources.Normal, "Superseded", fmt.Sprintf("artifact/%s replaces it", s.Head)}
		}
		return event{resources.Normal, "Superseded", "it is no longer in effect"}
	case resources.ArtifactAbandoned:
		return event{resources.Normal, "Abandoned", "it was abandoned; the file stays"}
	case resources.ArtifactCompleted:
		return event{resources.Normal, "Completed", "the work that it planned is done"}
	case resources.Purged:
		return event{resources.Normal, "Purged", "it was removed from the context; the file stays"}
	}
	return event{resources.Normal, "Current", "nothing speaks against it; phase " + phase}
}
