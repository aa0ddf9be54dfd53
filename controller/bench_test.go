package controller

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
)

// benchTask is a task of 2 KB, as people write them.
func benchTask(i int) string {
	depends := "[]"
	if i%10 > 0 {
		depends = fmt.Sprintf(`["task-%06d"]`, i-1)
	}
	return fmt.Sprintf(`{
  "apiVersion": "idumb.dev/v1alpha1",
  "kind": "TaskNode",
  "metadata": {"name": "task-%06d", "uid": "0b5a6f0e-7a53-4a64-9b7e-%012d", "creationTimestamp": "2026-01-02T03:04:05Z",
    "labels": {"area": "auth", "size": "m"}},
  "spec": {
    "workPlan": "plan-%02d", "title": "Task number %d of many", "expectedOutput": %q,
    "state": "planned", "assignedTo": "executor", "dependsOn": %s, "priority": "high",
    "allowedTools": ["read", "edit", "write", "bash"], "fileLocks": ["src/auth/**", "src/login/**"],
    "evidence": [{"file": "src/auth/*.go"}, {"command": "go test ./...", "succeeds": true}]
  }
}
`, i, i, i%20, i, strings.Repeat("What there is when the task is done, in some detail. ", 20), depends)
}

// benchStatus is what such a task's status looks like.
func benchStatus(b testing.TB) []byte {
	data, err := resources.EncodeStatus(&resources.TaskStatus{
		Common: resources.Common{Phase: "blocked", ObservedRevision: strings.Repeat("a", 32), Conditions: []resources.Condition{
			{Type: "Blocked", Status: "True", Reason: "DependencyNotCompleted", Message: `waits for "task-000001" (planned)`, LastTransitionTime: resources.NewTime(time.Now())},
			{Type: "Ready", Status: "False", Reason: "DependencyNotCompleted", Message: "something that comes first is not completed", LastTransitionTime: resources.NewTime(time.Now())},
		}},
		BlockedBy: []string{"task-000001"},
	})
	require.NoError(b, err)
	return data
}

func benchRecords(b testing.TB, n int) []store.Record {
	records := make([]store.Record, n)
	status := benchStatus(b)
	for i := range records {
		text := []byte(benchTask(i))
		records[i] = store.Record{Key: taskKey(fmt.Sprintf("task-%06d", i)), Spec: text, Rev: resources.Revision(text), Status: []byte(string(status))}
	}
	return records
}

// BenchmarkCacheMemory reports the heap that one object costs, all in.
func BenchmarkCacheMemory(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				c := fillCache(b, n)
				b.ReportMetric(float64(heap()-before)/float64(n), "heap-B/object")
				runtime.KeepAlive(c)
			}
		})
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func fillCache(b testing.TB, n int) *cache {
	m := New(nil, nil, Options{})
	status := benchStatus(b)
	for i := range n {
		text := []byte(benchTask(i))
		record := store.Record{Key: taskKey(fmt.Sprintf("task-%06d", i)), Spec: text, Rev: resources.Revision(text), Status: []byte(string(status))}
		s := m.informer.decode(record, nil)
		require.Nil(b, s.problem)
		m.world.cache.update(record.Key, func(e *entry) { e.object, e.rev, e.observed = s.object, s.record.Rev, s.observed })
	}
	return m.world.cache
}

func BenchmarkJudge(b *testing.B) {
	m := New(nil, nil, Options{})
	record := benchRecords(b, 1)[0]
	b.ReportAllocs()
	for b.Loop() {
		m.informer.decode(record, nil)
	}
}

// BenchmarkCacheUpdate is an edit that changes one object among many.
func BenchmarkCacheUpdate(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := fillCache(b, n)
			key := taskKey(fmt.Sprintf("task-%06d", n/2))
			object := c.get(key).object
			other := resources.Clone(object)
			other.(*resources.Task).Spec.State = "active"
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				next := object
				if i%2 == 0 {
					next = other
				}
				c.update(key, func(e *entry) { e.object = next })
			}
		})
	}
}

func BenchmarkCircles(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			c := fillCache(b, n)
			for b.Loop() {
				c.refreshCycles()
			}
		})
	}
}

// BenchmarkChain completes the tasks of a chain one after the other: from the edit
// to everything settled, statuses on disk included. The cost must not depend on the
// length of the chain.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newStage(b)
			s.plan()
			for i := range n {
				s.write(chainKey(i), chainTask("planned", i))
			}
			m := s.run(s.table())
			s.reconciled()
			i := 0
			for b.Loop() {
				state := "completed"
				if i/n%2 == 1 {
					state = "planned" // and back again, if there are more rounds than tasks
				}
				s.write(chainKey(i%n), chainTask(state, i%n))
				m.hint(chainKey(i % n))
				require.NoError(b, m.WaitSettled(context.Background()))
				i++
			}
			b.ReportMetric(float64(s.reconciles())/float64(i), "reconciles/step")
		})
	}
}

func chainKey(i int) resources.Key { return taskKey(fmt.Sprintf("task-%06d", i)) }

func chainTask(state string, i int) string {
	if i == 0 {
		return task(state)
	}
	return task(state, chainKey(i-1).Name)
}

// BenchmarkStart lists, decodes and reconciles objects whose statuses are on disk already.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newStage(b)
			for i := range 20 {
				s.write(resources.Key{Kind: resources.WorkPlans, Name: fmt.Sprintf("plan-%02d", i)}, `{"spec": {"title": "P", "acceptance": ["done"], "state": "active"}}`)
			}
			for i := range n {
				s.write(chainKey(i), benchTask(i))
			}
			_, stop := s.start(s.table())
			stop()
			for b.Loop() {
				_, stop := s.start(s.table())
				stop()
			}
		})
	}
}
