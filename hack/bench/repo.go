package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// Shapes of a plan's dependencies.
const (
	independent = iota // without dependencies
	chain              // each task depends on the previous one
	mixed              // every third task depends on the two before it, and all name files
	fan                // all depend on the first
)

func taskName(i int) string { return fmt.Sprintf("task-%05d", i) }

// repoWithTasks creates a repository with one active plan and n tasks of about 1 KB.
func repoWithTasks(b *bench, n, shape int) (*drive.Repo, error) {
	repo, err := drive.NewRepo(b.bin)
	if err != nil {
		return nil, err
	}
	return repo, makePlan(repo, n, shape)
}

// makePlan creates an active plan of n tasks in a repository.
func makePlan(repo *drive.Repo, n, shape int) error {
	if _, err := repo.Idumb("create", "workplan", "bench", "--title", "Bench", "--accept", "fast", "--state", "active"); err != nil {
		return err
	}
	for i := range n {
		if err := repo.WriteTask(taskName(i), taskSpec(i, shape)); err != nil {
			return err
		}
	}
	return nil
}

func taskSpec(i, shape int) map[string]any {
	spec := map[string]any{
		"workPlan": "bench", "title": fmt.Sprintf("Task number %d of the benchmark", i),
		"expectedOutput": strings.Repeat("What there is when this is done, in words. ", 18),
		"priority":       []string{"critical", "high", "medium", "normal", "low"}[i%5],
	}
	switch {
	case shape == chain && i > 0:
		spec["dependsOn"] = []string{taskName(i - 1)}
	case shape == mixed && i > 1 && i%3 == 0:
		spec["dependsOn"] = []string{taskName(i - 1), taskName(i - 2)}
	case shape == fan && i > 0:
		spec["dependsOn"] = []string{taskName(0)}
	}
	if shape == mixed {
		spec["paths"], spec["evidence"] = filesOf(i)
	}
	return spec
}

// filesOf returns the paths and evidence of a task: a separate directory with a test, but all
// directories for one task in three hundred. The agents' files belong to the active task.
func filesOf(i int) (paths []string, evidence []map[string]any) {
	folder := fmt.Sprintf("src/part-%05d/", i)
	evidence = []map[string]any{{"file": folder + "*_test.go"}}
	switch {
	case i == activeTask:
		return []string{"src/*.go", folder + "**"}, evidence
	case i%300 == 1: // a task without dependencies
		return []string{"src/**"}, evidence
	}
	return []string{folder + "**"}, evidence
}

// complete rewrites a task's file as completed by a rename, like an editor.
func complete(repo *drive.Repo, i, shape int) error {
	spec := taskSpec(i, shape)
	result := map[string]any{"evidence": "done"}
	if evidence := spec["evidence"]; evidence != nil {
		result["verified"] = evidence
	}
	spec["state"], spec["result"] = "completed", result
	return repo.ReplaceTask(taskName(i), spec)
}

// finish rewrites a task's file as completed, or as planned.
func finish(repo *drive.Repo, i, shape int, finished bool) error {
	if finished {
		return complete(repo, i, shape)
	}
	return repo.ReplaceTask(taskName(i), taskSpec(i, shape))
}

// allStatuses waits until n tasks have a status.
func allStatuses(repo *drive.Repo, n int) error {
	return drive.Eventually(context.Background(), 5*time.Minute, func() error {
		entries, err := os.ReadDir(repo.Path("status", "tasks"))
		if err != nil {
			return err
		}
		if len(entries) < n {
			return fmt.Errorf("%d of %d tasks have a status", len(entries), n)
		}
		return nil
	})
}
