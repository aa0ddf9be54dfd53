package resources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestDeriveAnchor(t *testing.T) {
	hoursAgo := func(n int, spec AnchorSpec) *Anchor {
		return born(newAnchor("a", spec), noon.Add(-time.Duration(n)*time.Hour))
	}
	about := func(task string) *AnchorSource { return &AnchorSource{Task: task} }
	validated := hoursAgo(100, AnchorSpec{})
	validated.Metadata.Annotations = map[string]string{AnnotationValidatedAt: noon.Add(-2 * time.Hour).Format(time.RFC3339)}
	for _, test := range []struct {
		name   string
		anchor *Anchor
		phase  string
		reason string
		hours  int
		score  int
		next   time.Duration // from noon; 0: never
	}{
		{"new", hoursAgo(0, AnchorSpec{}), Fresh, "", 0, 98, time.Hour},
		{"some hours old", hoursAgo(5, AnchorSpec{Priority: "critical"}), Fresh, "", 5, 143, time.Hour},
		{"expired", hoursAgo(48, AnchorSpec{Priority: "low"}), StalePhase, "Expired", 48, 25, 0},
		{"long expired", hoursAgo(1000, AnchorSpec{}), StalePhase, "Expired", 48, 50, 0},
		{"pinned", hoursAgo(1000, AnchorSpec{Pinned: true, Priority: "high"}), Fresh, "", 48, 75, 0},
		{"confirmed", validated, Fresh, "", 2, 96, time.Hour},
		{"made in the future", hoursAgo(-3, AnchorSpec{}), Fresh, "", 0, 98, 4 * time.Hour},
		{"no time at all", newAnchor("a", AnchorSpec{}), StalePhase, "Expired", 48, 50, 0},
		{"task in progress", hoursAgo(1, AnchorSpec{Source: about("open")}), Fresh, "", 1, 97, time.Hour},
		{"task completed", hoursAgo(1, AnchorSpec{Source: about("done")}), StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"task completed, a decision", hoursAgo(1, AnchorSpec{Type: "decision", Source: about("done")}), Fresh, "", 1, 97, time.Hour},
		{"task failed, a decision", hoursAgo(1, AnchorSpec{Type: "decision", Source: about("failed")}), StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"task gone", hoursAgo(1, AnchorSpec{Source: about("nobody")}), StalePhase, "SourceTaskEnded", 1, 97, time.Hour},
		{"file as it was", hoursAgo(1, AnchorSpec{Source: &AnchorSource{File: "old.go"}}), Fresh, "", 1, 97, time.Hour},
		{"file newer", hoursAgo(1, AnchorSpec{Source: &AnchorSource{File: "new.go"}}), StalePhase, "SourceFileChanged", 1, 97, time.Hour},
		{"file newer, same content", hoursAgo(1, AnchorSpec{Source: &AnchorSource{File: "new.go", SHA256: "abc"}}), Fresh, "", 1, 97, time.Hour},
		{"file older, other content", hoursAgo(1, AnchorSpec{Source: &AnchorSource{File: "old.go", SHA256: "xyz"}}), StalePhase, "SourceFileChanged", 1, 97, time.Hour},
		{"file gone", hoursAgo(1, AnchorSpec{Source: &AnchorSource{File: "gone.go"}}), StalePhase, SourceFileGone, 1, 97, time.Hour},
	} {
		t.Run(test.name, func(t *testing.T) {
			view := NewSnapshot(SnapshotInput{
				Objects: []Object{test.anchor, newTask("done", done()), newTask("open", TaskSpec{}), newTask("failed", TaskSpec{State: TaskFailed})},
				Now:     noon,
				SourceFile: func(path string) (time.Time, string, bool) {
					modified := map[string]time.Time{"old.go": noon.Add(-1000 * time.Hour), "new.go": noon}
					at, exists := modified[path]
					return at, "abc", exists
				},
			})
			status, next := DeriveAnchor(test.anchor, view)
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.hours, status.StalenessHours)
			assert.Equal(t, test.score, status.Score)
			if c := FindCondition(status.Conditions, Stale); c != nil {
				assert.Equal(t, test.reason, c.Reason)
			} else {
				assert.Empty(t, test.reason)
			}
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, noon.Add(test.next), next)
			}
		})
	}
}

// A limit that is no whole number of hours is kept to the minute.
func TestDeriveAnchorOddLimit(t *testing.T) {
	anchor := born(newAnchor("a", AnchorSpec{}), noon)
	config := made[ConfigSpec, ConfigStatus](Configs, ConfigName, ConfigSpec{AnchorStaleAfter: "90m"})
	derive := func(after time.Duration) (AnchorStatus, time.Time) {
		return DeriveAnchor(anchor, NewSnapshot(SnapshotInput{Objects: []Object{anchor, config}, Now: noon.Add(after)}))
	}
	status, next := derive(time.Hour)
	assert.Equal(t, Fresh, status.Phase)
	assert.Equal(t, noon.Add(90*time.Minute), next)
	status, next = derive(90 * time.Minute)
	assert.Equal(t, StalePhase, status.Phase)
	assert.Equal(t, NewTime(noon.Add(90*time.Minute)), status.StaleSince)
	assert.Zero(t, next)
}

// An anchor whose file has changed may hold still; one whose file is gone, or that is too
// old as well, does not.
func TestSuspectAnchors(t *testing.T) {
	hoursAgo := func(n int, spec AnchorSpec) *Anchor {
		return born(newAnchor("a", spec), noon.Add(-time.Duration(n)*time.Hour))
	}
	file := func(name string) *AnchorSource { return &AnchorSource{File: name, SHA256: "abc"} }
	for _, test := range []struct {
		name   string
		anchor *Anchor
		want   bool
	}{
		{"changed", hoursAgo(1, AnchorSpec{Source: file("changed.go")}), true},
		{"as it was", hoursAgo(1, AnchorSpec{Source: file("same.go")}), false},
		{"gone", hoursAgo(1, AnchorSpec{Source: file("gone.go")}), false},
		{"changed and too old", hoursAgo(49, AnchorSpec{Source: file("changed.go")}), false},
		{"changed, old and pinned", hoursAgo(49, AnchorSpec{Pinned: true, Source: file("changed.go")}), true},
		{"no file", hoursAgo(1, AnchorSpec{}), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, _ := DeriveAnchor(test.anchor, NewSnapshot(SnapshotInput{Objects: []Object{test.anchor}, Now: noon,
				SourceFile: func(path string) (time.Time, string, bool) {
					sum, ok := map[string]string{"same.go": "abc", "changed.go": "xyz"}[path]
					return noon.Add(-1000 * time.Hour), sum, ok
				}}))
			assert.Equal(t, test.want, IsTrue(status.Conditions, Suspect))
		})
	}
}
