package beads

import (
	"fmt"
	"io"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// Import reads an export and returns the objects to write, plans before tasks,
// each by name: those that are not there yet, and those whose issue changed since
// they were imported and that nobody edited. existing looks up what is there now
// (Snapshot.Get); nil means nothing is. The objects are not checked against each other:
// a circle or a reference to nothing in the export is in them as well, as
// the report says, so write them without refusing those. An error is an error of r.
func Import(r io.Reader, existing func(resources.Key) (resources.Object, bool)) (Report, []resources.Object, error) {
	if existing == nil {
		existing = func(resources.Key) (resources.Object, bool) { return nil, false }
	}
	var report Report
	issues, err := read(r, &report)
	if err != nil {
		return report, nil, fmt.Errorf("cannot read the export: %w", err)
	}
	stashes := map[string]*stash{}
	for _, i := range issues {
		if i.stash != nil {
			stashes[i.id] = i.stash
		}
	}
	isOurs := func(key resources.Key, id string) bool {
		o, found := existing(key)
		s := stashes[id]
		return !found || o.Head().Metadata.Annotations[annotationID] == id || s != nil && s.object.Key() == key && s.object.Head().Metadata.UID == o.Head().Metadata.UID
	}
	taken := func(id, message string) { report.problem(0, id, message) }
	b := &builder{
		graph: newGraph(issues, &report), report: &report,
		plans: migrate.NewNamer(resources.WorkPlans, isOurs, taken), tasks: migrate.NewNamer(resources.Tasks, isOurs, taken),
		notes:   migrate.NewNamer(resources.Mems, isOurs, taken),
		stashed: map[resources.Key]*stash{},
	}
	b.name()
	plans, tasks := b.build()
	reportCircles(tasks, &report)
	var wanted []resources.Object
	for _, p := range plans {
		wanted = append(wanted, p)
	}
	for _, t := range tasks {
		wanted = append(wanted, t)
	}
	for _, m := range b.mems() {
		wanted = append(wanted, m)
	}
	changed := b.compare(wanted, existing)
	report.finish()
	return report, changed, nil
}

// compare returns the objects that have to be written. What was exported from here and not changed in beads
// is taken as it was, without a digest; what was changed there is written over an object that nobody edited here since.
func (b *builder) compare(wanted []resources.Object, existing func(resources.Key) (resources.Object, bool)) []resources.Object {
	r := b.report
	var changed, usual []resources.Object
	for _, o := range wanted {
		if !shrink(o, r) {
			continue
		}
		s := b.stashed[o.Key()]
		if s == nil {
			usual = append(usual, o)
			continue
		}
		key := o.Key()
		before, found := existing(key)
		unedited := found && contentOf(before) == contentOf(s.object)
		switch {
		case !found:
			r.Created, changed = append(r.Created, key), append(changed, o)
		case unedited && s.verbatim:
			r.Unchanged = append(r.Unchanged, key)
		case unedited:
			o.Head().Schema, o.Head().Metadata.UID = before.Head().Schema, before.Head().Metadata.UID
			r.Updated, changed = append(r.Updated, key), append(changed, o)
		default:
			usual = append(usual, o)
		}
	}
	return append(changed, migrate.Compare(Prefix, usual, existing, &r.Report)...)
}

// contentOf is what an object says, apart from what the store adds.
func contentOf(o resources.Object) string {
	copied := resources.Clone(o)
	copied.Head().Schema = ""
	delete(copied.Head().Metadata.Annotations, resources.AnnotationUpdatedBy)
	data, err := resources.Encode(copied)
	if err != nil {
		return ""
	}
	return string(data)
}
