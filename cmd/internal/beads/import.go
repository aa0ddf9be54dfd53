package beads

import (
	"fmt"
	"io"

	"github.com/idumb-dev/idumb/resources"
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
	isOurs := func(key resources.Key, id string) bool {
		o, found := existing(key)
		return !found || o.Head().Metadata.Annotations[annotationID] == id
	}
	b := &builder{
		graph: newGraph(issues, &report), report: &report,
		plans: newNamer(resources.WorkPlans, isOurs, &report), tasks: newNamer(resources.Tasks, isOurs, &report),
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
	changed := compare(wanted, existing, &report)
	report.finish()
	return report, changed, nil
}

// compare returns the objects that have to be written.
func compare(wanted []resources.Object, existing func(resources.Key) (resources.Object, bool), r *Report) []resources.Object {
	var changed []resources.Object
	for _, o := range wanted {
		shrink(o, r)
		sign(o)
		key := o.Key()
		before, found := existing(key)
		if !found {
			r.Created, changed = append(r.Created, key), append(changed, o)
			continue
		}
		imported := before.Head().Metadata.Annotations[annotationDigest]
		switch {
		case imported == o.Head().Metadata.Annotations[annotationDigest]:
			r.Unchanged = append(r.Unchanged, key)
		case imported == contentDigest(before):
			o.Head().Schema, o.Head().Metadata.UID = before.Head().Schema, before.Head().Metadata.UID
			r.Updated, changed = append(r.Updated, key), append(changed, o)
		default:
			r.Edited = append(r.Edited, key)
		}
	}
	return changed
}
