package reconcilers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
)

// memKeys returns the mem itself. If a part that other mems depend on changed,
// it also returns all mems that it supersedes or that supersede it, directly or
// indirectly, and all mems of their topics. For a created or deleted object it
// returns the mems that refer to it, and all mems if the configuration changed.
// A change of a cited file and a new day of work arrive as changes of the mems.
func memKeys(ch controller.Change, c controller.Client) []resources.Key {
	if ch.Initial {
		return firstKeys(ch, resources.Mems)
	}
	if configChanged(ch) {
		return c.List(resources.Mems) // config.memFadingBelow, config.memStaleBelow
	}
	if ch.StatusOnly && !(ch.Key.Kind == resources.Mems && phaseChanged(ch)) || ch.Key.Kind == resources.CheckpointsKind {
		return nil
	}
	var keys []resources.Key
	if ch.Key.Kind == resources.Mems {
		keys = append(keys, ch.Key)
		if before, after := asMem(ch.Old), asMem(ch.New); phaseChanged(ch) || memViewOf(before) != memViewOf(after) {
			f := family{client: c, members: map[string]bool{ch.Key.Name: true}}
			f.add(before)
			f.add(after)
			keys = append(keys, f.keys()...)
		}
	}
	if existenceChanged(ch) {
		keys = append(keys, referring(c, ch.Key, resources.Mems)...)
	}
	return keys
}

// memView is the part of a mem that other mems depend on.
type memView struct {
	supersedes, reason, shelf, memType, topic, content string
	from, to, purged, recorded, created                time.Time
}

// memViewOf returns the view of a mem; the zero value if m is nil.
func memViewOf(m *resources.Mem) memView {
	if m == nil {
		return memView{}
	}
	s := &m.Spec
	return memView{
		s.Supersedes, s.SupersedeReason, s.Shelf, s.Type, s.TopicKey, s.Content,
		s.ValidFrom.Time, s.ValidTo.Time, s.PurgedAt.Time, s.RecordedAt.Time, m.Created(),
	}
}

// family collects the mems that are connected by supersedes, in both directions.
type family struct {
	client  controller.Client
	members map[string]bool
	topics  []string
}

// add adds all mems that are connected with m by supersedes, directly or through other mems, and
// their topics. It does nothing if m is nil.
func (f *family) add(m *resources.Mem) {
	if m == nil {
		return
	}
	for todo := []*resources.Mem{m}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		f.topics = append(f.topics, next.Spec.TopicKey)
		near := f.client.Superseders(next.Metadata.Name)
		if old := f.client.Mem(next.Spec.Supersedes); old != nil {
			near = append(near, old)
		}
		for _, other := range near {
			if !f.members[other.Metadata.Name] {
				f.members[other.Metadata.Name] = true
				todo = append(todo, other)
			}
		}
	}
}

// keys returns the sorted keys of the members and of all mems of their topics.
func (f *family) keys() []resources.Key {
	for _, topic := range f.topics {
		if topic == "" {
			continue
		}
		for _, m := range f.client.Topic(topic) {
			f.members[m.Metadata.Name] = true
		}
	}
	keys := make([]resources.Key, 0, len(f.members))
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		keys = append(keys, memKey(name))
	}
	return keys
}

// reconcileMem writes the status of a mem: its decayed confidence, and whether it is superseded.
func reconcileMem(ctx context.Context, c controller.Client, key resources.Key) (controller.Result, error) {
	seen, done, err := finishMissing(ctx, c, key)
	if done {
		return controller.Result{}, err
	}
	now := newSnapshot(c)
	before := statusBefore[resources.MemStatus](seen)
	status, next := memory.Derive(seen.Object.(*resources.Mem), now)
	told := status
	if err := c.WriteStatus(ctx, seen, &status); err != nil {
		return controller.Result{}, err
	}
	announce(c, key, before.Phase, told.Phase, func(_, now string) event { return memNews(now, &told) })
	return now.requeueAt(next), nil
}

// memNews returns the event about the new phase of a mem.
func memNews(phase string, status *resources.MemStatus) event {
	switch phase {
	case resources.Fading:
		return event{resources.Normal, "Fading", fmt.Sprintf("its confidence is down to %d; confirm it, or let it fade", status.Confidence)}
	case resources.StalePhase:
		return event{resources.Normal, resources.Stale, fmt.Sprintf("it was not confirmed for a long time, and its confidence is %d: it leaves the context", status.Confidence)}
	case resources.SuspectPhase:
		return event{resources.Warning, "Suspect", strings.Join(status.Suspect, ", ") + "; check whether it is still valid"}
	case resources.GonePhase:
		return event{resources.Warning, "EvidenceGone", strings.Join(status.Suspect, ", ") + "; it leaves the context"}
	case resources.Purged:
		return event{resources.Normal, "Purged", "it was removed from the context; the file stays"}
	case resources.Ended, resources.Pending:
		return event{resources.Normal, "OutOfSeason", "it is " + phase + " by spec.validFrom and spec.validTo"}
	case resources.Superseded:
		return event{resources.Normal, "Superseded", fmt.Sprintf("%s replaced it", status.SupersededBy)}
	}
	return event{resources.Normal, "Fresh", fmt.Sprintf("it counts again, with a confidence of %d", status.Confidence)}
}
