package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureEdit times from the rename of a task's file to the dependent's status on
// disk, and to the rewritten context. The floor is a bare program that does
// rename -> event -> read and decode -> write another file, without fsync.
func measureEdit(b *bench) ([]Result, error) {
	rounds := b.size(200, 20)
	floor, err := bareReaction(rounds)
	if err != nil {
		return nil, err
	}
	statuses, contexts, err := reactions(b, rounds)
	if err != nil {
		return nil, err
	}
	row := func(what string, p int, ours []time.Duration, goal string) Result {
		return Result{What: what, Unit: "ms", Floor: ms(percentile(floor, p)), Ours: ms(percentile(ours, p)), Goal: goal}
	}
	return []Result{
		row("edit -> dependent's status on disk, p50", 50, statuses, "5 ms"),
		row("edit -> dependent's status on disk, p99", 99, statuses, "25 ms"),
		row("edit -> context rewritten, p50", 50, contexts, "5 ms"),
		row("edit -> context rewritten, p99", 99, contexts, "25 ms"),
	}, nil
}

// reactions flips task 0 between planned and completed and watches what follows.
func reactions(b *bench, rounds int) (statuses, contexts []time.Duration, err error) {
	repo, err := repoWithTasks(b, 100, chain)
	if err != nil {
		return nil, nil, err
	}
	defer repo.Remove()
	c, err := repo.StartController()
	if err != nil {
		return nil, nil, err
	}
	defer c.Kill()
	if err := allStatuses(repo, 100); err != nil {
		return nil, nil, err
	}
	for round := range rounds {
		status, context, err := reaction(repo, round%2 == 0)
		if err != nil {
			return nil, nil, fmt.Errorf("round %d: %w", round, err)
		}
		statuses, contexts = append(statuses, status), append(contexts, context)
		time.Sleep(60 * time.Millisecond)
	}
	return statuses, contexts, nil
}

func reaction(repo *drive.Repo, finished bool) (status, packed time.Duration, err error) {
	contextFile := repo.Path("context", "context.xml")
	before, _ := os.ReadFile(contextFile)
	began := time.Now()
	if finished {
		err = complete(repo, 0, chain)
	} else {
		err = repo.ReplaceTask(taskName(0), taskSpec(0, chain))
	}
	if err != nil {
		return 0, 0, err
	}
	status, err = until(began, func() bool {
		s, err := repo.Status("tasks", taskName(1))
		return err == nil && s["ready"] == finished
	})
	if err != nil {
		return 0, 0, fmt.Errorf("the dependent's status: %w", err)
	}
	packed, err = until(began, func() bool {
		now, err := os.ReadFile(contextFile)
		return err == nil && !bytes.Equal(before, now)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("the context: %w", err)
	}
	return status, packed, nil
}

// until spins, because a sleep would be most of what is measured.
func until(began time.Time, done func() bool) (time.Duration, error) {
	for !done() {
		if time.Since(began) > 5*time.Second {
			return 0, drive.ErrTimeout
		}
		time.Sleep(50 * time.Microsecond)
	}
	return time.Since(began), nil
}

// bareReaction is the floor: the same steps with nothing around them.
func bareReaction(rounds int) ([]time.Duration, error) {
	dir, err := os.MkdirTemp("", "idumb-floor-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		return nil, err
	}
	data, err := json.Marshal(map[string]any{"spec": taskSpec(0, chain)})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var took []time.Duration
	for range rounds {
		d, err := bareRound(ctx, w, dir, data)
		if err != nil {
			return nil, err
		}
		took = append(took, d)
	}
	return took, nil
}

func bareRound(ctx context.Context, w *fsnotify.Watcher, dir string, data []byte) (time.Duration, error) {
	temp, target, out := filepath.Join(dir, "t.swp"), filepath.Join(dir, "t.json"), filepath.Join(os.TempDir(), filepath.Base(dir)+".out")
	defer os.Remove(out)
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return 0, err
	}
	began := time.Now()
	if err := os.Rename(temp, target); err != nil {
		return 0, err
	}
	for {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case event := <-w.Events:
			if event.Name != target || !event.Has(fsnotify.Create) {
				continue
			}
		}
		read, err := os.ReadFile(target)
		if err != nil {
			return 0, err
		}
		var object map[string]any
		if err := json.Unmarshal(read, &object); err != nil {
			return 0, err
		}
		if err := os.WriteFile(out, read, 0o644); err != nil {
			return 0, err
		}
		return time.Since(began), nil
	}
}
