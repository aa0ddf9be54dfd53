package status_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDeriveAnchor(t *testing.T) {
	hoursAgo := func(n int, spec resources.AnchorSpec) *resources.Anchor {
		return graphtest.CreatedAt(graphtest.Anchor("a", spec), graphtest.Noon.Add(-time.Duration(n)*time.Hour))
	}
	about := func(task string) *resources.AnchorSource { return &resources.AnchorSource{Task: task} }
	validated := hoursAgo(100, resources.AnchorSpec{})
	validated.Metadata.Annotations = map[string]string{resources.AnnotationValidatedAt: graphtest.Noon.Add(-2 * time.Hour).Format(time.RFC3339)}
	for _, test := range []struct {
		name   string
		anchor *resources.Anchor
		phase  string
		reason string
		hours  int
		score  int
		next   time.Duration // from noon; 0: never
	}{
		{"new", hoursAgo(0, resources.AnchorSpec{}), resources.Fresh, "", 0, 98, time.Hour},
		{"some hours old", hoursAgo(5, resources.AnchorSpec{Priority: "critical"}), resources.Fresh, "", 5, 143, time.Hour},
		{"expired", hoursAgo(48, resources.AnchorSpec{Priority: "low"}), resources.StalePhase, "Expired", 48, 25, 0},
		{"long expired", hoursAgo(1000, resources.AnchorSpec{}), resources.StalePhase, "Expired", 48, 50, 0},
		{"pinned", hoursAgo(1000, resources.AnchorSpec{Pinned: true, Priority: "high"}), resources.Fresh, "", 48, 75, 0},
		{"confirmed", validated, resources.Fresh, "", 2, 96, time.Hour},
		{"made in the future", hoursAgo(-3, resources.AnchorSpec{}), resources.Fresh, "", 0, 98, 4 * time.Hour},
		{"no time at all", graphtest.Anchor("a", resources.AnchorSpec{}), resources.StalePhase, "Expired", 48, 50, 0},
		{"task in progress", hoursAgo(1, resources.AnchorSpec{Source: about("open")}), resources.Fresh, "", 1, 97, time.Hour},
		{"task completed", hoursAgo(1, resources.AnchorSpec{Source: about("done")}), resources.StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"task completed, a decision", hoursAgo(1, resources.AnchorSpec{Type: "decision", Source: about("done")}), resources.Fresh, "", 1, 97, time.Hour},
		{"task failed, a decision", hoursAgo(1, resources.AnchorSpec{Type: "decision", Source: about("failed")}), resources.StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"task gone", hoursAgo(1, resources.AnchorSpec{Source: about("nobody")}), resources.StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"file as it was", hoursAgo(1, resources.AnchorSpec{Source: &resources.AnchorSource{File: "old.go"}}), resources.Fresh, "", 1, 97, time.Hour},
		{"file newer", hoursAgo(1, resources.AnchorSpec{Source: &resources.AnchorSource{File: "new.go"}}), resources.StalePhase, "SourceFileChanged", 1, 97, time.Hour},
		{"file newer, same content", hoursAgo(1, resources.AnchorSpec{Source: &resources.AnchorSource{File: "new.go", SHA256: "abc"}}), resources.Fresh, "", 1, 97, time.Hour},
		{"file older, other content", hoursAgo(1, resources.AnchorSpec{Source: &resources.AnchorSource{File: "old.go", SHA256: "xyz"}}), resources.StalePhase, "SourceFileChanged", 1, 97, time.Hour},
		{"file gone", hoursAgo(1, resources.AnchorSpec{Source: &resources.AnchorSource{File: "gone.go"}}), resources.StalePhase, status.SourceFileGone, 1, 97, time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			view := graph.NewSnapshot(graph.SnapshotInput{
				Objects: []resources.Object{test.anchor, graphtest.Task("done", graphtest.Done()), graphtest.Task("open", resources.TaskSpec{}), graphtest.Task("failed", resources.TaskSpec{State: resources.TaskFailed})},
				Now:     graphtest.Noon,
				SourceFile: func(path string) (time.Time, string, bool) {
					modified := map[string]time.Time{"old.go": graphtest.Noon.Add(-1000 * time.Hour), "new.go": graphtest.Noon}
					at, exists := modified[path]
					return at, "abc", exists
				},
			})
			status, next := status.DeriveAnchor(test.anchor, view)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.hours, status.StalenessHours)
			assert.Equal(t, test.score, status.Score)
			if c := resources.FindCondition(status.Conditions, resources.Stale); c != nil {
				assert.Equal(t, test.reason, c.Reason)
			} else {
				assert.Empty(t, test.reason)
			}
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, graphtest.Noon.Add(test.next), next)
			}
		})
	}
}

// The score is less by 10 for each related anchor between an anchor and an active task (002, section 2.2).
func TestAnchorScoreByDistance(t *testing.T) {
	anchor := func(name string, spec resources.AnchorSpec) *resources.Anchor {
		return graphtest.CreatedAt(graphtest.Anchor(name, spec), graphtest.Noon)
	}
	anchors := []*resources.Anchor{
		anchor("source", resources.AnchorSpec{Source: &resources.AnchorSource{Task: "now"}}),
		anchor("direct", resources.AnchorSpec{RelatedTo: []string{"task/now"}}),
		anchor("near", resources.AnchorSpec{RelatedTo: []string{"apart", "direct"}}),
		anchor("far", resources.AnchorSpec{RelatedTo: []string{"near"}}),
		anchor("farther", resources.AnchorSpec{RelatedTo: []string{"far"}}),
		anchor("apart", resources.AnchorSpec{RelatedTo: []string{"task/then", "apart"}}),
	}
	scores := func(state string) (scores []int) {
		objects := []resources.Object{graphtest.Task("now", resources.TaskSpec{State: state}), graphtest.Task("then", resources.TaskSpec{})}
		for _, a := range anchors {
			objects = append(objects, a)
		}
		view := graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon})
		for _, a := range anchors {
			status, _ := status.DeriveAnchor(a, view)
			scores = append(scores, status.Score)
		}
		return scores
	}
	assert.Equal(t, []int{98, 98, 88, 78, 68, 68}, scores(resources.TaskActive))
	assert.Equal(t, []int{98, 98, 98, 98, 98, 98}, scores(""), "there is no distance without an active task")
}

// A limit that is no whole number of hours is kept to the minute.
func TestDeriveAnchorOddLimit(t *testing.T) {
	anchor := graphtest.CreatedAt(graphtest.Anchor("a", resources.AnchorSpec{}), graphtest.Noon)
	config := graphtest.NewObject[resources.ConfigSpec, resources.ConfigStatus](resources.Configs, resources.ConfigName, resources.ConfigSpec{AnchorStaleAfter: "90m"})
	derive := func(after time.Duration) (resources.AnchorStatus, time.Time) {
		return status.DeriveAnchor(anchor, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{anchor, config}, Now: graphtest.Noon.Add(after)}))
	}
	status, next := derive(time.Hour)
	assert.Equal(t, resources.Fresh, status.Phase)
	assert.Equal(t, graphtest.Noon.Add(90*time.Minute), next)
	status, next = derive(90 * time.Minute)
	assert.Equal(t, resources.StalePhase, status.Phase)
	assert.Equal(t, resources.NewTime(graphtest.Noon.Add(90*time.Minute)), status.StaleSince)
	assert.Zero(t, next)
}

// An anchor whose file has changed may hold still; one whose file is gone, or that is too
// old as well, does not.
func TestSuspectAnchors(t *testing.T) {
	hoursAgo := func(n int, spec resources.AnchorSpec) *resources.Anchor {
		return graphtest.CreatedAt(graphtest.Anchor("a", spec), graphtest.Noon.Add(-time.Duration(n)*time.Hour))
	}
	file := func(name string) *resources.AnchorSource { return &resources.AnchorSource{File: name, SHA256: "abc"} }
	for _, test := range []struct {
		name   string
		anchor *resources.Anchor
		want   bool
	}{
		{"changed", hoursAgo(1, resources.AnchorSpec{Source: file("changed.go")}), true},
		{"as it was", hoursAgo(1, resources.AnchorSpec{Source: file("same.go")}), false},
		{"gone", hoursAgo(1, resources.AnchorSpec{Source: file("gone.go")}), false},
		{"changed and too old", hoursAgo(49, resources.AnchorSpec{Source: file("changed.go")}), false},
		{"changed, old and pinned", hoursAgo(49, resources.AnchorSpec{Pinned: true, Source: file("changed.go")}), true},
		{"no file", hoursAgo(1, resources.AnchorSpec{}), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _ := status.DeriveAnchor(test.anchor, graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{test.anchor}, Now: graphtest.Noon,
				SourceFile: func(path string) (time.Time, string, bool) {
					sum, ok := map[string]string{"same.go": "abc", "changed.go": "xyz"}[path]
					return graphtest.Noon.Add(-1000 * time.Hour), sum, ok
				}}))
			assert.Equal(t, test.want, resources.IsTrue(status.Conditions, resources.Suspect))
		})
	}
}
