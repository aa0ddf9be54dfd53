package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/idumb-dev/idumb/hack/drive"
)

// measureEdit measures the time from the rename of a task's file to its dependent's status on disk,
// and from the rename of the plan's file to the rewritten context. The floor is a bare program with
// the same steps: rename, event, read and decode, write another file, without fsync.
func measureEdit(b *bench) ([]Result, error) {
	k, err := b.large()
	if err != nil {
		return nil, err
	}
	rounds := b.size(100, 20)
	floor, err := bareReaction(rounds)
	if err != nil {
		return nil, err
	}
	var statuses, contexts []time.Duration
	for round := range rounds {
		status, err := k.statusAfter(round%2 == 0)
		if err != nil {
			return nil, fmt.Errorf("round %d: the dependent's status: %w", round, err)
		}
		context, err := k.contextAfter(round)
		if err != nil {
			return nil, fmt.Errorf("round %d: the context: %w", round, err)
		}
		statuses, contexts = append(statuses, status), append(contexts, context)
	}
	row := func(what string, p int, ours []time.Duration, goal string) Result {
		return Result{What: fmt.Sprintf("%s, %s, p%d", what, k, p), Unit: "ms", Floor: ms(percentile(floor, p)), Ours: ms(percentile(ours, p)), Goal: goal}
	}
	return []Result{
		row("edit -> dependent's status on disk", 50, statuses, "5 ms"),
		row("edit -> dependent's status on disk", 99, statuses, "25 ms"),
		row("edit -> context rewritten", 50, contexts, "10 ms"),
		row("edit -> context rewritten", 99, contexts, "50 ms"),
	}, nil
}

// statusAfter completes a task, or reopens it, and measures the time until its dependent's status
// shows it.
func (k *backend) statusAfter(finished bool) (time.Duration, error) {
	const edited, also, dependent = 4, 5, 6 // the last one depends on both
	if err := complete(k.repo, also, mixed); err != nil {
		return 0, err
	}
	settle(k.controller.PID())
	began := time.Now()
	if err := finish(k.repo, edited, mixed, finished); err != nil {
		return 0, err
	}
	return until(began, readyIs(k.repo, taskName(dependent), finished))
}

var titleField = regexp.MustCompile(`"title": "[^"]*"`)

// contextAfter changes the title of the plan, and measures the time until the context contains it.
// Each context names the plan, but the listed tasks depend on leases and readiness.
func (k *backend) contextAfter(round int) (time.Duration, error) {
	settle(k.controller.PID())
	file := k.repo.Path("workplans", "bench.json")
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	data = titleField.ReplaceAll(data, fmt.Appendf(nil, `"title": %q`, workTitle(round)))
	began := time.Now()
	if err := os.WriteFile(file+".swp", data, 0o644); err != nil {
		return 0, err
	}
	if err := os.Rename(file+".swp", file); err != nil {
		return 0, err
	}
	return until(began, func() bool {
		now, err := os.ReadFile(k.repo.Path("context", "context.xml"))
		return err == nil && bytes.Contains(now, []byte(workTitle(round)))
	})
}

// until polls without blocking for long, because a longer sleep would dominate the measurement.
func until(began time.Time, done func() bool) (time.Duration, error) {
	for !done() {
		if time.Since(began) > 30*time.Second {
			return 0, drive.ErrTimeout
		}
		time.Sleep(50 * time.Microsecond)
	}
	return time.Since(began), nil
}

// bareReaction measures the floor: the same steps without the product.
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
