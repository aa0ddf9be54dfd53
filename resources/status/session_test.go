package status_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestDeriveSession(t *testing.T) {
	ago := func(hours int) resources.Time {
		return resources.NewTime(graphtest.Noon.Add(-time.Duration(hours) * time.Hour))
	}
	for _, test := range []struct {
		name  string
		spec  resources.SessionSpec
		phase string
		next  int // hours from noon; 0: never
	}{
		{"seen just now", resources.SessionSpec{LastSeenAt: ago(0)}, resources.SessionActive, 1},
		{"started just now", resources.SessionSpec{StartedAt: ago(0)}, resources.SessionActive, 1},
		{"idle", resources.SessionSpec{LastSeenAt: ago(2)}, resources.SessionIdle, 46},
		{"stale", resources.SessionSpec{LastSeenAt: ago(48)}, resources.SessionStale, 120},
		{"to be collected", resources.SessionSpec{LastSeenAt: ago(168)}, resources.SessionStale, 0},
		{"ended", resources.SessionSpec{LastSeenAt: ago(2), EndedAt: ago(1)}, resources.SessionEnded, 167},
		{"ended, to be collected", resources.SessionSpec{LastSeenAt: ago(200), EndedAt: ago(199)}, resources.SessionEnded, 0},
		{"after a pause", resources.SessionSpec{LastSeenAt: ago(0), ResumedAt: ago(0)}, resources.SessionResumed, 1},
		{"a pause after a pause", resources.SessionSpec{LastSeenAt: ago(2), ResumedAt: ago(9)}, resources.SessionIdle, 46},
		{"came back", resources.SessionSpec{LastSeenAt: ago(0), EndedAt: ago(1)}, resources.SessionResumed, 1},
		{"clock set back", resources.SessionSpec{LastSeenAt: ago(-5)}, resources.SessionActive, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			session := graphtest.Session("s", test.spec)
			status, next := status.DeriveSession(session, graphtest.SnapshotOf(session))
			assert.Equal(t, test.phase, status.Phase)
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, graphtest.Noon.Add(time.Duration(test.next)*time.Hour), next)
			}
		})
	}
}

// TestARecordOfASessionIsNoOrphan: another branch may be checked out, and nobody mends a record of what was.
func TestARecordOfASessionIsNoOrphan(t *testing.T) {
	session := graphtest.Session("s", resources.SessionSpec{LastSeenAt: resources.NewTime(graphtest.Noon), ActiveTask: "a", Delegation: "d"})
	st, _ := status.DeriveSession(session, graphtest.SnapshotOf(session))
	assert.Empty(t, st.Conditions)
}

// A field that Equal does not know would not be written.
func TestSessionsDifferInEachField(t *testing.T) {
	var zero resources.SessionSpec
	for i := range reflect.TypeFor[resources.SessionSpec]().NumField() {
		var other resources.SessionSpec
		switch field := reflect.ValueOf(&other).Elem().Field(i); value := field.Addr().Interface().(type) {
		case *string:
			*value = "x"
		case *resources.Time:
			*value = resources.NewTime(graphtest.Noon)
		case *[]string:
			*value = []string{"x"}
		case *int:
			*value = 1
		case *resources.SessionCounters:
			value.Turns = 1
		default:
			t.Fatalf("a field of type %s is not tried", field.Type())
		}
		assert.False(t, zero.Equal(&other), reflect.TypeFor[resources.SessionSpec]().Field(i).Name)
		same := other
		assert.True(t, same.Equal(&other))
	}
}
