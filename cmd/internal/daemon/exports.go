package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/failure"
	"github.com/idumb-dev/idumb/cmd/internal/hook"
	"github.com/idumb-dev/idumb/cmd/internal/mutate"
	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store/filestore"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
)

// exporter keeps what is worth keeping of sessions that rest, removes it after
// config.sessionCollectAfter, and makes mems of it where a trigger says so. What it does
// follows from the files that are there: run twice, it does nothing the second time.
type exporter struct {
	root   layout.Root
	client controller.Client
	repo   mutate.Repo
	log    *slog.Logger
}

// exportsDir holds the exports; synthesizedFile names those that mems were made of.
const (
	exportsDir      = layout.Dir + "/" + resources.Sessions + "/exports"
	synthesizedFile = layout.RunDir + "/synthesized.json"
	maxExport       = 32 << 20 // bytes: a split session's holds its conversation
)

// rests reports whether a session may have come to rest, or a trigger changed.
func rests(c controller.Change) bool {
	atRest := c.NewPhase != resources.SessionActive && c.NewPhase != resources.SessionResumed
	rested := c.Key.Kind == resources.Sessions && (c.Resync || c.OldPhase != c.NewPhase || !c.StatusOnly && atRest)
	return rested || c.Key.Kind == resources.Triggers && !c.StatusOnly
}

// exportEvery is how often old exports are looked for while nothing happens.
const exportEvery = 6 * time.Hour

// keepExports looks after exports when a session's phase changes, until ctx ends.
func keepExports(ctx context.Context, root string, files *filestore.Store, client controller.Client, changed <-chan struct{}, log *slog.Logger) {
	x := &exporter{root: layout.Root(root), client: client, repo: mutate.Open(files, time.Now, false), log: log}
	timer := time.NewTimer(exportEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
		case <-timer.C:
		}
		if err := x.run(ctx); err != nil && ctx.Err() == nil {
			log.Warn("exports of sessions", "controller", "exports", "error", err)
		}
		timer.Reset(exportEvery)
	}
}

func (x *exporter) run(ctx context.Context) error {
	now, settings := x.client.Now(), x.client.Settings()
	collect := resources.Duration(settings.SessionCollectAfter, resources.DefaultSessionCollectAfter)
	err := x.export(now, collect)
	exports, removed := x.read(now, collect)
	return errors.Join(err, removed, x.synthesize(ctx, exports), x.sweep(now, collect))
}

// hookFolder holds what the hook remembers of sessions: calls, what they were told, last words.
const hookFolder = layout.RunDir + "/hook"

// sweep removes what the hook remembers of sessions that are gone, once it is as old as they
// had to be.
func (x *exporter) sweep(now time.Time, collect time.Duration) error {
	entries, err := os.ReadDir(x.root.Abs(hookFolder))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	var errs []error
	for _, entry := range entries {
		info, failed := entry.Info()
		if failed != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < collect {
			continue
		}
		session := strings.TrimSuffix(entry.Name(), path.Ext(entry.Name()))
		if _, lives := x.client.Get(resources.Key{Kind: resources.Sessions, Name: session}); !lives {
			errs = append(errs, x.root.Remove(hookFolder+"/"+entry.Name()))
		}
	}
	return errors.Join(append(errs, err)...)
}

// export writes what is kept of each session that rests, once for each rest.
func (x *exporter) export(now time.Time, collect time.Duration) error {
	var errs []error
	for _, key := range x.client.List(resources.Sessions) {
		object, _ := x.client.Get(key)
		s, ok := object.(*resources.Session)
		if !ok || s.Spec.Counters.ToolCalls == 0 && s.Spec.Counters.Turns == 0 {
			continue
		}
		phase, _ := resources.SessionPhase(s, x.client)
		seen := s.Spec.LastSeenAt.Time
		if phase == resources.SessionActive || phase == resources.SessionResumed || now.Sub(seen) >= collect {
			continue
		}
		name := path.Join(exportsDir, s.Metadata.Name+"-"+strconv.FormatInt(seen.UnixMilli(), 10)+".json")
		if _, err := os.Lstat(x.root.Abs(name)); err == nil {
			continue
		}
		export := resources.ExportOf(s, x.client, resources.ExportIdle)
		x.complete(&export, s)
		data, err := json.MarshalIndent(export, "", "  ")
		if err == nil {
			err = x.root.Replace(name, append(data, '\n'))
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// maxNamed is how many objects of a kind an export names.
const maxNamed = 50

// complete fills in what the hook kept of a session, and what outlasts it.
func (x *exporter) complete(e *resources.Export, s *resources.Session) {
	e.Tools, e.Said = hook.ToolsOf(x.root, e.Record), hook.LastWords(x.root, e.Record)
	for _, key := range x.client.List(resources.Anchors) {
		object, _ := x.client.Get(key)
		a, ok := object.(*resources.Anchor)
		if !ok || len(e.Anchors) == maxNamed || a.Spec.Priority != "critical" && a.Spec.Priority != "high" {
			continue
		}
		if status, _ := resources.DeriveAnchor(a, x.client); status.Phase == resources.Fresh {
			e.Anchors = append(e.Anchors, key.Name)
		}
	}
	for _, key := range x.client.List(resources.Mems) {
		object, _ := x.client.Get(key)
		m, ok := object.(*resources.Mem)
		if ok && e.Task != "" && m.Spec.OriginTask == e.Task && m.Spec.Source != resources.SourceExports &&
			!m.Created().Before(s.Spec.StartedAt.Time) && len(e.Mems) < maxNamed {
			e.Mems = append(e.Mems, key.Name)
		}
	}
}

// kept is an export with the name of its file.
type kept struct {
	name   string
	export *resources.Export
}

// read returns the exports that are in good order, the oldest first, and removes those
// that are older than sessions are kept. One that cannot be read is judged by its file's time.
func (x *exporter) read(now time.Time, collect time.Duration) ([]kept, error) {
	entries, err := os.ReadDir(x.root.Abs(exportsDir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var list []kept
	var errs []error
	for _, entry := range entries {
		file := path.Join(exportsDir, entry.Name())
		if !strings.HasSuffix(file, ".json") {
			continue
		}
		data, info, err := x.root.Read(file, maxExport)
		var e *resources.Export
		if err == nil {
			e, err = resources.ReadExport(data)
		}
		at := info.ModTime
		if err == nil {
			at = e.ExportedAt.Time
		} else {
			x.log.Warn("an export is not read", "controller", "exports", "file", file, "error", err)
		}
		if !at.IsZero() && now.Sub(at) >= collect {
			errs = append(errs, x.root.Remove(file))
			continue
		}
		if err == nil {
			list = append(list, kept{entry.Name(), e})
		}
	}
	slices.SortStableFunc(list, func(a, b kept) int { return a.export.ExportedAt.Compare(b.export.ExportedAt.Time) })
	return list, errors.Join(errs...)
}

// synthesize makes a mem of as many exports as a trigger counts, as long as there are so many of
// which none was made.
func (x *exporter) synthesize(ctx context.Context, exports []kept) error {
	count := x.counted()
	if count == 0 {
		return nil
	}
	done := x.synthesized()
	open := slices.DeleteFunc(slices.Clone(exports), func(k kept) bool { return slices.Contains(done, k.name) })
	for ; len(open) >= count; open = open[count:] {
		var names []string
		var batch []*resources.Export
		for _, k := range open[:count] {
			names, batch = append(names, k.name), append(batch, k.export)
		}
		m := resources.Synthesize(batch, names)
		x.forgetGone(m)
		mutate.Stamp(m, x.client.Now())
		if _, err := x.repo.Create(ctx, m); err != nil && !isThere(err) {
			return err
		}
		x.client.Event(m.Key(), resources.Normal, "Synthesized", "it was made of %d exports of sessions", count)
		done = slices.DeleteFunc(append(done, names...), func(name string) bool {
			return !slices.ContainsFunc(exports, func(k kept) bool { return k.name == name })
		})
		data, err := json.Marshal(done)
		if err == nil {
			err = x.root.Replace(synthesizedFile, append(data, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isThere reports whether an error says that an object of that name is there already.
func isThere(err error) bool {
	var status *failure.Status
	return errors.As(err, &status) && status.Reason == "AlreadyExists"
}

// counted is how many exports make a mem; 0: no trigger says so.
func (x *exporter) counted() int {
	for _, t := range x.client.Triggers() {
		if t.Spec.Event == resources.TriggerExport && !t.Spec.Disabled {
			return resources.TriggerCount(t)
		}
	}
	return 0
}

// synthesized names the exports of which mems were made.
func (x *exporter) synthesized() []string {
	var names []string
	data, _, err := x.root.Read(synthesizedFile, layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &names) != nil {
		return nil
	}
	return names
}

// forgetGone takes out of a mem the tasks that are not there any more.
func (x *exporter) forgetGone(m *resources.Mem) {
	gone := func(name string) bool { _, there := x.client.Task(name); return !there }
	m.Spec.RelatedTo = slices.DeleteFunc(m.Spec.RelatedTo, func(ref string) bool { return gone(strings.TrimPrefix(ref, "task/")) })
	if m.Spec.OriginTask != "" && gone(m.Spec.OriginTask) {
		m.Spec.OriginTask = ""
	}
}
