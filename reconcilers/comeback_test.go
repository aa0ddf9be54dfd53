package reconcilers

import (
	"fmt"
	"os"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A store that is written to while the controller looks away is caught up with.
func TestCatchesUpAfterAStop(t *testing.T) {
	t.Parallel()
	s := household(t)
	s.start()
	s.settled()
	s.end()
	s.task("b", `,"state":"completed","result":{"evidence":"see"},"dependsOn":["a"]`)
	require.NoError(t, os.Remove(s.path(".idumb/tasks/a.json")))
	require.NoError(t, os.RemoveAll(s.path(".idumb/status/mems")))
	s.start()
	defer s.end()
	s.settled()
	status, err := s.store.ReadStatus(t.Context(), taskKey("b"))
	require.NoError(t, err)
	assert.Contains(t, string(status), `"completed"`)
}

// A file that is written again the moment that its predecessor was archived is not
// taken for the one that is gone.
func TestWrittenAgainWhileArchived(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	require.NoError(t, os.MkdirAll(s.path(".idumb/sessions"), 0o755))
	s.start()
	defer s.end()
	session := func(ago time.Duration) {
		spec := fmt.Sprintf(`{"spec":{"host":"claude","lastSeenAt":%q}}`, time.Now().Add(-ago).UTC().Format(time.RFC3339))
		s.file(".idumb/s.tmp", spec)
		require.NoError(t, os.Rename(s.path(".idumb/s.tmp"), s.path(".idumb/sessions/s.json")))
	}
	for range 20 {
		session(1000 * time.Hour)
		for s.exists(".idumb/sessions/s.json") {
			time.Sleep(10 * time.Microsecond)
		}
		session(0)
		s.settled()
	}
}

// All statuses come back when somebody removes them, that of the read-head among them,
// which needs no file of its own.
func TestStatusesComeBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		running bool
		file    string // trajectory.json; "": there is none
	}{
		{"while it runs", true, ""},
		{"while it runs, with a file", true, `{"spec":{"intent":"ship it"}}`},
		{"between runs", false, ""},
		{"between runs, with a file", false, `{"spec":{"intent":"ship it"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := household(t)
			if test.file != "" {
				s.file(".idumb/trajectory.json", test.file)
			}
			s.start()
			defer func() { s.end() }()
			s.settled()
			before := s.statuses()
			require.Contains(t, before, "trajectory/trajectory.json")
			if !test.running {
				s.end()
			}
			require.NoError(t, os.RemoveAll(s.path(".idumb/status")))
			if !test.running {
				s.start()
			}
			s.eventually("all of them are back", func() bool { return difference(before, s.statuses()) == "" })
			s.settled()
		})
	}
}

// A status that somebody removes is written again, without a change of its object, and no other
// one is.
func TestARemovedStatusComesBack(t *testing.T) {
	t.Parallel()
	s := household(t)
	s.start()
	defer s.end()
	s.settled()
	before, written := s.statuses(), s.signature()
	var kinds []string
	for name := range before {
		if kind := path.Dir(name); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
			require.NoError(t, os.Remove(s.path(".idumb/status/"+name)), "one of each kind")
			delete(written, ".idumb/status/"+name)
		}
	}
	s.eventually("they are back", func() bool { return difference(before, s.statuses()) == "" })
	now := s.signature()
	for name, was := range written {
		assert.Equal(t, was, now[name], name)
	}
	require.NoError(t, os.RemoveAll(s.path(".idumb/status/tasks")))
	s.eventually("the folder is back", func() bool { return difference(before, s.statuses()) == "" })
}
