package importer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/imports"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Progress receives the progress of writing.
type Progress func(done, of int)

// Done is the result of a conversion.
type Done struct {
	Report migrate.Report
	// Preserved lists the files below .idumb/archive/unmapped that preserve the source.
	Preserved []string
	// Backups lists the backups of converted files, relative to the repository's root.
	Backups []string
}

// Import converts a source and writes the result in one transaction. It returns an error and writes
// nothing if the source has another format. The files of the source that a conversion keeps are on
// disk before anything else is written.
func Import(ctx context.Context, repo mutate.Repo, s Source, told Progress) (Done, error) {
	repo.Progress = told
	t := conversion{repo: repo, source: s, progress: told, named: true}
	err := repo.Run(ctx, t.run)
	if err == nil {
		err = t.logs()
	}
	return t.done, err
}

// conversion is one import or migration.
type conversion struct {
	repo     mutate.Repo
	source   Source
	progress Progress
	done     Done
	outcome  migrate.Outcome
	// named reports whether a user named the source and its format. Then a source without such data
	// is an error.
	named bool
	// confirms reports whether new mems are confirmed as of now.
	confirms bool
	// beforeWrite is called after the conversion and before the first write.
	beforeWrite func() error
	// hiddenKeys are objects that the conversion must not see, because their files are its source.
	hiddenKeys map[resources.Key]bool
}

// run converts the source and writes the objects in a transaction. Repo.Run may call it again.
func (t *conversion) run(tx *mutate.Tx) error {
	get := func(key resources.Key) (resources.Object, bool) {
		if t.hiddenKeys[key] {
			return nil, false
		}
		return WithArchive(t.repo.Store.Root(), tx.View().Get)(key)
	}
	t.done = Done{}
	t.outcome = t.source.Format.Convert(migrate.Input{Files: t.source.Files, Get: get})
	t.done.Report = t.outcome.Report
	if t.named && t.outcome.Foreign != "" {
		why := t.outcome.Foreign
		name := t.source.Dir
		if len(t.source.Files) == 1 {
			name = filepath.Join(t.source.Dir, filepath.FromSlash(t.source.Files[0].Path))
		}
		if len(t.source.Files) == 1 && len(bytes.TrimSpace(migrate.Text8(t.source.Files[0].Data))) == 0 {
			why = "it is empty"
		} else if other := imports.LooksLike(t.source.Files, t.source.Format); other != nil {
			why += fmt.Sprintf(". It looks like %s: idumb import %s %s", other.Title, other.Name, name)
		}
		return fmt.Errorf("%s contains no data of %s: %s", name, t.source.Format.Title, why)
	}
	if err := t.keep(); err != nil {
		return err
	}
	if t.beforeWrite != nil {
		if err := t.beforeWrite(); err != nil {
			return err
		}
	}
	for _, o := range t.outcome.Objects {
		m, ok := o.(*resources.Mem)
		if !ok || !t.confirms || !m.Spec.PurgedAt.IsZero() {
			continue
		}
		if _, known := get(m.Key()); known {
			continue
		}
		m.Spec.Confirmations = append(m.Spec.Confirmations, resources.MemConfirmation{
			At: resources.NewTime(t.repo.Now()), By: "idumb migrate", Note: "taken over, and not checked by anybody yet",
		})
	}
	return tx.Import(t.outcome.Objects)
}

// WithArchive wraps get, which looks up an object. The wrapper also looks in the archive, so that an
// archived object is not created again.
func WithArchive(root layout.Root, get func(resources.Key) (resources.Object, bool)) func(resources.Key) (resources.Object, bool) {
	return func(key resources.Key) (resources.Object, bool) {
		if o, found := get(key); found {
			return o, true
		}
		if resources.CheckName(key.Name) != nil {
			return nil, false
		}
		o := root.Object(key, layout.ArchivePath(key))
		return o, o != nil
	}
}

// unmapped is the directory for preserved files of sources.
const unmapped = layout.ArchiveDir + "/unmapped"

// keep writes the preserved files, one directory at a time.
func (t *conversion) keep() error {
	folders := map[string]map[string][]byte{}
	for _, l := range t.outcome.Leftovers {
		folder, name := path.Split(path.Join(unmapped, l.Path))
		if folders[folder] == nil {
			folders[folder] = map[string][]byte{}
		}
		folders[folder][name] = l.Data
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		wrote, err := writeOnce(t.repo.Store.Root(), folder, folders[folder], t.repo.DryRun)
		if err != nil {
			return err
		}
		for _, name := range wrote {
			t.done.Preserved = append(t.done.Preserved, folder+name)
		}
	}
	return nil
}

// logs adds the checkpoints that are missing in the tasks' logs.
func (t *conversion) logs() error {
	if t.repo.DryRun {
		return nil
	}
	root := t.repo.Store.Root()
	known := map[string]map[string]bool{}
	var failed []error
	for n, l := range t.outcome.Logs {
		t.progress(n, len(t.outcome.Logs))
		if known[l.Task] == nil {
			known[l.Task] = logged(root, l.Task)
		}
		if id := identity(l.Checkpoint); !known[l.Task][id] {
			known[l.Task][id] = true
			failed = append(failed, root.AppendCheckpoint(l.Task, l.Checkpoint))
		}
	}
	return errors.Join(failed...)
}

// logged returns the identities of the checkpoints in a task's log.
func logged(root layout.Root, task string) map[string]bool {
	known := map[string]bool{}
	data, _, err := root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: task})
	if err != nil {
		return known
	}
	for line := range bytes.Lines(data) {
		var c resources.Checkpoint
		if json.Unmarshal(line, &c) == nil {
			known[identity(c)] = true
		}
	}
	return known
}

// identity identifies a checkpoint by fields that a log does not cut.
func identity(c resources.Checkpoint) string {
	summary := c.Summary
	if len(summary) > 40 {
		summary = strings.ToValidUTF8(summary[:40], "")
	}
	return c.Time.UTC().String() + "\x00" + c.Tool + "\x00" + c.Session + "\x00" + summary
}
