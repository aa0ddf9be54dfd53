package status

import (
	"strconv"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// DeriveAnchor computes what holds about an anchor. It turns stale by time
// (config.anchorStaleAfter after it was made or validated, unless pinned), when its
// source task ended (for decisions: unless that was completed), and when its
// source file is gone or changed. StaleSince is set for time alone; that of a
// changed source is when it was seen. The next moment is the next full hour of its
// age, up to the limit; then the status stands still.
func DeriveAnchor(a *resources.Anchor, v WideView) (resources.AnchorStatus, time.Time) {
	since := resources.ValidatedAt(a)
	limit := resources.Duration(v.Settings().AnchorStaleAfter, 0)
	hours := min(int(resources.Age(since, v.Now())/time.Hour), int(limit/time.Hour))
	status := resources.AnchorStatus{StalenessHours: hours, Score: anchorScore(a.Spec.Priority, hours)}
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

// expired is the reason of what is stale by time.
const expired = "Expired"

// SourceFileGone is the reason for which an anchor is stale whose file is not there any
// more: no confirmation brings it back.
const SourceFileGone = "SourceFileGone"

// SourceTaskEnded is the reason for which an anchor is stale whose task is over: no confirmation
// brings it back.
const SourceTaskEnded = "SourceTaskEnded"

const fileGone = "is gone"

// anchorScore is the documents' formula (F27), for display: what the priority is
// worth, plus what is left of 48 hours.
func anchorScore(priority string, hours int) int {
	worth := [...]int{100, 75, 50, 50, 25}
	return worth[resources.PriorityRank(priority)] + max(0, 48-hours)
}

// anchorStale says why an anchor is stale; "" if it is not.
func anchorStale(a *resources.Anchor, since time.Time, limit time.Duration, v WideView) (reason, message string) {
	confirm := "; check it, and say that it holds: idumb confirm anchor/" + a.Metadata.Name
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
		return expired, "nobody confirmed it since " + since.UTC().Format(time.RFC3339) + confirm
	}
	return "", ""
}

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

// sourceFileChanged compares with the sum that was taken when the anchor was made
// or, without one, with the time of the file's last change, to the second, which
// is as exact as creationTimestamp is.
func sourceFileChanged(source *resources.AnchorSource, since time.Time, v WideView) string {
	if source.File == "" {
		return ""
	}
	modTime, sum, exists := v.SourceFile(source.File)
	switch {
	case !exists:
		return fileGone
	case source.SHA256 != "" && sum != source.SHA256, source.SHA256 == "" && modTime.Truncate(time.Second).After(since):
		return "has changed"
	}
	return ""
}

// suspectAnchor: nothing is wrong with the anchor but that the file it is about has changed,
// so that it may hold or not. A context marks it and gives it half the weight; one whose
// file is gone is left out.
func suspectAnchor(a *resources.Anchor, since time.Time, limit time.Duration, v WideView) (resources.Condition, bool) {
	switch {
	case a.Spec.Source == nil, a.Spec.Source.File == "", sourceTaskEnded(a.Spec.Source.Task, a.Spec.Type, v) != "":
		return resources.Condition{}, false
	case !a.Spec.Pinned && resources.Age(since, v.Now()) >= limit:
		return resources.Condition{}, false // too old as well
	}
	if _, _, exists := v.SourceFile(a.Spec.Source.File); !exists || sourceFileChanged(a.Spec.Source, since, v) == "" {
		return resources.Condition{}, false
	}
	return resources.Condition{Type: resources.Suspect, Status: resources.True, Reason: "SourceFileChanged",
		Message: "its file " + strconv.Quote(a.Spec.Source.File) + " has changed since; look whether it still holds"}, true
}

// nextHour is when an age that is counted in hours up to a limit changes, or
// reaches that limit.
func nextHour(since time.Time, limit time.Duration, now time.Time) time.Time {
	old := resources.Age(since, now)
	if old >= limit {
		return time.Time{}
	}
	return resources.Earliest(since.Add((old/time.Hour+1)*time.Hour), since.Add(limit))
}

func orphanedAnchor(a *resources.Anchor, v View) (resources.Condition, bool) {
	o := Orphan{View: v}
	if a.Spec.Source != nil {
		o.Check("spec.source.task", resources.Tasks, a.Spec.Source.Task)
	}
	o.CheckRelated(resources.RelatedKeys(a))
	return o.Condition()
}
