package resources

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestDeriveSession(t *testing.T) {
	ago := func(hours int) Time { return NewTime(noon.Add(-time.Duration(hours) * time.Hour)) }
	for _, test := range []struct {
		name  string
		spec  SessionSpec
		phase string
		next  int // hours from noon; 0: never
	}{
		{"seen just now", SessionSpec{LastSeenAt: ago(0)}, SessionActive, 1},
		{"started just now", SessionSpec{StartedAt: ago(0)}, SessionActive, 1},
		{"idle", SessionSpec{LastSeenAt: ago(2)}, SessionIdle, 46},
		{"stale", SessionSpec{LastSeenAt: ago(48)}, SessionStale, 120},
		{"to be collected", SessionSpec{LastSeenAt: ago(168)}, SessionStale, 0},
		{"ended", SessionSpec{LastSeenAt: ago(2), EndedAt: ago(1)}, SessionEnded, 167},
		{"ended, to be collected", SessionSpec{LastSeenAt: ago(200), EndedAt: ago(199)}, SessionEnded, 0},
		{"after a pause", SessionSpec{LastSeenAt: ago(0), ResumedAt: ago(0)}, SessionResumed, 1},
		{"a pause after a pause", SessionSpec{LastSeenAt: ago(2), ResumedAt: ago(9)}, SessionIdle, 46},
		{"came back", SessionSpec{LastSeenAt: ago(0), EndedAt: ago(1)}, SessionResumed, 1},
		{"clock set back", SessionSpec{LastSeenAt: ago(-5)}, SessionActive, 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			session := newSession("s", test.spec)
			status, next := DeriveSession(session, snapshotOf(session))
			assert.Equal(t, test.phase, status.Phase)
			if test.next == 0 {
				assert.Zero(t, next)
			} else {
				assert.Equal(t, noon.Add(time.Duration(test.next)*time.Hour), next)
			}
		})
	}
}

func TestASessionNamesWhatIsNotThere(t *testing.T) {
	session := newSession("s", SessionSpec{LastSeenAt: NewTime(noon), ActiveTask: "a", Delegation: "d"})
	status, _ := DeriveSession(session, snapshotOf(session, newTask("a", TaskSpec{})))
	assert.Equal(t, []string{"Orphaned=True:ReferenceMissing"}, conditionsOf(status.Conditions))
	status, _ = DeriveSession(session, snapshotOf(session, newTask("a", TaskSpec{}), newDelegation("d", DelegationSpec{Task: "a"})))
	assert.Empty(t, status.Conditions)
}

// A field that Equal does not know would not be written.
func TestSessionsDifferInEachField(t *testing.T) {
	var zero SessionSpec
	for i := range reflect.TypeFor[SessionSpec]().NumField() {
		var other SessionSpec
		switch field := reflect.ValueOf(&other).Elem().Field(i); value := field.Addr().Interface().(type) {
		case *string:
			*value = "x"
		case *Time:
			*value = NewTime(noon)
		case *[]string:
			*value = []string{"x"}
		case *SessionCounters:
			value.Turns = 1
		default:
			t.Fatalf("a field of type %s is not tried", field.Type())
		}
		assert.False(t, zero.Equal(&other), reflect.TypeFor[SessionSpec]().Field(i).Name)
		same := other
		assert.True(t, same.Equal(&other))
	}
}
