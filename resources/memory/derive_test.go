package memory_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/graph"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// workedOn is a snapshot of a project that saw work on each of the last days.
func workedOn(days int, objects ...resources.Object) *graph.Snapshot {
	return graph.NewSnapshot(graph.SnapshotInput{Objects: objects, Now: graphtest.Noon, CommitDays: func() (list []int) {
		for i := range days {
			list = append(list, status.DayOf(graphtest.Noon)-i)
		}
		return list
	}})
}

func TestDeriveMem(t *testing.T) {
	low := 20
	confirmedOn := func(days ...int) (list []resources.MemConfirmation) {
		for _, d := range days {
			list = append(list, resources.MemConfirmation{At: resources.NewTime(graphtest.Noon.Add(-time.Duration(d) * status.Day)), By: "x"})
		}
		return list
	}
	ago := func(days int) resources.Time {
		return resources.NewTime(graphtest.Noon.Add(-time.Duration(days) * status.Day))
	}
	for _, test := range []struct {
		name       string
		mem        *resources.Mem
		phase      string
		confidence int
		staleDays  int // after its birth
		next       bool
	}{
		{"new", graphtest.DaysOld(0, "m", resources.MemSpec{}), resources.Fresh, 80, 0, false},
		{"fading", graphtest.DaysOld(240, "m", resources.MemSpec{}), resources.Fading, 59, 0, false},
		{"stale", graphtest.DaysOld(1400, "m", resources.MemSpec{}), resources.StalePhase, 44, 1393, false},
		{"false path, as old", graphtest.DaysOld(240, "m", resources.MemSpec{Type: resources.FalsePath}), resources.Fresh, 66, 0, false},
		{"a false path does not fade away", graphtest.DaysOld(5000, "m", resources.MemSpec{Type: resources.FalsePath}), resources.Fading, 41, 0, false},
		{"confirmed today", graphtest.DaysOld(1400, "m", resources.MemSpec{Confirmations: confirmedOn(0)}), resources.Fresh, 80, 0, false},
		{"confirmed 30 days ago, S is 45 days", graphtest.DaysOld(1400, "m", resources.MemSpec{Confirmations: confirmedOn(30)}), resources.Fresh, 76, 0, false},
		{"confirmed three times, S is 60 days", graphtest.DaysOld(1400, "m", resources.MemSpec{Confirmations: confirmedOn(60, 70, 80)}), resources.Fresh, 75, 0, false},
		{"several on one day by one count once", graphtest.DaysOld(1400, "m", resources.MemSpec{Confirmations: confirmedOn(45, 45, 45)}), resources.Fresh, 75, 0, false},
		{"a confirmation to come", graphtest.DaysOld(240, "m", resources.MemSpec{Confirmations: confirmedOn(-3)}), resources.Fading, 59, 0, true},
		{"within its own time", graphtest.DaysOld(240, "m", resources.MemSpec{StaleAfter: "24000h"}), resources.Fading, 59, 0, true},
		{"past its own time", graphtest.DaysOld(5, "m", resources.MemSpec{StaleAfter: "72h"}), resources.StalePhase, 79, 3, false},
		{"confirmed within its own time", graphtest.DaysOld(5, "m", resources.MemSpec{StaleAfter: "72h", Confirmations: confirmedOn(1)}), resources.Fresh, 80, 0, true},
		{"pinned", graphtest.DaysOld(1000, "m", resources.MemSpec{Pinned: true}), resources.Fresh, 80, 0, false},
		{"critical", graphtest.DaysOld(1000, "m", resources.MemSpec{Critical: true}), resources.Fresh, 80, 0, false},
		{"pinned, past its own time", graphtest.DaysOld(5, "m", resources.MemSpec{Pinned: true, StaleAfter: "72h"}), resources.StalePhase, 80, 3, false},
		{"never sure", graphtest.DaysOld(10, "m", resources.MemSpec{Confidence: &low}), resources.StalePhase, 20, 0, false},
		{"made by the program", graphtest.DaysOld(0, "m", resources.MemSpec{Confidence: &low, Source: memory.SourceExports}), resources.Fresh, 60, 0, false},
		{"made by onboarding, as time passes", graphtest.DaysOld(10, "m", resources.MemSpec{Confidence: &low, Source: memory.SourceOnboarding}), resources.Fading, 59, 0, false},
		{"from the future, by a clock that goes ahead", graphtest.DaysOld(-10, "m", resources.MemSpec{}), resources.Fresh, 80, 0, false},
		{"taken over from elsewhere", graphtest.DaysOld(0, "m", resources.MemSpec{RecordedAt: ago(240)}), resources.Fading, 59, 0, false},
		{"purged", graphtest.DaysOld(3, "m", resources.MemSpec{PurgedAt: ago(1)}), resources.Purged, 79, 0, false},
		{"to be purged", graphtest.DaysOld(3, "m", resources.MemSpec{PurgedAt: ago(-1)}), resources.Fresh, 79, 0, true},
		{"ended", graphtest.DaysOld(3, "m", resources.MemSpec{ValidTo: ago(1)}), resources.Ended, 79, 0, false},
		{"pending", graphtest.DaysOld(3, "m", resources.MemSpec{ValidFrom: ago(-2)}), resources.Pending, 79, 0, true},
		{"a false path is not purged", graphtest.DaysOld(3, "m", resources.MemSpec{Type: resources.FalsePath, PurgedAt: ago(1), ValidTo: ago(1)}), resources.Fresh, 80, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			st, next := memory.Derive(test.mem, workedOn(6000, test.mem))
			assert.Equal(t, test.phase, st.Phase)
			assert.Equal(t, test.confidence, st.Confidence)
			assert.Equal(t, test.next, !next.IsZero(), "%s", next)
			if test.phase == resources.StalePhase {
				born := resources.NewTime(test.mem.Created())
				if test.mem.Spec.StaleAfter == "" && test.staleDays > 0 {
					born = resources.NewTime(status.StartOf(status.DayOf(born.Time)))
				}
				assert.Equal(t, resources.NewTime(born.Add(time.Duration(test.staleDays)*status.Day)), st.StaleSince)
			}
		})
	}
}

// Only days on which the project saw work count.
func TestAMemDoesNotFadeWhileNobodyWorks(t *testing.T) {
	m := graphtest.DaysOld(1000, "m", resources.MemSpec{})
	confidence := func(s *graph.Snapshot) int { status, _ := memory.Derive(m, s); return status.Confidence }
	assert.Equal(t, 80, confidence(graphtest.SnapshotOf(m)), "the day of its birth does not count")
	assert.Equal(t, 75, confidence(workedOn(30, m)))
	objects := []resources.Object{m}
	for i := range 30 {
		objects = append(objects, graphtest.CreatedAt(graphtest.Task(string(rune('a'+i%26))+string(rune('a'+i/26)), resources.TaskSpec{}), graphtest.Noon.Add(-time.Duration(i)*status.Day)))
	}
	assert.Equal(t, 75, confidence(graphtest.SnapshotOf(objects...)), "a task was made on each of 30 days")
	assert.Equal(t, 75, confidence(graphtest.SnapshotOf(append(objects, objects[1:]...)...)), "a day counts once")
	sessions := []resources.Object{m}
	for i := range 30 {
		sessions = append(sessions, graphtest.CreatedAt(graphtest.Session(string(rune('a'+i)), resources.SessionSpec{}), graphtest.Noon.Add(-time.Duration(i)*status.Day)))
	}
	assert.Equal(t, 80, confidence(graphtest.SnapshotOf(sessions...)), "sessions are of one machine")
}

func TestCitedFiles(t *testing.T) {
	files := map[string]string{"a.md": "1", "b.md": "2", "a.md#Tokens": "3", "a.go#Limit": "4", "lib/new.go#Limit": "5", "lib/new.go": "6"}
	moved := map[string]string{"old.go": "lib/new.go"}
	snapshot := func(m *resources.Mem) *graph.Snapshot {
		return graph.NewSnapshot(graph.SnapshotInput{Objects: []resources.Object{m}, Now: graphtest.Noon,
			SourceFile: func(path string) (time.Time, string, bool) { sum, ok := files[path]; return graphtest.Noon, sum, ok },
			SourceSection: func(path, section string) resources.Part {
				sum, ok := files[path+"#"+section]
				return resources.Part{Exists: ok, SHA256: sum, Formers: []string{"former " + sum}, Declaration: strings.HasSuffix(path, ".go")}
			},
			SourceMoved: func(path, _, _ string) string { return moved[path] },
		})
	}
	cite := func(evidence ...resources.MemEvidence) resources.MemSpec {
		return resources.MemSpec{Evidence: evidence}
	}
	for _, test := range []struct {
		name       string
		spec       resources.MemSpec
		phase      string
		confidence int
		suspect    []string
	}{
		{"as it was", cite(resources.MemEvidence{Path: "a.md", SHA256: "1"}), resources.Fresh, 80, nil},
		{"no sum", cite(resources.MemEvidence{Path: "a.md"}), resources.Fresh, 80, nil},
		{"a note", cite(resources.MemEvidence{Note: "x.md"}), resources.Fresh, 80, nil},
		{"changed", cite(resources.MemEvidence{Path: "a.md", SHA256: "0"}), resources.SuspectPhase, 40, []string{"a.md has changed"}},
		{"a part changed", cite(resources.MemEvidence{Path: "a.md", Section: "Tokens", SHA256: "0"}), resources.SuspectPhase, 40, []string{"a.md#Tokens has changed"}},
		{"another part changed", cite(resources.MemEvidence{Path: "a.md", Section: "Tokens", SHA256: "3"}), resources.Fresh, 80, nil},
		{"one of two is gone", cite(resources.MemEvidence{Path: "x.md"}, resources.MemEvidence{Path: "a.md"}), resources.SuspectPhase, 40, []string{"x.md is gone"}},
		{"a part is gone", cite(resources.MemEvidence{Path: "a.md", Section: "Nothing"}), resources.GonePhase, 40, []string{"a.md#Nothing is gone"}},
		{"a body changed", cite(resources.MemEvidence{Path: "a.go", Section: "Limit", SHA256: "0"}), resources.SuspectPhase, 40, []string{"the declaration a.go#Limit has changed"}},
		{"as an older release recorded it", cite(resources.MemEvidence{Path: "a.go", Section: "Limit", SHA256: "former 4"}), resources.Fresh, 80, nil},
		{"the file moved", cite(resources.MemEvidence{Path: "old.go", SHA256: "6"}), resources.Fresh, 80, nil},
		{"a part moved with it", cite(resources.MemEvidence{Path: "old.go", Section: "Limit", SHA256: "5"}), resources.Fresh, 80, nil},
		{"it moved and changed", cite(resources.MemEvidence{Path: "old.go", Section: "Limit", SHA256: "0"}), resources.SuspectPhase, 40, []string{"old.go#Limit moved to lib/new.go and has changed"}},
		{"a pattern", cite(resources.MemEvidence{Path: "x/**"}), resources.Fresh, 80, nil},
		{"all are gone", cite(resources.MemEvidence{Path: "x.md"}, resources.MemEvidence{Path: "y.md"}), resources.GonePhase, 40, []string{"x.md is gone", "y.md is gone"}},
		{"a false path stays", resources.MemSpec{Type: resources.FalsePath, Evidence: []resources.MemEvidence{{Path: "x.md"}}}, resources.SuspectPhase, 40, []string{"x.md is gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := graphtest.DaysOld(0, "m", test.spec)
			status, _ := memory.Derive(m, snapshot(m))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.confidence, status.Confidence)
			assert.Equal(t, test.suspect, status.Suspect)
			assert.Equal(t, test.suspect != nil, resources.IsTrue(status.Conditions, resources.Suspect))
		})
	}
}

func TestAMemWhoseCommitIsOnNoBranch(t *testing.T) {
	m := graphtest.DaysOld(3, "m", resources.MemSpec{Source: "commit/0123456789ab"})
	m.Metadata.Annotations = map[string]string{memory.AnnotationSourceLost: graphtest.Noon.Add(-status.Day).Format(time.RFC3339)}
	s := graphtest.SnapshotOf(m)
	st := s.Derived(m.Key()).(*resources.MemStatus)
	assert.Equal(t, resources.SuspectPhase, st.Phase)
	assert.Equal(t, memory.DefaultConfidence/2, st.Confidence)
	assert.Equal(t, []string{"commit/0123456789ab is no longer on any branch"}, st.Suspect)
	assert.Equal(t, resources.Fresh, s.AsOf(graphtest.Noon.Add(-2*status.Day)).Derived(m.Key()).(*resources.MemStatus).Phase, "nobody knew then")
}

func TestDeriveMemSuperseded(t *testing.T) {
	old := graphtest.DaysOld(5, "old", resources.MemSpec{})
	s := graphtest.SnapshotOf(old, graphtest.DaysOld(3, "newer", resources.MemSpec{Supersedes: "old"}), graphtest.DaysOld(1, "newest", resources.MemSpec{Supersedes: "old"}))
	status, _ := memory.Derive(old, s)
	assert.Equal(t, resources.Superseded, status.Phase)
	assert.Equal(t, "newest", status.SupersededBy)
}

// Mems that replace each other must not all vanish from the context.
func TestDeriveMemReplacingEachOther(t *testing.T) {
	a, b, c := graphtest.Mem("a", resources.MemSpec{Supersedes: "b"}), graphtest.Mem("b", resources.MemSpec{Supersedes: "a"}), graphtest.Mem("c", resources.MemSpec{Supersedes: "c"})
	for _, m := range []*resources.Mem{a, b, c} {
		m.Metadata.CreationTimestamp = resources.NewTime(graphtest.Noon)
		status, _ := memory.Derive(m, graphtest.SnapshotOf(a, b, c))
		assert.Equal(t, resources.Fresh, status.Phase, m.Metadata.Name)
		assert.True(t, resources.IsTrue(status.Conditions, resources.Conflict))
	}
	d := graphtest.CreatedAt(graphtest.Mem("d", resources.MemSpec{Supersedes: "b"}), graphtest.Noon)
	status, _ := memory.Derive(b, graphtest.SnapshotOf(a, b, d))
	assert.Equal(t, "d", status.SupersededBy, "one from outside the circle replaces")
}
