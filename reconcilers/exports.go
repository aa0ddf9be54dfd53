package reconcilers

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// exporter is the reconciler. One goroutine uses it.
type exporter struct {
	root   layout.Root
	client controller.Client
	repo   mutate.Repo
}

// exportsDir holds the exports; synthesizedFile names those that mems were made of.
const (
	exportsDir      = layout.Dir + "/" + resources.Sessions + "/exports"
	synthesizedFile = layout.RunDir + "/synthesized.json"
	maxExport       = 32 << 20 // bytes: a split session's holds its conversation
)

// exportsKey stands for all exports: some of them together make a mem.
var exportsKey = resources.Key{Kind: "exports", Name: "exports"}

// exportsEvery is how often old exports are looked for while nothing happens.
const exportsEvery = 6 * time.Hour

// newExporter keeps what is worth keeping of sessions that rest, removes it after
// config.sessionCollectAfter, and makes mems of it where a trigger says so. What it does
// follows from the files that are there.
func newExporter(repo mutate.Repo, c controller.Client) controller.Reconciler {
	x := &exporter{root: repo.Store.Root(), client: c, repo: writing(repo, c)}
	return controller.Func(func(ctx context.Context, _ resources.Key) (controller.Result, error) {
		return controller.Result{After: exportsEvery}, x.run(ctx)
	})
}

// exportsKeys: the one key, whenever a session may have come to rest, a trigger changed, or
// all is listed.
func exportsKeys(ch controller.Change, _ controller.Client) []resources.Key {
	atRest := ch.NewPhase != resources.SessionActive && ch.NewPhase != resources.SessionResumed
	due := ch.Key == resources.Key{}
	switch ch.Key.Kind {
	case resources.Sessions:
		due = ch.Resync || rephased(ch) || !ch.StatusOnly && atRest
	case resources.Triggers:
		due = !ch.StatusOnly
	}
	if due {
		return []resources.Key{exportsKey}
	}
	return nil
}

func (x *exporter) run(ctx context.Context) error {
	now, settings := x.client.Now(), x.client.Settings()
	collect := resources.Duration(settings.SessionCollectAfter, 0)
	err := x.export(now, collect)
	exports, removed := x.read(now, collect)
	return errors.Join(err, removed, x.synthesize(ctx, exports), x.sweep(now, collect))
}

// sweep removes what the hook remembers of sessions that are gone, once it is as old as they
// had to be.
func (x *exporter) sweep(now time.Time, collect time.Duration) error {
	d, err := x.root.Open(layout.HookDir)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	names, err := d.Names()
	errs := []error{err}
	for _, name := range names {
		info, failed := d.Info(name)
		if failed != nil || !info.Mode.IsRegular() || now.Sub(info.ModTime) < collect {
			continue
		}
		session := strings.TrimSuffix(name, path.Ext(name))
		if _, lives := x.client.Get(resources.Key{Kind: resources.Sessions, Name: session}); !lives {
			errs = append(errs, d.Remove(name))
		}
	}
	return errors.Join(errs...)
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
		phase, _ := status.SessionPhase(s, x.client)
		seen := s.Spec.LastSeenAt.Time
		if phase == resources.SessionActive || phase == resources.SessionResumed || now.Sub(seen) >= collect {
			continue
		}
		name := path.Join(exportsDir, s.Metadata.Name+"-"+strconv.FormatInt(seen.UnixMilli(), 10)+".json")
		if _, err := os.Lstat(x.root.Abs(name)); err == nil {
			continue
		}
		export := memory.ExportOf(s, x.client, memory.ExportIdle)
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
func (x *exporter) complete(e *memory.Export, s *resources.Session) {
	e.Tools, e.Said = hooks.ToolsOf(x.root, e.Record), hooks.LastWords(x.root, e.Record)
	for _, key := range x.client.List(resources.Anchors) {
		object, _ := x.client.Get(key)
		a, ok := object.(*resources.Anchor)
		if !ok || len(e.Anchors) == maxNamed || a.Spec.Priority != "critical" && a.Spec.Priority != "high" {
			continue
		}
		if status, _ := status.DeriveAnchor(a, x.client); status.Phase == resources.Fresh {
			e.Anchors = append(e.Anchors, key.Name)
		}
	}
	for _, key := range x.client.List(resources.Mems) {
		object, _ := x.client.Get(key)
		m, ok := object.(*resources.Mem)
		if ok && e.Task != "" && m.Spec.OriginTask == e.Task && m.Spec.Source != memory.SourceExports &&
			!m.Created().Before(s.Spec.StartedAt.Time) && len(e.Mems) < maxNamed {
			e.Mems = append(e.Mems, key.Name)
		}
	}
}

// exportFile is an export with the name of its file.
type exportFile struct {
	name   string
	export *memory.Export
}

// read returns the exports that are in good order, the oldest first, and removes those
// that are older than sessions are kept. One that cannot be read, of which doctor tells, is
// judged by its file's time.
func (x *exporter) read(now time.Time, collect time.Duration) ([]exportFile, error) {
	names, err := x.root.Names(exportsDir)
	if err != nil {
		return nil, err
	}
	var list []exportFile
	var errs []error
	for _, name := range names {
		file := path.Join(exportsDir, name)
		if !strings.HasSuffix(file, ".json") {
			continue
		}
		data, info, err := x.root.Read(file, maxExport)
		var e *memory.Export
		if err == nil {
			e, err = memory.ReadExport(data)
		}
		at := info.ModTime
		if err == nil {
			at = e.ExportedAt.Time
		}
		if !at.IsZero() && now.Sub(at) >= collect {
			errs = append(errs, x.root.Remove(file))
			continue
		}
		if err == nil {
			list = append(list, exportFile{name, e})
		}
	}
	slices.SortStableFunc(list, func(a, b exportFile) int { return a.export.ExportedAt.Compare(b.export.ExportedAt.Time) })
	return list, errors.Join(errs...)
}

// synthesize makes a mem of as many exports as a trigger counts, as long as there are so many of
// which none was made.
func (x *exporter) synthesize(ctx context.Context, exports []exportFile) error {
	count := x.counted()
	if count == 0 {
		return nil
	}
	done := x.synthesized()
	open := slices.DeleteFunc(slices.Clone(exports), func(k exportFile) bool { return slices.Contains(done, k.name) })
	for ; len(open) >= count; open = open[count:] {
		var names []string
		var batch []*memory.Export
		for _, k := range open[:count] {
			names, batch = append(names, k.name), append(batch, k.export)
		}
		m := memory.Synthesize(batch, names)
		x.forgetGone(m)
		mutate.Stamp(m, x.client.Now())
		if _, err := x.repo.Create(ctx, m); err != nil && !isThere(err) {
			return err
		}
		x.client.Event(m.Key(), resources.Normal, "Synthesized", "it was made of %d exports of sessions", count)
		done = slices.DeleteFunc(append(done, names...), func(name string) bool {
			return !slices.ContainsFunc(exports, func(k exportFile) bool { return k.name == name })
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
	var status *apierrors.Status
	return errors.As(err, &status) && status.Reason == "AlreadyExists"
}

// counted is how many exports make a mem; 0: no trigger says so.
func (x *exporter) counted() int {
	for _, t := range x.client.Triggers() {
		if t.Spec.Event == resources.TriggerExport && !t.Spec.Disabled {
			return status.TriggerCount(t)
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
