package resources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func daysOld(n int, name string, spec MemSpec) *Mem {
	return born(newMem(name, spec), noon.Add(-time.Duration(n)*day))
}

// workedOn is a snapshot of a project that saw work on each of the last days.
func workedOn(days int, objects ...Object) *Snapshot {
	return NewSnapshot(SnapshotInput{Objects: objects, Now: noon, CommitDays: func() (list []int) {
		for i := range days {
			list = append(list, DayOf(noon)-i)
		}
		return list
	}})
}

func TestDeriveMem(t *testing.T) {
	low := 20
	confirmedOn := func(days ...int) (list []MemConfirmation) {
		for _, d := range days {
			list = append(list, MemConfirmation{At: NewTime(noon.Add(-time.Duration(d) * day)), By: "x"})
		}
		return list
	}
	ago := func(days int) Time { return NewTime(noon.Add(-time.Duration(days) * day)) }
	for _, test := range []struct {
		name       string
		mem        *Mem
		phase      string
		confidence int
		staleDays  int // after its birth
		next       bool
	}{
		{"new", daysOld(0, "m", MemSpec{}), Fresh, 80, 0, false},
		{"fading", daysOld(240, "m", MemSpec{}), Fading, 59, 0, false},
		{"stale", daysOld(1400, "m", MemSpec{}), StalePhase, 44, 1393, false},
		{"false path, as old", daysOld(240, "m", MemSpec{Type: FalsePath}), Fresh, 66, 0, false},
		{"a false path does not fade away", daysOld(5000, "m", MemSpec{Type: FalsePath}), Fading, 41, 0, false},
		{"confirmed today", daysOld(1400, "m", MemSpec{Confirmations: confirmedOn(0)}), Fresh, 80, 0, false},
		{"confirmed 30 days ago, S is 45 days", daysOld(1400, "m", MemSpec{Confirmations: confirmedOn(30)}), Fresh, 76, 0, false},
		{"confirmed three times, S is 60 days", daysOld(1400, "m", MemSpec{Confirmations: confirmedOn(60, 70, 80)}), Fresh, 75, 0, false},
		{"several on one day by one count once", daysOld(1400, "m", MemSpec{Confirmations: confirmedOn(45, 45, 45)}), Fresh, 75, 0, false},
		{"a confirmation to come", daysOld(240, "m", MemSpec{Confirmations: confirmedOn(-3)}), Fading, 59, 0, true},
		{"within its own time", daysOld(240, "m", MemSpec{StaleAfter: "24000h"}), Fading, 59, 0, true},
		{"past its own time", daysOld(5, "m", MemSpec{StaleAfter: "72h"}), StalePhase, 79, 3, false},
		{"confirmed within its own time", daysOld(5, "m", MemSpec{StaleAfter: "72h", Confirmations: confirmedOn(1)}), Fresh, 80, 0, true},
		{"pinned", daysOld(1000, "m", MemSpec{Pinned: true}), Fresh, 80, 0, false},
		{"critical", daysOld(1000, "m", MemSpec{Critical: true}), Fresh, 80, 0, false},
		{"pinned, past its own time", daysOld(5, "m", MemSpec{Pinned: true, StaleAfter: "72h"}), StalePhase, 80, 3, false},
		{"never sure", daysOld(10, "m", MemSpec{Confidence: &low}), StalePhase, 20, 0, false},
		{"from the future, by a clock that goes ahead", daysOld(-10, "m", MemSpec{}), Fresh, 80, 0, false},
		{"taken over from elsewhere", daysOld(0, "m", MemSpec{RecordedAt: ago(240)}), Fading, 59, 0, false},
		{"purged", daysOld(3, "m", MemSpec{PurgedAt: ago(1)}), Purged, 79, 0, false},
		{"to be purged", daysOld(3, "m", MemSpec{PurgedAt: ago(-1)}), Fresh, 79, 0, true},
		{"ended", daysOld(3, "m", MemSpec{ValidTo: ago(1)}), Ended, 79, 0, false},
		{"pending", daysOld(3, "m", MemSpec{ValidFrom: ago(-2)}), Pending, 79, 0, true},
		{"a false path is not purged", daysOld(3, "m", MemSpec{Type: FalsePath, PurgedAt: ago(1), ValidTo: ago(1)}), Fresh, 80, 0, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, next := DeriveMem(test.mem, workedOn(6000, test.mem))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.confidence, status.Confidence)
			assert.Equal(t, test.next, !next.IsZero(), "%s", next)
			if test.phase == StalePhase {
				born := NewTime(test.mem.Created())
				if test.mem.Spec.StaleAfter == "" && test.staleDays > 0 {
					born = NewTime(startOf(DayOf(born.Time)))
				}
				assert.Equal(t, NewTime(born.Add(time.Duration(test.staleDays)*day)), status.StaleSince)
			}
		})
	}
}

// Only days on which the project saw work count.
func TestAMemDoesNotFadeWhileNobodyWorks(t *testing.T) {
	m := daysOld(1000, "m", MemSpec{})
	confidence := func(s *Snapshot) int { status, _ := DeriveMem(m, s); return status.Confidence }
	assert.Equal(t, 80, confidence(snapshotOf(m)), "the day of its birth does not count")
	assert.Equal(t, 75, confidence(workedOn(30, m)))
	objects := []Object{m}
	for i := range 30 {
		objects = append(objects, born(newTask(string(rune('a'+i%26))+string(rune('a'+i/26)), TaskSpec{}), noon.Add(-time.Duration(i)*day)))
	}
	assert.Equal(t, 75, confidence(snapshotOf(objects...)), "a task was made on each of 30 days")
	assert.Equal(t, 75, confidence(snapshotOf(append(objects, objects[1:]...)...)), "a day counts once")
	sessions := []Object{m}
	for i := range 30 {
		sessions = append(sessions, born(newSession(string(rune('a'+i)), SessionSpec{}), noon.Add(-time.Duration(i)*day)))
	}
	assert.Equal(t, 80, confidence(snapshotOf(sessions...)), "sessions are of one machine")
}

func TestCitedFiles(t *testing.T) {
	files := map[string]string{"a.md": "1", "b.md": "2", "a.md#Tokens": "3"}
	snapshot := func(m *Mem) *Snapshot {
		return NewSnapshot(SnapshotInput{Objects: []Object{m}, Now: noon,
			SourceFile:    func(path string) (time.Time, string, bool) { sum, ok := files[path]; return noon, sum, ok },
			SourceSection: func(path, section string) (string, bool) { sum, ok := files[path+"#"+section]; return sum, ok },
		})
	}
	cite := func(evidence ...MemEvidence) MemSpec { return MemSpec{Evidence: evidence} }
	for _, test := range []struct {
		name       string
		spec       MemSpec
		phase      string
		confidence int
		suspect    []string
	}{
		{"as it was", cite(MemEvidence{Path: "a.md", SHA256: "1"}), Fresh, 80, nil},
		{"no sum", cite(MemEvidence{Path: "a.md"}), Fresh, 80, nil},
		{"a note", cite(MemEvidence{Note: "x.md"}), Fresh, 80, nil},
		{"changed", cite(MemEvidence{Path: "a.md", SHA256: "0"}), SuspectPhase, 40, []string{"a.md has changed"}},
		{"a part changed", cite(MemEvidence{Path: "a.md", Section: "Tokens", SHA256: "0"}), SuspectPhase, 40, []string{"a.md#Tokens has changed"}},
		{"another part changed", cite(MemEvidence{Path: "a.md", Section: "Tokens", SHA256: "3"}), Fresh, 80, nil},
		{"one of two is gone", cite(MemEvidence{Path: "x.md"}, MemEvidence{Path: "a.md"}), SuspectPhase, 40, []string{"x.md is gone"}},
		{"a part is gone", cite(MemEvidence{Path: "a.md", Section: "Nothing"}), Gone, 40, []string{"a.md#Nothing is gone"}},
		{"all are gone", cite(MemEvidence{Path: "x.md"}, MemEvidence{Path: "y.md"}), Gone, 40, []string{"x.md is gone", "y.md is gone"}},
		{"a false path stays", MemSpec{Type: FalsePath, Evidence: []MemEvidence{{Path: "x.md"}}}, SuspectPhase, 40, []string{"x.md is gone"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := daysOld(0, "m", test.spec)
			status, _ := DeriveMem(m, snapshot(m))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.confidence, status.Confidence)
			assert.Equal(t, test.suspect, status.Suspect)
			assert.Equal(t, test.suspect != nil, IsTrue(status.Conditions, Suspect))
		})
	}
}

func TestAMemWhoseCommitIsOnNoBranch(t *testing.T) {
	m := daysOld(3, "m", MemSpec{Source: "commit/0123456789ab"})
	m.Metadata.Annotations = map[string]string{AnnotationSourceLost: noon.Add(-day).Format(time.RFC3339)}
	s := snapshotOf(m)
	status := s.Derived(m.Key()).(*MemStatus)
	assert.Equal(t, SuspectPhase, status.Phase)
	assert.Equal(t, DefaultConfidence/2, status.Confidence)
	assert.Equal(t, []string{"commit/0123456789ab is on no branch any more"}, status.Suspect)
	assert.Equal(t, Fresh, s.AsOf(noon.Add(-2*day)).Derived(m.Key()).(*MemStatus).Phase, "nobody knew then")
}

func TestDeriveMemSuperseded(t *testing.T) {
	old := daysOld(5, "old", MemSpec{})
	s := snapshotOf(old, daysOld(3, "newer", MemSpec{Supersedes: "old"}), daysOld(1, "newest", MemSpec{Supersedes: "old"}))
	status, _ := DeriveMem(old, s)
	assert.Equal(t, Superseded, status.Phase)
	assert.Equal(t, "newest", status.SupersededBy)
}

// Mems that replace each other must not all vanish from the context.
func TestDeriveMemReplacingEachOther(t *testing.T) {
	a, b, c := newMem("a", MemSpec{Supersedes: "b"}), newMem("b", MemSpec{Supersedes: "a"}), newMem("c", MemSpec{Supersedes: "c"})
	for _, m := range []*Mem{a, b, c} {
		m.Metadata.CreationTimestamp = NewTime(noon)
		status, _ := DeriveMem(m, snapshotOf(a, b, c))
		assert.Equal(t, Fresh, status.Phase, m.Metadata.Name)
		assert.True(t, IsTrue(status.Conditions, Conflict))
	}
	d := born(newMem("d", MemSpec{Supersedes: "b"}), noon)
	status, _ := DeriveMem(b, snapshotOf(a, b, d))
	assert.Equal(t, "d", status.SupersededBy, "one from outside the circle replaces")
}
