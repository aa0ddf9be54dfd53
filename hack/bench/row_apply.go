package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// measureApply applies many tasks in one file: as new ones, and changed. The floor writes as
// many files of that size one after the other, and waits for the disk once for each.
func measureApply(b *bench) ([]Result, error) {
	n := b.size(1000, 100)
	var floor, made, changed []time.Duration
	for range b.size(5, 1) {
		repo, err := repoWithTasks(b, 0, independent)
		if err != nil {
			return nil, err
		}
		defer repo.Remove()
		beside := filepath.Join(repo.Dir, "floor.json")
		began := time.Now()
		for range n {
			if _, err := bareWrite(beside, make([]byte, 400), true); err != nil {
				return nil, err
			}
		}
		floor = append(floor, time.Since(began))
		for _, row := range []struct {
			title string
			took  *[]time.Duration
		}{{"one", &made}, {"another", &changed}} {
			file, err := tasksFile(repo.Dir, n, row.title)
			if err != nil {
				return nil, err
			}
			began := time.Now()
			if _, err := repo.Idumb("apply", "-f", file); err != nil {
				return nil, err
			}
			*row.took = append(*row.took, time.Since(began))
		}
	}
	one := ms(percentile(floor, 50))
	return []Result{
		{What: fmt.Sprintf("apply %d new tasks", n), Unit: "ms", Floor: one, Ours: ms(percentile(made, 50)), Goal: "one flush a folder"},
		{What: fmt.Sprintf("apply %d changed tasks", n), Unit: "ms", Floor: one, Ours: ms(percentile(changed, 50)), Goal: "one flush a folder"},
	}, nil
}

// tasksFile writes a file that describes tasks and their plan.
func tasksFile(dir string, n int, title string) (string, error) {
	type object map[string]any
	items := []object{{"kind": "WorkPlan", "metadata": object{"name": "many"}, "spec": object{"title": "Many", "acceptance": []string{"x"}}}}
	for i := range n {
		items = append(items, object{"kind": "TaskNode", "metadata": object{"name": fmt.Sprintf("many-%d", i)},
			"spec": object{"workPlan": "many", "expectedOutput": "x", "title": title}})
	}
	data, err := json.Marshal(object{"kind": "List", "items": items})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "many.json")
	return file, os.WriteFile(file, data, 0o644)
}
