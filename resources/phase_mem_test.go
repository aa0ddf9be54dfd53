package resources

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func daysOld(n int, name string, spec MemSpec) *Mem {
	return born(newMem(name, spec), noon.Add(-time.Duration(n)*day))
}

func TestDeriveMem(t *testing.T) {
	low := 20
	for _, test := range []struct {
		name       string
		mem        *Mem
		phase      string
		confidence int
		staleDays  int // after its birth
		next       bool
	}{
		{"new", daysOld(0, "m", MemSpec{}), Fresh, 80, 0, true},
		{"fading", daysOld(240, "m", MemSpec{}), Fading, 59, 0, true},
		{"stale", daysOld(1400, "m", MemSpec{}), StalePhase, 44, 1393, true},
		{"false path, as old", daysOld(240, "m", MemSpec{Type: FalsePath}), Fresh, 66, 0, true},
		{"own span", daysOld(240, "m", MemSpec{StaleAfter: "24000h"}), Fresh, 79, 0, true},
		{"pinned", daysOld(10000, "m", MemSpec{Pinned: true}), Fresh, 80, 0, false},
		{"never sure", daysOld(10, "m", MemSpec{Confidence: &low}), StalePhase, 20, 0, false},
		{"from the future", daysOld(-10, "m", MemSpec{}), Fresh, 80, 0, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			status, next := DeriveMem(test.mem, snapshotOf(test.mem))
			assert.Equal(t, test.phase, status.Phase)
			assert.Equal(t, test.confidence, status.Confidence)
			assert.Equal(t, test.next, !next.IsZero())
			if test.phase == StalePhase {
				assert.Equal(t, NewTime(test.mem.Created().Add(time.Duration(test.staleDays)*day)), status.StaleSince)
			}
		})
	}
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
