package reconcilers

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkEdit completes one task of a chain after the other, by writing the file,
// and waits until the next one's status says that it is ready: what an edit costs
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
			done := 0
			for b.Loop() {
				if done == size-1 {
					b.Fatal("the chain is too short for so many rounds")
				}
				began := time.Now()
				s.task(link(done), dependsOn(done)+`,"state":"completed","result":{"evidence":"see"}`)
				done++
				s.ready(link(done), began)
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

// ready waits until a task's status on disk says that it is ready.
func (s *stage) ready(task string, since time.Time) {
	for {
		data, err := os.ReadFile(s.path(".idumb/status/tasks/" + task + ".json"))
		require.NoError(s.t, err)
		if bytes.Contains(data, []byte(`"ready": true`)) {
			return
		}
		if time.Since(since) > 10*time.Second {
			s.t.Fatalf("%s did not become ready", task)
		}
		time.Sleep(100 * time.Microsecond)
	}
}
