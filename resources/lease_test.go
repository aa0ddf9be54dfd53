package resources

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func someLease() *Lease {
	task := &Task{}
	task.Metadata.Name, task.Metadata.UID = "a", "uid-a"
	return NewLease(task, Holder{
		Session: "s-1", Host: "claude", Person: "ann", Machine: "laptop", Worktree: "/src",
		Process: &Process{PID: 7, Started: 99, Namespace: 4026531836},
	}, time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), DefaultLeaseDuration)
}

func TestALeaseIsReadAsItWasWritten(t *testing.T) {
	want := someLease()
	data, err := EncodeLease(want)
	require.NoError(t, err)
	got, err := DecodeLease(data)
	require.NoError(t, err)
	assert.Equal(t, want, got)
	got, err = DecodeLease([]byte(strings.Replace(string(data), `"spec": {`, `"spec": {"later": [1], `, 1)))
	require.NoError(t, err, "what a newer version wrote")
	assert.Equal(t, want, got)
}

func TestWhatIsNoLease(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Lease)
		want   string
	}{
		"another kind":           {func(l *Lease) { l.Kind = "Task" }, "no Lease"},
		"another version":        {func(l *Lease) { l.APIVersion = "v9" }, "no Lease"},
		"a name that leads away": {func(l *Lease) { l.Metadata.Name = "../a" }, "metadata.name"},
		"a session that does":    {func(l *Lease) { l.Spec.Holder.Session = "../../x" }, "spec.holder.session"},
		"nobody":                 {func(l *Lease) { l.Spec.Holder = Holder{Worktree: "/src"} }, "neither a session nor a user"},
		"a working tree nowhere": {func(l *Lease) { l.Spec.Holder.Worktree = "src" }, "spec.holder.worktree"},
		"no time that it lasts":  {func(l *Lease) { l.Spec.Duration = "" }, "spec.duration"},
		"less than no time":      {func(l *Lease) { l.Spec.Duration = "-1m" }, "spec.duration"},
		"never taken":            {func(l *Lease) { l.Spec.AcquireTime = Time{} }, "spec.acquireTime"},
		"never heard of":         {func(l *Lease) { l.Spec.RenewTime = Time{} }, "spec.renewTime"},
	} {
		t.Run(name, func(t *testing.T) {
			l := someLease()
			test.change(l)
			data, err := EncodeLease(l)
			require.NoError(t, err)
			_, err = DecodeLease(data)
			assert.ErrorContains(t, err, test.want)
		})
	}
	for _, text := range []string{"", "{", "[]", "null", `{} {}`, `{"spec": 1}`} {
		_, err := DecodeLease([]byte(text))
		assert.Error(t, err, text)
	}
}

func TestAPersonsLeaseDoesNotExpire(t *testing.T) {
	l := someLease()
	assert.False(t, l.Expired(l.Spec.RenewTime.Add(DefaultLeaseDuration)))
	assert.True(t, l.Expired(l.Spec.RenewTime.Add(DefaultLeaseDuration+time.Second)))
	l.Spec.Holder.Session = ""
	assert.False(t, l.Expired(l.Spec.RenewTime.Add(1000*time.Hour)))
}

// FuzzDecodeLease: what is read as a lease names files that stand where leases and sessions do, and is
// written as it was read.
func FuzzDecodeLease(f *testing.F) {
	data, _ := EncodeLease(someLease())
	f.Add(data)
	f.Add([]byte(`{"apiVersion":"idumb.dev/v1alpha1","kind":"Lease"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := DecodeLease(data)
		if err != nil {
			return
		}
		require.NoError(t, CheckName(l.Metadata.Name))
		if l.Spec.Holder.Session != "" {
			require.NoError(t, CheckName(l.Spec.Holder.Session))
		}
		again, err := EncodeLease(l)
		require.NoError(t, err)
		same, err := DecodeLease(again)
		require.NoError(t, err)
		require.Equal(t, l, same)
	})
}

// A clock that was put back, or a stranger's file, does not make a lease hold for ever.
func TestALeaseOfTheFutureHasExpired(t *testing.T) {
	now := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	l := &Lease{}
	l.Spec.Holder.Session = "s"
	for renewed, expired := range map[time.Duration]bool{-31 * time.Minute: true, -29 * time.Minute: false, time.Minute: false, 31 * time.Minute: true, 24 * 365 * time.Hour: true} {
		l.Spec.RenewTime = NewTime(now.Add(renewed))
		assert.Equal(t, expired, l.Expired(now), renewed.String())
	}
}
