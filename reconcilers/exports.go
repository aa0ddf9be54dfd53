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

// exporter is the reconciler. One goroutine uses it.
type exporter struct {
	root   layout.Root
	client controller.Client
}

// synthesizedFile names the exports that were looked at for mems.
const synthesizedFile = layout.RunDir + "/synthesized.json"

// exportsKey stands for all exports: some of them together make a mem.
var exportsKey = resources.Key{Kind: "exports", Name: "exports"}

// exportsEvery is how often old exports are looked for while nothing happens.
const exportsEvery = 6 * time.Hour

// newExporter keeps what is worth keeping of sessions that rest, removes it after
// config.sessionCollectAfter, and makes mems of it where a trigger says so. What it does
// follows from the files that are there.
func newExporter(repo mutate.Repo, c controller.Client) controller.Reconciler {
	x := &exporter{root: repo.Store.Root(), client: c}
	return controller.Func(func(context.Context, resources.Key) (controller.Result, error) {
		return controller.Result{After: exportsEvery}, x.run()
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

func (x *exporter) run() error {
	now, settings := x.client.Now(), x.client.Settings()
	collect := resources.Duration(settings.SessionCollectAfter, 0)
	err := x.export(now, collect)
	exports, removed := x.read(now, collect)
	return errors.Join(err, removed, x.synthesize(exports), x.sweep(now, collect))
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

// exportFile is an export with the name of its file.
type exportFile struct {
	name   string
	export *memory.Export
}

// read returns the exports that are in good order, the oldest first, and removes those
// that are older than sessions are kept. One that cannot be read, of which doctor tells, is
// judged by its file's time.
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

// synthesize makes a mem of as many exports as a trigger counts, if they tell anything new, as long as
// there are so many that it did not look at.
func (x *exporter) synthesize(exports []exportFile) error {
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
		if m := memory.Synthesize(batch, names, x.known); m != nil {
			if err := x.derive(m); err != nil {
				return err
			}
			x.client.Event(m.Key(), resources.Normal, "Synthesized", "it was made of what %d exports of sessions tell", count)
		}
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

// known reports whether a mem says that already, whoever made it.
func (x *exporter) known(finding string) bool {
	return slices.ContainsFunc(x.client.List(resources.Mems), func(key resources.Key) bool {
		object, _ := x.client.Get(key)
		m, ok := object.(*resources.Mem)
		return ok && memory.TellsFinding(m, finding)
	})
}

// derive writes a mem where those stand that nobody has saved: it is a spec from the moment somebody
// confirms, edits or links it, and goes into no commit before.
func (x *exporter) derive(m *resources.Mem) error {
	x.forgetGone(m)
	err := placeDerived(x.root, m)
	x.client.Recheck(m.Key())
	return err
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

// synthesized names the exports that were looked at for mems.
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
