package packer

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

// A list of checkpoints grows at its end, as nothing else of a pack should change with one.
func TestCheckpointsGrowAtTheirEnd(t *testing.T) {
	var c resources.TaskCheckpoints
	var before []resources.Checkpoint
	anew := 0
	for i := range 30 {
		c.Count++
		c.Last = append(c.Last, resources.Checkpoint{Summary: strconv.Itoa(i)})
		c.Last = c.Last[max(0, len(c.Last)-status.LastCheckpoints):]
		shown := recentCheckpoints(&c)
		assert.GreaterOrEqual(t, len(shown), min(3, c.Count))
		assert.Equal(t, strconv.Itoa(i), shown[len(shown)-1].Summary)
		if len(before) > 0 && shown[0].Summary != before[0].Summary {
			anew++
		}
		before = shown
	}
	assert.Equal(t, 9, anew, "every third time, once there are more than five")
	assert.Empty(t, recentCheckpoints(&resources.TaskCheckpoints{}))
	assert.Len(t, recentCheckpoints(&resources.TaskCheckpoints{Last: before}), len(before), "a count that is not known")
}

func TestWhatIsStaleIsMarked(t *testing.T) {
	m := memOf("x", 1, 40, resources.StalePhase, resources.MemSpec{Content: "c"})
	assert.Contains(t, memText(&m), "(check it: it is stale; mems/x)")
	m.Status.Suspect = []string{"a.md has changed"}
	assert.Contains(t, memText(&m), "check it: it is stale, a.md has changed; mems/x)")
	m.Status.Moved = []string{"b.go#Limit moved to c.go"}
	assert.Contains(t, memText(&m), "check it: it is stale, a.md has changed, b.go#Limit moved to c.go; mems/x)")
	m.Status.Moved = nil
	m.Status.Phase = resources.SuspectPhase
	assert.Contains(t, memText(&m), "check it: a.md has changed; mems/x)")
}

// A title that the content begins with is told once.
func TestATitleIsToldOnce(t *testing.T) {
	m := memOf("x", 1, 80, resources.Fresh, resources.MemSpec{Title: "Drain clay", Content: "Drain clay first"})
	assert.Contains(t, memText(&m), "] Drain clay first (")
	m.Object.Spec.Content = "first of all"
	assert.Contains(t, memText(&m), "] Drain clay: first of all (")
	assert.Equal(t, "AVOID x at night", warningOf(&resources.MemSpec{Title: "x", Content: "x at night"}))
}
