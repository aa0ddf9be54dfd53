package reconcilers

import (
	"context"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// crowded is a repository with so many tasks, each waiting for what before says, as
// many mems, and one task that is being worked on.
func crowded(b *testing.B, n int, before func(i int) string) *stage {
	s := newStage(b)
	s.plan("p", `,"state":"active"`)
	for i := range n {
		s.task(link(i), before(i))
	}
	s.task("current", `,"state":"active","title":"Login form"`)
	topics := []string{"login form", "session cookie", "token renewal", "queue of mails", "cache keys", "deploy metrics", "backup search", "page layout", "server endpoint", "slow tests"}
	for i := range n {
		s.file(fmt.Sprintf(".idumb/mems/m%05d.json", i), fmt.Sprintf(
			`{"metadata":{"creationTimestamp":"2026-11-%02dT03:04:05Z"},"spec":{"content":"Fact %d: the %s of part %d is made by hand, see step %d.","type":"insight","confidence":80}}`,
			1+i%20, i, topics[i%10], i%97, i%13))
	}
	s.start()
	require.NoError(b, s.manager.WaitSettled(context.Background()))
	return s
}

// spent is the processor time of this process.
func spent() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkChainStep completes the tasks of a chain one after the other, all loops and the
// packed context included.
func BenchmarkChainStep(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := crowded(b, n, dependsOn)
			defer s.end()
			cpu, i := spent(), 0
			var statuses, contexts []time.Duration
			for b.Loop() {
				began := time.Now()
				s.task(link(i), dependsOn(i)+`,"state":"completed","result":{"evidence":"seen"}`)
				s.follows(link(i+1), true)
				statuses = append(statuses, time.Since(began))
				for !s.packs(link(i + 1)) {
					time.Sleep(100 * time.Microsecond)
				}
				contexts = append(contexts, time.Since(began))
				require.NoError(b, s.manager.WaitSettled(context.Background()))
				i++
			}
			b.ReportMetric(float64((spent()-cpu).Microseconds())/1000/float64(i), "cpu-ms/step")
			for name, list := range map[string][]time.Duration{"status": statuses, "context": contexts} {
				slices.Sort(list)
				b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name+"-p50-ms")
				b.ReportMetric(float64(list[len(list)*99/100].Microseconds())/1000, name+"-p99-ms")
			}
		})
	}
}

// packs reports whether the context on disk lists a task.
func (s *stage) packs(task string) bool { return s.contains(".idumb/context/context.xml", "- "+task) }

// BenchmarkFanOut completes, and takes up again, the one task that all others wait for.
func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := crowded(b, n, func(i int) string {
				if i == 0 {
					return ""
				}
				return `,"dependsOn":["` + link(0) + `"]`
			})
			defer s.end()
			var contexts, statuses []time.Duration
			for i := 0; b.Loop(); i++ {
				spec, done := "", i%2 == 0
				if done {
					spec = `,"state":"completed","result":{"evidence":"seen"}`
				}
				began := time.Now()
				s.task(link(0), spec)
				for s.packs(link(1)) != done {
					time.Sleep(time.Millisecond)
				}
				contexts = append(contexts, time.Since(began))
				require.NoError(b, s.manager.WaitSettled(context.Background()))
				statuses = append(statuses, time.Since(began))
			}
			for name, list := range map[string][]time.Duration{"statuses": statuses, "context": contexts} {
				slices.Sort(list)
				b.ReportMetric(float64(list[len(list)/2].Microseconds())/1000, name+"-p50-ms")
			}
		})
	}
}
