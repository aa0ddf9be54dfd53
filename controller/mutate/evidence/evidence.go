// Package evidence sees what was done for a task by whoever no hook watches: files that its
// evidence asks for count as written when their content is another one than at the start, and no
// commit of somebody else's brought it.
package evidence

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

const (
	// maxFiles is how many files are noted of a task: a pattern that takes more proves nothing.
	maxFiles = 5000
	// maxShown is how many files one checkpoint names.
	maxShown = 200
)

// note is what there was when a task was started.
type note struct {
	Head  string            `json:"head,omitempty"` // the commit, "" for none
	Files map[string]string `json:"files"`          // sha256 of each file that the evidence asks for
}

// noteName is where a task's note is kept in a Scratch.
func noteName(task *resources.Task) string { return "run/started/" + task.Metadata.Name + ".json" }

// Note writes down what the files are that a task's evidence asks for, for Look to compare with.
// A task that asks for none needs no note.
func Note(ctx context.Context, s store.Store, task *resources.Task) error {
	if !AsksForFiles(task) {
		return nil
	}
	files, err := contents(ctx, s, task)
	if err != nil {
		return fmt.Errorf("note what the files of task %q are: %w", task.Metadata.Name, err)
	}
	data, err := json.Marshal(note{Head: s.Head(), Files: files})
	if err != nil {
		return err
	}
	return s.Scratch().Write(noteName(task), data)
}

// Look returns the files that a task's evidence asks for, that are others than when it was started
// and that its log, of which seen is the sum, does not name yet; sorted. store.ErrNotFound: no note
// was taken.
func Look(ctx context.Context, s store.Store, task *resources.Task, seen *status.Evidence) ([]string, error) {
	if !AsksForFiles(task) || len(status.MissingEvidence(task, seen)) == 0 {
		return nil, nil
	}
	data, err := s.Scratch().Read(noteName(task))
	if err != nil {
		return nil, err
	}
	var before note
	if err := json.Unmarshal(data, &before); err != nil {
		return nil, fmt.Errorf("%s: %w (%w)", noteName(task), store.ErrNotFound, err)
	}
	after, err := contents(ctx, s, task)
	if err != nil {
		return nil, err
	}
	var changed []string
	for file, sum := range after {
		if was, known := before.Files[file]; (!known || was != sum) && (seen == nil || !slices.Contains(seen.Files, file)) {
			changed = append(changed, file)
		}
	}
	slices.Sort(changed)
	brought, err := s.Brought(ctx, before.Head, changed)
	changed = slices.DeleteFunc(changed, func(file string) bool { return slices.Contains(brought, file) })
	return changed[:min(len(changed), maxShown)], err
}

// Record adds what Look saw to the task's log.
func Record(ctx context.Context, s store.Appender, task string, files []string, now time.Time) error {
	return s.AppendCheckpoint(ctx, task, resources.Checkpoint{Time: resources.NewTime(now), Tool: "edit", Summary: summary(files), FilesModified: files})
}

func summary(files []string) string {
	if len(files) == 1 {
		return files[0] + " is not as it was at the start"
	}
	return fmt.Sprintf("%s and %d more are not as they were at the start", files[0], len(files)-1)
}

// AsksForFiles reports whether a task's evidence names files.
func AsksForFiles(task *resources.Task) bool { return len(patterns(task)) > 0 }

// patterns are those of the files that a task's evidence asks for.
func patterns(task *resources.Task) (patterns []string) {
	for _, item := range task.Spec.Evidence {
		if item.File != "" {
			patterns = append(patterns, item.File)
		}
	}
	return patterns
}

// contents are the sums of the files that a task's evidence asks for.
func contents(ctx context.Context, s store.Store, task *resources.Task) (map[string]string, error) {
	asked := patterns(task)
	all, err := s.Content(ctx, asked)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, file := range all {
		matches := slices.ContainsFunc(asked, func(pattern string) bool { return resources.MatchGlob(pattern, file) })
		if !matches || len(sums) == maxFiles {
			continue
		}
		if found := s.ReadSource(file, store.SourceFile{}); found.Exists {
			sums[file] = found.SHA256
		}
	}
	return sums, nil
}
