package status

import (
	"slices"
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveAnchor computes the status of an anchor and the time of its next change. An anchor
// is stale in these cases:
//
//   - it was not created or confirmed within config.anchorStaleAfter and is not pinned,
//   - its source task failed, was abandoned, was deleted or, except for decisions, was completed,
//   - its source file changed or was deleted.
//
// StaleSince is set only in the first case. For a changed source, the controller records
// when it saw the change. The time is the next full hour of the anchor's age, or the time
// at which it becomes stale. It is zero if the status cannot change by time.
func DeriveAnchor(a *resources.Anchor, v WideView) (resources.AnchorStatus, time.Time) {
	since := resources.ValidatedAt(a)
	limit := resources.Duration(v.Settings().AnchorStaleAfter, 0)
	hours := min(int(resources.Age(since, v.Now())/time.Hour), int(limit/time.Hour))
	status := resources.AnchorStatus{StalenessHours: hours, Score: anchorScore(a.Spec.Priority, hours, anchorDepth(a, v))}
	status.Phase = resources.Fresh
	if reason, message := anchorStale(a, since, limit, v); reason != "" {
		status.Phase = resources.StalePhase
		status.Conditions = append(status.Conditions, resources.Condition{Type: resources.Stale, Status: resources.True, Reason: reason, Message: message})
		if reason == expired {
			status.StaleSince = resources.NewTime(since.Add(limit))
		}
		if c, changed := suspectAnchor(a, since, limit, v); changed {
			status.Conditions = append(status.Conditions, c)
		}
	}
	if c, orphaned := orphanedAnchor(a, v); orphaned {
		status.Conditions = append([]resources.Condition{c}, status.Conditions...)
	}
	return status, nextHour(since, limit, v.Now())
}

// expired is the reason of objects that are stale by age.
const expired = "Expired"

// SourceFileGone is the reason of a stale anchor with a deleted source file. Confirming the
// anchor has no effect.
const SourceFileGone = "SourceFileGone"

// SourceTaskEnded is the reason of a stale anchor with an ended source task. Confirming the
// anchor has no effect.
const SourceTaskEnded = "SourceTaskEnded"

const fileGone = "is gone"

// anchorScore returns the score for display, by the formula of the governance documents
// (F27): the weight of the priority plus the rest of 48 hours, less 10 for each step of depth.
func anchorScore(priority string, hours, depth int) int {
	worth := [...]int{100, 75, 50, 50, 25}
	return worth[resources.PriorityRank(priority)] + max(0, 48-hours) - 10*depth
}

// unrelatedDepth is the depth of anchors without a relation to an active task.
const unrelatedDepth = 3

// anchorDepth returns the number of related anchors between an anchor and an active task: 0
// for an anchor of the task, at most unrelatedDepth. It is 0 if no task is active.
func anchorDepth(a *resources.Anchor, v WideView) int {
	active := v.TasksInState(resources.TaskActive)
	if len(active) == 0 {
		return 0
	}
	level := []*resources.Anchor{a}
	for depth := range unrelatedDepth {
		var next []*resources.Anchor
		for _, a := range level {
			keys := resources.RelatedKeys(a)
			if a.Spec.Source != nil {
				keys = append(keys, resources.Key{Kind: resources.Tasks, Name: a.Spec.Source.Task})
			}
			for _, key := range keys {
				if _, ok := slices.BinarySearch(active, key.Name); ok && key.Kind == resources.Tasks {
					return depth
				}
				if related := v.Anchor(key.Name); key.Kind == resources.Anchors && related != nil {
					next = append(next, related)
				}
			}
		}
		level = next[:min(len(next), maxRelated)]
	}
	return unrelatedDepth
}

// maxRelated limits the related anchors that anchorDepth reads for each step.
const maxRelated = 100

// anchorStale returns why an anchor is stale. The reason is "" if it is not.
func anchorStale(a *resources.Anchor, since time.Time, limit time.Duration, v WideView) (reason, message string) {
	confirm := "; check it, and confirm that it is valid: idumb confirm anchor/" + a.Metadata.Name
	if source := a.Spec.Source; source != nil {
		if why := sourceTaskEnded(source.Task, a.Spec.Type, v); why != "" {
			return SourceTaskEnded, "its task " + strconv.Quote(source.Task) + " " + why
		}
		if why := sourceFileChanged(source, since, v); why == fileGone {
			return SourceFileGone, "its file " + strconv.Quote(source.File) + " " + why + "; name another one (idumb edit anchor " + a.Metadata.Name + "), or idumb archive anchor/" + a.Metadata.Name
		} else if why != "" {
			return "SourceFileChanged", "its file " + strconv.Quote(source.File) + " " + why + confirm
		}
	}
	if !a.Spec.Pinned && resources.Age(since, v.Now()) >= limit {
		return expired, "it was not confirmed since " + since.UTC().Format(time.RFC3339) + confirm
	}
	return "", ""
}

// sourceTaskEnded returns how the source task of an anchor ended, as "is gone", "is failed" and so
// on, or "" if the anchor does not become stale by it. Completion does not count for decisions.
func sourceTaskEnded(name, anchorType string, v View) string {
	if name == "" {
		return ""
	}
	t, ok := v.Task(name)
	if !ok {
		if v.Exists(resources.Key{Kind: resources.Tasks, Name: name}) {
			return ""
		}
		return "is gone"
	}
	switch {
	case t.Spec.State == resources.TaskFailed, t.Spec.State == resources.TaskAbandoned:
		return "is " + t.Spec.State
	case anchorType != "decision" && TaskDone(t, v.Evidence(name)):
		return "is completed"
	}
	return ""
}

// sourceFileChanged compares the file with the recorded checksum. Without a
// checksum it compares the modification time with since, truncated to seconds,
// which is the resolution of creationTimestamp. It returns "has changed",
// fileGone or "".
func sourceFileChanged(source *resources.AnchorSource, since time.Time, v WideView) string {
	if source.File == "" {
		return ""
	}
	switch modTime, sum, exists := v.SourceFile(source.File); {
	case !exists:
		return fileGone
	case source.SHA256 != "" && sum != source.SHA256, source.SHA256 == "" && modTime.Truncate(time.Second).After(since):
		return "has changed"
	}
	return ""
}

// suspectAnchor returns the condition Suspect of an anchor that is stale only because its
// source file changed. Such an anchor may still be valid: a context marks it and gives it
// half the weight. Contexts omit anchors with a deleted file.
func suspectAnchor(a *resources.Anchor, since time.Time, limit time.Duration, v WideView) (resources.Condition, bool) {
	switch {
	case a.Spec.Source == nil, a.Spec.Source.File == "", sourceTaskEnded(a.Spec.Source.Task, a.Spec.Type, v) != "":
		return resources.Condition{}, false
	case !a.Spec.Pinned && resources.Age(since, v.Now()) >= limit:
		return resources.Condition{}, false // stale by age
	}
	if _, _, exists := v.SourceFile(a.Spec.Source.File); !exists || sourceFileChanged(a.Spec.Source, since, v) == "" {
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: "SourceFileChanged",
		Message: "its file " + strconv.Quote(a.Spec.Source.File) + " has changed since; check whether it is still valid"}, true
}

// nextHour returns the next time at which an age in full hours changes or
// reaches its limit. It is zero if the limit has passed.
func nextHour(since time.Time, limit time.Duration, now time.Time) time.Time {
	old := resources.Age(since, now)
	if old >= limit {
		return time.Time{}
	}
	return resources.Earliest(since.Add((old/time.Hour+1)*time.Hour), since.Add(limit))
}

// orphanedAnchor returns the condition Orphaned if an anchor refers to a missing task or another
// missing object.
func orphanedAnchor(a *resources.Anchor, v View) (resources.Condition, bool) {
	o := Orphan{View: v, Object: a.Key()}
	if a.Spec.Source != nil {
		o.Check("spec.source.task", resources.Tasks, a.Spec.Source.Task)
	}
	o.CheckRelated(resources.RelatedKeys(a))
	return o.Condition()
}
