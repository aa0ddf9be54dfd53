package reconcilers

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkEdit completes the first task of a chain and takes it up again, by writing
// its file, and waits until the status of the next one follows: what an edit costs
// does not depend on how many tasks there are.
func BenchmarkEdit(b *testing.B) {
	for _, size := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("tasks=%d", size), func(b *testing.B) {
			s := newStage(b)
			s.plan("p", `,"state":"active"`)
			for i := range size {
				s.task(link(i), dependsOn(i))
			}
			s.start()
			defer s.end()
			s.settled()
			for completed := true; b.Loop(); completed = !completed {
				spec := ""
				if completed {
					spec = `,"state":"completed","result":{"evidence":"see"}`
				}
				s.task(link(0), spec)
				s.follows(link(1), completed)
			}
		})
	}
}

func link(i int) string { return fmt.Sprintf("t%05d", i) }

func dependsOn(i int) string {
	if i == 0 {
		return ""
	}
	return `,"dependsOn":["` + link(i-1) + `"]`
}

// follows waits until a task's status on disk says whether it is ready.
func (s *stage) follows(task string, ready bool) {
	want := fmt.Appendf(nil, `"ready": %t`, ready)
	for began := time.Now(); time.Since(began) < 10*time.Second; time.Sleep(100 * time.Microsecond) {
		data, err := os.ReadFile(s.path(".idumb/status/tasks/" + task + ".json"))
		require.NoError(s.t, err)
		if bytes.Contains(data, want) {
			return
		}
	}
	s.t.Fatalf("the status of %s did not follow", task)
}
