package reconcilers

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkEdit walks along a chain and back, completes each task or takes it up
// again by writing its file, and waits until the status of the next one follows: what
// an edit costs does not depend on how many tasks there are.
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
			at, step := 0, 1
			for b.Loop() {
				spec := dependsOn(at)
				if step > 0 {
					spec += `,"state":"completed","result":{"evidence":"see"}`
				}
				s.task(link(at), spec)
				s.follows(link(at+1), step > 0)
				if at+step == size-1 || at+step < 0 {
					step = -step
				} else {
					at += step
				}
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
