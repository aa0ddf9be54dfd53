package filestore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// taskFile is a task of about 1 KB.
func taskFile(i int) []byte {
	return fmt.Appendf(nil, `{
  "apiVersion": "idumb.dev/v1alpha1",
  "kind": "TaskNode",
  "metadata": {
    "name": "task-%05d",
    "uid": "5f3a0d6e-8f0f-5a0e-9a7b-%012d",
    "creationTimestamp": "2026-11-20T10:00:00Z",
    "labels": {"area": "auth", "size": "m"}
  },
  "spec": {
    "workPlan": "user-auth",
    "title": "Task number %d of the plan",
    "expectedOutput": %q,
    "state": "planned",
    "assignedTo": "executor",
    "dependsOn": ["task-%05d"],
    "evidence": [{"file": "src/**/*.go"}, {"command": "go test ./...", "succeeds": true}],
    "priority": "high"
  }
}
`, i, i, i, strings.Repeat("What there is when it is done. ", 12), i+1)
}

func withTasks(tb testing.TB, n int) *Store {
	tb.Helper()
	root := tb.TempDir()
	dir := filepath.Join(root, ".idumb", "tasks")
	require.NoError(tb, os.MkdirAll(dir, 0o755))
	old := time.Now().Add(-time.Hour)
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("task-%05d.json", i))
		require.NoError(tb, os.WriteFile(path, taskFile(i), 0o644))
		require.NoError(tb, os.Chtimes(path, old, old))
	}
	s, err := Open(root)
	require.NoError(tb, err)
	return s
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := withTasks(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Load(context.Background(), time.Now()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
