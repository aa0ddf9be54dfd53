package reconcilers

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/hooks"
	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/memory"
	"github.com/idumb-dev/idumb/resources/status"
)

// exporter is the reconciler that newExporter returns. It is not safe for concurrent use.
type exporter struct {
	root   layout.Root
	client controller.Client
}

// usedExportsFile lists the exports that were already used for a synthesis.
const usedExportsFile = layout.RunDir + "/synthesized.json"

// exportsKey is the only key of the exporter, because a synthesis uses several exports.
var exportsKey = resources.Key{Kind: "exports", Name: "exports"}

// exportInterval is the interval at which old exports are removed without a change.
const exportInterval = 6 * time.Hour

// newExporter returns the reconciler that exports idle and ended sessions, removes exports after
// config.sessionCollectAfter, and synthesizes mems from them if a trigger asks for it. It keeps no
// state other than files.
func newExporter(repo mutate.Repo, c controller.Client) controller.Reconciler {
	x := &exporter{root: repo.Store.Root(), client: c}
	return controller.Func(func(context.Context, resources.Key) (controller.Result, error) {
		return controller.Result{RequeueAfter: exportInterval}, x.run()
	})
}

// exportsKeys returns the key if a session may have become idle or ended a turn, a trigger changed,
// or a listing ended.
func exportsKeys(ch controller.Change, c controller.Client) []resources.Key {
	atRest := ch.NewPhase != resources.SessionActive && ch.NewPhase != resources.SessionResumed
	due := ch.Key == resources.Key{}
	switch ch.Key.Kind {
	case resources.Sessions:
		due = ch.Resync || phaseChanged(ch) || !ch.StatusOnly && (atRest || endedTurn(ch.Key, c))
	case resources.Triggers:
		due = !ch.StatusOnly
	}
	if due {
		return []resources.Key{exportsKey}
	}
	return nil
}

// endedTurn reports whether a session waits for its user after a turn, which was exported.
func endedTurn(session resources.Key, c controller.Client) bool {
	object, _ := c.Get(session)
	s, ok := object.(*resources.Session)
	return ok && s.Spec.State == resources.StateWaiting
}

// run exports sessions at rest, removes old exports, derives mems from new ones, and removes the
// hook files of deleted sessions.
func (x *exporter) run() error {
	now, settings := x.client.Now(), x.client.Settings()
	collect := resources.Duration(settings.SessionCollectAfter, 0)
	err := x.export(now, collect)
	exports, removed := x.read(now, collect)
	return errors.Join(err, removed, x.synthesize(exports), x.sweep(now, collect))
}

// sweep removes hook state of deleted sessions that is older than the collection time.
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

// export writes the export of each idle or ended session, once per rest.
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
		if _, err := os.Lstat(x.root.Abs(layout.ExportPath(s.Metadata.Name, seen))); err == nil {
			continue
		}
		reason := memory.ExportIdle
		if phase == resources.SessionEnded {
			reason = memory.ExportEnd
		}
		export := hooks.ExportOf(x.root, s, x.client, reason)
		export.NameAnchors(x.client)
		_, err := hooks.KeepExport(x.root, &export, seen)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// exportFile is an export with its file name.
type exportFile struct {
	name   string
	export *memory.Export
}

// read returns the valid exports, oldest first, and removes those that are older than collect. The
// age of an invalid export, which doctor reports, is the age of its file.
func (x *exporter) read(now time.Time, collect time.Duration) ([]exportFile, error) {
	names, err := x.root.Names(layout.ExportsDir)
	if err != nil {
		return nil, err
	}
	var list []exportFile
	var errs []error
	for _, name := range names {
		file := path.Join(layout.ExportsDir, name)
		if !strings.HasSuffix(file, ".json") {
			continue
		}
		data, info, err := x.root.Read(file, hooks.MaxExport)
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

// synthesize makes a mem from each batch of unused exports. A trigger sets the size of a batch. A
// batch without a new finding gives no mem.
func (x *exporter) synthesize(exports []exportFile) error {
	count := x.batchSize()
	if count == 0 {
		return nil
	}
	done := x.usedExports()
	open := slices.DeleteFunc(slices.Clone(exports), func(k exportFile) bool { return slices.Contains(done, k.name) })
	for ; len(open) >= count; open = open[count:] {
		var names []string
		var batch []*memory.Export
		for _, k := range open[:count] {
			names, batch = append(names, k.name), append(batch, k.export)
		}
		if m := memory.Synthesize(batch, names, x.hasFinding); m != nil {
			if err := x.derive(m); err != nil {
				return err
			}
			x.client.Event(m.Key(), resources.Normal, "Synthesized", "it was made from %d exports of sessions", count)
		}
		done = slices.DeleteFunc(append(done, names...), func(name string) bool {
			return !slices.ContainsFunc(exports, func(k exportFile) bool { return k.name == name })
		})
		data, err := json.Marshal(done)
		if err == nil {
			err = x.root.Replace(usedExportsFile, append(data, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hasFinding reports whether a mem already states a finding.
func (x *exporter) hasFinding(finding string) bool {
	return slices.ContainsFunc(x.client.List(resources.Mems), func(key resources.Key) bool {
		object, _ := x.client.Get(key)
		m, ok := object.(*resources.Mem)
		return ok && memory.TellsFinding(m, finding)
	})
}

// derive writes a synthesized mem as a derived mem. It becomes a spec when a user confirms, edits
// or links it; until then it is not committed.
func (x *exporter) derive(m *resources.Mem) error {
	// Deleted tasks are no longer referred to.
	gone := func(name string) bool { _, there := x.client.Task(name); return !there }
	m.Spec.RelatedTo = slices.DeleteFunc(m.Spec.RelatedTo, func(ref string) bool { return gone(strings.TrimPrefix(ref, "task/")) })
	if m.Spec.OriginTask != "" && gone(m.Spec.OriginTask) {
		m.Spec.OriginTask = ""
	}
	err := placeDerived(x.root, m)
	x.client.Recheck(m.Key())
	return err
}

// batchSize returns the number of exports for a synthesis, 0 if no trigger asks for one.
func (x *exporter) batchSize() int {
	for _, t := range x.client.Triggers() {
		if t.Spec.Event == resources.TriggerExport && !t.Spec.Disabled {
			return status.TriggerCount(t)
		}
	}
	return 0
}

// usedExports returns the exports that were already used for a synthesis.
func (x *exporter) usedExports() []string {
	var names []string
	data, _, err := x.root.Read(usedExportsFile, layout.MaxSpec)
	if err != nil || json.Unmarshal(data, &names) != nil {
		return nil
	}
	return names
}
