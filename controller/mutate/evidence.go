package mutate

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
	// maxFiles is the maximum number of files recorded for a task. A pattern
	// that matches more proves nothing.
	maxFiles = 5000
	// maxShown is the maximum number of files in one checkpoint.
	maxShown = 200
)

// startRecord is the state of the files when a task was started.
type startRecord struct {
	Head  string            `json:"head,omitempty"` // commit of HEAD; empty if none
	Files map[string]string `json:"files"`          // SHA-256 of each file named by the evidence
}

// noteName returns the scratch name of a task's startRecord.
func noteName(task *resources.Task) string { return "run/started/" + task.Metadata.Name + ".json" }

// RecordStartEvidence records the state of the files named by a task's
// evidence, for LookForEvidence. It does nothing if the evidence names no
// files.
func RecordStartEvidence(ctx context.Context, s store.Store, task *resources.Task) error {
	if !AsksForFiles(task) {
		return nil
	}
	files, err := contents(ctx, s, task)
	if err != nil {
		return fmt.Errorf("record the files of task %q: %w", task.Metadata.Name, err)
	}
	data, err := json.Marshal(startRecord{Head: s.Head(), Files: files})
	if err != nil {
		return err
	}
	return s.Scratch().Write(noteName(task), data)
}

// LookForEvidence returns the files named by a task's evidence that changed since the
// start and are not in its log, sorted, at most maxShown. Files that only a commit
// of another author brought do not count. seen is the evidence of the log. It
// returns nil if no evidence is missing, and store.ErrNotFound if the state at the
// start was not recorded or is unreadable.
func LookForEvidence(ctx context.Context, s store.Store, task *resources.Task, seen *status.Evidence) ([]string, error) {
	if !AsksForFiles(task) || len(status.MissingEvidence(task, seen)) == 0 {
		return nil, nil
	}
	data, err := s.Scratch().Read(noteName(task))
	if err != nil {
		return nil, err
	}
	var before startRecord
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
	brought, err := s.ChangedSince(ctx, before.Head, changed)
	changed = slices.DeleteFunc(changed, func(file string) bool { return slices.Contains(brought, file) })
	return changed[:min(len(changed), maxShown)], err
}

// RecordFiles adds the result of LookForEvidence to the task's log.
func RecordFiles(ctx context.Context, s store.Appender, task string, files []string, now time.Time) error {
	return s.AppendCheckpoint(ctx, task, resources.Checkpoint{Time: resources.NewTime(now), Tool: "edit", Summary: summary(files), FilesModified: files})
}

// summary describes the files that changed since the start of a task in one
// phrase.
func summary(files []string) string {
	if len(files) == 1 {
		return files[0] + " changed since the start"
	}
	return fmt.Sprintf("%s and %d more changed since the start", files[0], len(files)-1)
}

// AsksForFiles reports whether a task's evidence names files.
func AsksForFiles(task *resources.Task) bool { return len(patterns(task)) > 0 }

// patterns returns the file patterns of a task's evidence.
func patterns(task *resources.Task) (patterns []string) {
	for _, item := range task.Spec.Evidence {
		if item.File != "" {
			patterns = append(patterns, item.File)
		}
	}
	return patterns
}

// contents returns the hashes of the files named by a task's evidence.
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
